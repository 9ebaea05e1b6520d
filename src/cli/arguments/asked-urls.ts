import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OrbweaverError } from '../../base/errors.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { createKeySorter, hostPrefix, isUrlStore, keyOfUrl, openUrlStore } from '../../engines/open-url-store.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions, type UrlOptions } from '../../url/url-options.ts';

/** Which URLs of a source are meant. */
export interface WantedUrls {
  readonly host?: HostKey;
  /** Of a crawl: only pages of which a copy is held; else every URL that was visited or waits. */
  readonly held?: boolean;
  /** How the URLs of a list are written. Default: the default canonical form. */
  readonly urlOptions?: UrlOptions;
}

/** What is known of a source once it was read. */
export interface ReadUrls {
  readonly name: string;
  /** Lines that hold no URL. */
  readonly unreadable: number;
  /** Of a crawl. */
  readonly urlOptions?: UrlOptions;
}

/** URLs of a crawl, a list or a store, sorted; what does not fit in memory lies in files for the time being. */
export interface SortedUrls extends ReadUrls, Disposable {
  /** Sort keys, each once. */
  keys(): Iterable<string>;
}

/** Opens what was named: a store, a crawl folder, a file with one URL per line, or - for standard input. */
export async function openSortedUrls(place: string, wanted: WantedUrls): Promise<SortedUrls> {
  if (place === '-' || !isUrlStore(place)) return await sortedUrls((take) => readUrls(place, wanted, take));
  const store = openUrlStore(place);
  const prefix = wanted.host === undefined ? undefined : hostPrefix(wanted.host);
  return {
    ...{ name: place, unreadable: 0 },
    keys: () => store.keys(prefix),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

/** Opens two. Where only the second is a crawl, it is read first: it says how URLs are written. */
export async function openTwo(first: string, second: string, wanted: WantedUrls): Promise<[SortedUrls, SortedUrls]> {
  const turned = !isFolder(first) && isFolder(second);
  const [earlier, later] = turned ? [second, first] : [first, second];
  using opened = new DisposableStack();
  const one = opened.use(await openSortedUrls(earlier, wanted));
  const other = await openSortedUrls(later, { ...wanted, ...optionsOf(one) });
  opened.move();
  return turned ? [other, one] : [one, other];
}

/** Sorts the URLs that `read` gives. Memory is bounded; files go to the folder for temporary ones. */
export async function sortedUrls(
  read: (take: (url: CanonicalUrl) => void) => ReadUrls | Promise<ReadUrls>,
): Promise<SortedUrls> {
  using opened = new DisposableStack();
  const folder = opened.adopt(mkdtempSync(join(tmpdir(), 'orbweaver-urls-')), (made) =>
    rmSync(made, { recursive: true, force: true }),
  );
  const sorter = opened.use(createKeySorter(folder));
  const facts = await read((url) => sorter.add(keyOfUrl(url)));
  const held = opened.move();
  return { ...facts, keys: () => sorter.sorted(), [Symbol.dispose]: () => held.dispose() };
}

/** Gives each URL of a source, in no particular order. One may come more than once. */
export async function readUrls(
  place: string,
  wanted: WantedUrls,
  take: (url: CanonicalUrl) => void,
): Promise<ReadUrls> {
  if (place === '-') return await readList(place, wanted, take);
  if (isUrlStore(place)) {
    using store = openUrlStore(place);
    for (const url of store.urls(wanted.host === undefined ? {} : { host: wanted.host })) take(url);
    return { name: place, unreadable: 0 };
  }
  if (!isFolder(place)) return await readList(place, wanted, take);
  using reader = new CrawlReader(place);
  return readCrawl(reader, wanted, take);
}

export function readCrawl(reader: CrawlReader, wanted: WantedUrls, take: (url: CanonicalUrl) => void): ReadUrls {
  const states = wanted.held === true ? (['visited'] as const) : (['visited', 'waiting'] as const);
  for (const { url, host, held } of reader.knownUrls({ states })) {
    const isOfHost = wanted.host === undefined || host === wanted.host;
    if (isOfHost && (wanted.held !== true || held === true)) take(url);
  }
  return { name: reader.name, unreadable: 0, urlOptions: reader.urlOptions };
}

async function readList(file: string, wanted: WantedUrls, take: (url: CanonicalUrl) => void): Promise<ReadUrls> {
  const { host } = wanted;
  let unreadable = 0;
  for await (const url of listedUrls(file, wanted.urlOptions)) {
    if (url === undefined) unreadable++;
    else if (host === undefined || hostKeyOf(url) === host) take(url);
  }
  return { name: file === '-' ? 'standard input' : file, unreadable };
}

/** The URLs of a list, one per line; undefined for a line that holds none. Blank lines and comments are passed over. */
export async function* listedUrls(
  file: string,
  urlOptions: UrlOptions = defaultUrlOptions,
): AsyncGenerator<CanonicalUrl | undefined> {
  try {
    const input = file === '-' ? process.stdin : createReadStream(file);
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const [written = ''] = line.trim().split(/\s/, 1);
      if (written !== '' && !written.startsWith('#')) yield normalizeUrl(written, urlOptions);
    }
  } catch (cause) {
    throw new OrbweaverError('INPUT_INVALID', `${file} is no crawl folder and no file that can be read.`, {
      remedy: 'Give a crawl folder, a URL store, the path of a file with one URL per line, or - for standard input.',
      cause,
    });
  }
}

/** A list is written as the crawl that it is compared with writes URLs. */
export function optionsOf(crawl: ReadUrls | undefined): Pick<WantedUrls, 'urlOptions'> {
  return crawl?.urlOptions === undefined ? {} : { urlOptions: crawl.urlOptions };
}

/** Says on standard error which lines were passed over. */
export function tellUnreadable(sources: readonly ReadUrls[]): void {
  const lines = sources.reduce((sum, { unreadable }) => sum + unreadable, 0);
  if (lines > 0) process.stderr.write(`${lines} lines hold no URL of a page and are left out.\n`);
}

function isFolder(place: string): boolean {
  return place !== '-' && statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
