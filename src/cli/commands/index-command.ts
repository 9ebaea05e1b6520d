import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import { type AskedCrawl, askedStore } from '../arguments/asked-crawl.ts';
import { counted } from '../output/written-amount.ts';

interface IndexFlags extends AskedCrawl {
  readonly rebuild?: boolean;
  readonly watch?: boolean;
  readonly from?: readonly string[];
  readonly delta?: string;
  readonly whole?: boolean;
  readonly images?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const TELL_MS = 2000;

/** `orbweaver index`: the search index of a crawl, brought up to date or rebuilt. */
export function addIndexCommand(program: Command): void {
  program
    .command('index')
    .description(
      'Bring the search index of a crawl up to date, which a running crawl does by itself; or feed a master index.',
    )
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--store <url>', 'the database of a crawl of several nodes: the indexes of those on this machine')
    .option('--rebuild', 'rebuild the index from the archive; until it is ready the old one answers')
    .option('--watch', 'go on with what is crawled meanwhile, until Ctrl-C')
    .option(
      '--from <source...>',
      'feed a master index in --dir with what has changed in crawl folders, or with files of --delta',
    )
    .option('--delta <file>', 'write what has changed since the last such file, for a master index elsewhere')
    .option('--whole', 'with --delta: everything, whatever was written before')
    .option('--images', 'describe the pictures, films and sounds of pages, too; later runs go on with them')
    .option('--json', 'print one JSON object at the end, nothing else')
    .option('--quiet', 'no progress')
    .action(async (flags: IndexFlags) => {
      if (await exchangesDeltas(flags)) return;
      const { store } = await askedStore(flags);
      if (store === undefined) await runIndex(flags);
      else await runIndexOfNodes(store, flags);
    });
}

/** Whether it was about a master index, or a delta for one. */
async function exchangesDeltas(flags: IndexFlags): Promise<boolean> {
  const { readMaster } = await import('../../search/indexing/master/master-place.ts');
  const { dir, from, delta, whole, rebuild, watch, images, store } = flags;
  if (whole === true && delta === undefined)
    throw new OrbweaverError('USAGE', '--whole belongs to --delta FILE.', {
      remedy: 'A folder that is named with --from is taken whole where that is needed.',
    });
  if (from === undefined && delta === undefined && readMaster(dir) === undefined) return false;
  if (rebuild === true || watch === true || images === true || store !== undefined)
    throw new OrbweaverError('USAGE', '--rebuild, --watch, --images and --store are for the index of a crawl.', {
      remedy: 'To make a master index again, delete the folder index in it, and name all its sources with --from.',
    });
  if (from !== undefined && delta !== undefined)
    throw new OrbweaverError('USAGE', '--from feeds an index and --delta writes a file: one at a time.');
  const commands = await import('./master/exchange-deltas.ts');
  if (delta !== undefined) await commands.writeDeltaFile(delta, flags);
  else await commands.feedMasterIndex(from ?? [], flags);
  return true;
}

async function runIndexOfNodes(store: string, flags: IndexFlags): Promise<void> {
  if (flags.rebuild === true || flags.watch === true || flags.images === true)
    throw new OrbweaverError('USAGE', '--rebuild, --watch and --images are for the index of one crawl in a folder.', {
      remedy: 'To have the index of a node made again, delete the folder index in its folder first.',
    });
  const { indexNodes } = await import('./nodes/index-nodes.ts');
  const teller = new Teller(flags.quiet === true || flags.json === true);
  const { documents, refreshed, total, folders, atWork } = await indexNodes(store, (taken) =>
    teller.tell(`${taken} documents indexed`),
  );
  for (const name of atWork) process.stderr.write(`The node ${name} is at work: it keeps its index by itself.\n`);
  if (flags.json)
    process.stdout.write(`${JSON.stringify({ indexed: documents, refreshed, documents: total, folders })}\n`);
  else
    process.stdout.write(
      `${documents} documents indexed, ${refreshed} refreshed for their links, of ${counted(folders.length, 'node')}; ${total} can be found: orbweaver search QUERY --store …\n`,
    );
}

async function runIndex(flags: IndexFlags): Promise<void> {
  const { hasState } = await import('../../engines/state-folder.ts');
  const { documentStorePath } = await import('../../search/indexing/imports/document-store.ts');
  const hasCrawl = hasState(flags.dir);
  if (!hasCrawl && !existsSync(documentStorePath(flags.dir)))
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is nothing to index in ${flags.dir}.`, {
      remedy: `Crawl first (orbweaver crawl URL --dir ${shellWord(flags.dir)}), or import documents (orbweaver import jsonl FILE).`,
    });
  const began = performance.now();
  const teller = new Teller(flags.quiet === true || flags.json === true);
  const { hasOlderIndex } = await import('../../search/indexing/older-index.ts');
  const isOlder = flags.rebuild !== true && hasOlderIndex(flags.dir);
  if (isOlder) teller.tell('The search index has an older form: it is rebuilt.');
  const rebuilt = flags.rebuild === true || isOlder ? await rebuild(flags.dir, teller) : 0;
  const followed = hasCrawl ? await follow(flags, teller) : { documents: 0, refreshed: 0 };
  const seconds = Math.round(performance.now() - began) / 1000;
  const total = 'total' in followed ? followed.total : await documentsOf(flags.dir);
  const summary = { indexed: rebuilt + followed.documents, refreshed: followed.refreshed, documents: total, seconds };
  if (flags.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else
    process.stdout.write(
      `${summary.indexed} documents indexed, ${summary.refreshed} refreshed for their links, in ${seconds} s; ` +
        `${total} can be found: orbweaver search QUERY --dir ${shellWord(flags.dir)}\n`,
    );
}

async function rebuild(folder: string, teller: Teller): Promise<number> {
  const { systemClock } = await import('../../base/clock.ts');
  const { rebuildIndex } = await import('../../search/indexing/rebuild-index.ts');
  const { documents } = await rebuildIndex(folder, systemClock, ({ pass, visits }) =>
    teller.tell(`${pass}: ${visits} visits read`),
  );
  return documents;
}

async function follow({ dir, watch, images }: IndexFlags, teller: Teller) {
  const { followCrawl } = await import('../../search/indexing/follow-crawl.ts');
  const stopping = new AbortController();
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    return await followCrawl(dir, {
      media: images === true,
      mode: watch === true ? 'until-stopped' : 'catch-up',
      signal: stopping.signal,
      onProgress: (documents) => teller.tell(`${documents} documents indexed`),
    });
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

async function documentsOf(folder: string): Promise<number> {
  const { openIndexOf } = await import('../../search/indexing/open-index.ts');
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  return snapshot.documents;
}

/** Progress on standard error, every few seconds at most. */
class Teller {
  readonly #quiet: boolean;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(quiet: boolean) {
    this.#quiet = quiet;
  }

  tell(text: string): void {
    const now = performance.now();
    if (this.#quiet || now - this.#toldAt < TELL_MS) return;
    this.#toldAt = now;
    process.stderr.write(`${text}\n`);
  }
}
