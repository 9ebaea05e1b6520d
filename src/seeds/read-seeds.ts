import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { OrbweaverError } from '../base/errors.ts';
import type { Seed } from '../contracts/seed.ts';
import { isFileUrl } from '../url/file-url.ts';
import { isPath } from './folder-seeds.ts';
import { completeSeed, readSeedLine } from './seed-text.ts';

export interface SeedSources {
  /** From the command line; each is one URL. */
  readonly args: readonly string[];
  /** Lines as they stand in seed lists, from the settings. */
  readonly lines?: readonly string[];
  /** Paths of seed lists. */
  readonly files?: readonly string[];
  /** A seed list that is piped in. */
  readonly stdin?: Readable;
  /** Schemes of plug-ins, with their colons. */
  readonly schemes?: readonly string[];
  /** Folders and files of this machine may be named. */
  readonly local?: boolean;
  /** No seed at all is fine: a crawl that exists is to be resumed. */
  readonly optional?: boolean;
  /** Told what was taken for something that it need not be. */
  readonly notice?: (message: string) => void;
}

/** Bad seeds to name in one message. */
const MAX_NAMED = 20;

/** The URLs of the seeds. */
export async function readSeeds(sources: SeedSources): Promise<string[]> {
  return (await readSeedList(sources)).map(({ url }) => url);
}

/** Seeds in the order given, each URL once. Reads everything before it complains, so that all bad seeds are told at once. */
export async function readSeedList(sources: SeedSources): Promise<Seed[]> {
  const seeds = new Map<string, Seed>();
  const bad: string[] = [];
  const schemes = sources.schemes?.join(' ');
  const local = sources.local === true ? 'paths' : 'none';
  const take = (place: string, text: string, seed: ReturnType<typeof readSeedLine>) => {
    if (seed === undefined) return;
    if ('url' in seed) seeds.set(seed.url, { ...seeds.get(seed.url), ...seed });
    else bad.push(`${place}: ${JSON.stringify(text.trim().slice(0, 200))}: ${seed.wrong}`);
  };

  for (const text of sources.args) {
    const seed = completeSeed(text.trim(), schemes, sources.local === true ? 'names' : 'none');
    take('argument', text, seed);
    if ('url' in seed && isFileUrl(seed.url) && !isPath(text.trim()) && !/^file:/i.test(text.trim()))
      sources.notice?.(
        `${text.trim()} is taken for the ${seed.url.endsWith('/') ? 'folder' : 'file'} of that name. For a host, write http://${text.trim()}`,
      );
  }
  for (const text of sources.lines ?? []) take('setting seed', text, readSeedLine(text, schemes, local));
  for (const { name, stream } of listsOf(sources)) {
    let line = 0;
    for await (const text of linesOf(name, stream))
      take(`${name}, line ${++line}`, text, readSeedLine(text, schemes, local));
  }

  if (bad.length > 0) throw badSeeds(bad);
  if (seeds.size === 0 && !sources.optional) {
    throw new OrbweaverError('NO_SEEDS', 'There is no seed to start from.', {
      remedy: 'Name at least one URL, such as https://example.org/, a folder, or a file with one URL per line.',
    });
  }
  return [...seeds.values()];
}

function* listsOf(sources: SeedSources): Generator<{ name: string; stream: Readable }> {
  for (const file of sources.files ?? []) yield { name: file, stream: createReadStream(file) };
  if (sources.stdin !== undefined) yield { name: 'standard input', stream: sources.stdin };
}

async function* linesOf(name: string, stream: Readable): AsyncGenerator<string> {
  // readline does not pass on errors of its input; they are kept here and thrown when the lines end.
  let failure: NodeJS.ErrnoException | undefined;
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  stream.once('error', (error) => {
    failure = error;
    lines.close();
  });
  try {
    yield* lines;
  } catch (error) {
    failure ??= error as NodeJS.ErrnoException;
  }
  if (failure === undefined) return;
  throw new OrbweaverError(
    'SEED_FILE_UNREADABLE',
    `The seed list ${name} could not be read: ${formatFailure(failure)}.`,
    {
      cause: failure,
      remedy: 'Name a text file with one URL per line, or - for standard input.',
    },
  );
}

function formatFailure(failure: NodeJS.ErrnoException): string {
  if (failure.code === 'ENOENT') return 'it does not exist';
  if (failure.code === 'EISDIR') return 'it is a folder';
  return failure.code === 'EACCES' ? 'reading it is not permitted' : (failure.code ?? failure.message);
}

function badSeeds(bad: readonly string[]): OrbweaverError {
  const named = bad.slice(0, MAX_NAMED).map((line) => `  ${line}`);
  if (bad.length > MAX_NAMED) named.push(`  and ${bad.length - MAX_NAMED} more`);
  const count = bad.length === 1 ? 'One seed is' : `${bad.length} seeds are`;
  return new OrbweaverError('SEED_INVALID', `${count} not usable:\n${named.join('\n')}`, {
    remedy: 'A seed is an http or https URL (without a scheme, https is assumed), or the path of a folder.',
  });
}
