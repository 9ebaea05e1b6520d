import { OrbweaverError } from '../../../base/errors.ts';
import type { UrlStore } from '../../../contracts/state/url-store.ts';
import type { HostKey } from '../../../contracts/url.ts';
import {
  compareKeys,
  isUrlStore,
  openUrlStore,
  openUrlStoreWriter,
  type Side,
  urlOfKey,
} from '../../../engines/open-url-store.ts';
import { normalizeUrl } from '../../../url/normalize.ts';
import { defaultUrlOptions } from '../../../url/url-options.ts';
import { askedHost } from '../../arguments/asked-host.ts';
import {
  listedUrls,
  openTwo,
  type ReadUrls,
  readUrls,
  tellUnreadable,
  type WantedUrls,
} from '../../arguments/asked-urls.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';
import { writeLines, writePieces } from '../../output/write-lines.ts';
import { writeText } from '../../output/write-text.ts';
import { percent } from '../../output/written-amount.ts';

const NOT_FOUND = 5;
const MOST = Number.MAX_SAFE_INTEGER;

export interface AddFlags {
  readonly held?: boolean;
  readonly json?: boolean;
}

export interface ListFlags {
  readonly host?: string;
  readonly domain?: string;
  readonly prefix?: string;
  readonly limit?: string;
}

export interface CompareFlags {
  readonly only?: Side;
  readonly host?: string;
  readonly held?: boolean;
  readonly json?: boolean;
}

export interface InfoFlags {
  readonly check?: boolean;
  readonly json?: boolean;
}

/** One commit at the end: a source that cannot be read leaves the store as it was. */
export async function addUrls(folder: string, sources: readonly string[], flags: AddFlags): Promise<void> {
  using writer = openUrlStoreWriter(folder);
  const read: ReadUrls[] = [];
  for (const source of sources.length === 0 ? ['-'] : sources) {
    read.push(await readUrls(source, { held: flags.held === true }, (url) => writer.add(url)));
  }
  const { given, added } = writer.commit();
  tellUnreadable(read);
  if (flags.json === true) process.stdout.write(`${JSON.stringify({ folder, given, added, urls: writer.size })}\n`);
  else writeText(`${count(added)} of ${count(given)} URLs are new; ${folder} has ${count(writer.size)}.\n`);
}

export async function lookUpUrls(folder: string, asked: readonly string[]): Promise<void> {
  using store = openUrlStore(folder);
  let missing = 0;
  let unreadable = 0;
  const answerOf = (url: string): string => {
    const has = store.has(url);
    if (!has) missing++;
    return `${has ? 'known' : 'new'}\t${url}`;
  };
  const answers = async function* (): AsyncGenerator<string> {
    for await (const url of listedUrls('-')) {
      if (url === undefined) unreadable++;
      else yield `${answerOf(url)}\n`;
    }
  };
  if (asked.length > 0) await writeLines(asked.map((text) => answerOf(canonical(text))));
  else await writePieces(answers());
  tellUnreadable([{ name: 'standard input', unreadable }]);
  if (missing > 0) process.exitCode = NOT_FOUND;
}

export async function listUrls(folder: string, flags: ListFlags): Promise<void> {
  const { host, domain, prefix, limit } = flags;
  if ([host, domain, prefix].filter((given) => given !== undefined).length > 1) {
    throw new OrbweaverError('USAGE', '--host, --domain and --prefix exclude each other.', {
      remedy: 'Give one of them.',
    });
  }
  const most = limit === undefined ? MOST : wholeNumber('--limit', limit, 1, MOST);
  using store = openUrlStore(folder);
  await writeLines(firstOf(rangeOf(store, flags), most));
}

function rangeOf(store: UrlStore, { host, domain, prefix }: ListFlags): Iterable<string> {
  if (host !== undefined) return store.urls({ host: askedHost(host) });
  if (domain !== undefined) return store.urls({ domain: askedHost(domain) });
  if (prefix === undefined) return store.urls();
  if (/^(?:https?|file):\/\/[^/]*\//.test(prefix)) return store.urls({ prefix });
  throw new OrbweaverError('USAGE', `--prefix takes the beginning of a URL, but got ${prefix}.`, {
    remedy: 'Write scheme and host in full, with a slash behind them: https://example.org/docs.',
  });
}

export async function compareUrls(first: string, second: string, flags: CompareFlags): Promise<void> {
  if (first === '-' && second === '-') {
    throw new OrbweaverError('USAGE', 'Standard input can be read once only.', {
      remedy: 'Give one of the two lists as a file.',
    });
  }
  const host: HostKey | undefined = flags.host === undefined ? undefined : askedHost(flags.host);
  const wanted: WantedUrls = { held: flags.held === true, ...(host !== undefined && { host }) };
  const [opened, other] = await openTwo(first, second, wanted);
  using left = opened;
  using right = other;
  tellUnreadable([left, right]);
  const { only } = flags;
  const compared = compareKeys(left.keys(), right.keys());
  if (only !== undefined) return await writeLines(sideOf(compared, only));
  const counts = { first: 0, second: 0, both: 0 };
  for (const { side } of compared) counts[side]++;
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ firstName: left.name, secondName: right.name, ...counts })}\n`);
    return;
  }
  writeText(
    `both         ${count(counts.both)} URLs\nonly first   ${count(counts.first)}   ${left.name}\nonly second  ${count(counts.second)}   ${right.name}\n`,
  );
}

export function showUrlStore(folder: string, flags: InfoFlags): void {
  using store = openUrlStore(folder);
  if (flags.check === true) store.check();
  const facts = store.facts();
  const perUrl = facts.urls === 0 ? 0 : facts.bytes / facts.urls;
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ folder, ...facts, bytesPerUrl: perUrl })}\n`);
    return;
  }
  const { urls, bytes, textBytes, runs, memory } = facts;
  const lines = [
    `${folder} has ${count(urls)} URLs`,
    `  on disk  ${count(bytes)} bytes in ${runs} ${runs === 1 ? 'file' : 'files'}: ${perUrl.toFixed(1)} a URL`,
    `  as text  ${count(textBytes)} bytes${urls === 0 ? '' : `: ${(textBytes / urls).toFixed(1)} a URL, so that the store takes ${percent(bytes / textBytes)}`}`,
    `  memory   ${count(memory)} bytes while it is open`,
    ...(flags.check === true ? ['  checked  everything is as it was written'] : []),
  ];
  writeText(`${lines.join('\n')}\n`);
}

export function compactUrls(folder: string): void {
  // A writer would make a store where there is none.
  if (!isUrlStore(folder)) openUrlStore(folder)[Symbol.dispose]();
  {
    using writer = openUrlStoreWriter(folder);
    writer.compact();
  }
  showUrlStore(folder, {});
}

function canonical(text: string): string {
  const url = normalizeUrl(text, { ...defaultUrlOptions, assumeHttp: true });
  if (url !== undefined) return url;
  throw new OrbweaverError('INPUT_INVALID', `${text} is no URL of a page.`, {
    remedy: 'Give it with its scheme, as https://example.org/page.',
  });
}

function* firstOf(urls: Iterable<string>, most: number): Generator<string> {
  let listed = 0;
  for (const url of urls) {
    if (listed++ >= most) return;
    yield url;
  }
}

function* sideOf(compared: ReturnType<typeof compareKeys>, wanted: Side): Generator<string> {
  for (const { key, side } of compared) if (side === wanted) yield urlOfKey(key);
}

function count(value: number): string {
  return value.toLocaleString('en');
}
