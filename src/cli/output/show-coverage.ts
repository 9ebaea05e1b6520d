import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { OrbweaverError } from '../../base/errors.ts';
import { fingerprint } from '../../base/fingerprint.ts';
import type { HostKey } from '../../contracts/url.ts';
import { recapture } from '../../crawl/plan/capture-recapture.ts';
import { type CrawlCoverage, crawlCoverage } from '../../crawl/plan/crawl-coverage.ts';
import type { Range } from '../../crawl/plan/unseen-urls.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions, type UrlOptions } from '../../url/url-options.ts';
import { type AskedCrawl, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { askedHost } from '../arguments/asked-host.ts';
import { writeText } from './write-text.ts';
import { percent } from './written-amount.ts';

const ASSUMPTIONS =
  'right if the two were found independently, every page was as likely to be in them, and the web did not change between them; crawls that follow the same links share more than chance would, so that there is more than this';

export interface CoverageFlags extends AskedCrawl {
  readonly urls?: string;
  readonly with?: string;
  readonly host?: string;
  readonly json?: boolean;
}

/** The pages of a crawl or of a list, by the fingerprints of their URLs. */
interface PageSet {
  readonly name: string;
  readonly pages: ReadonlySet<bigint>;
  /** Lines that hold no URL. */
  readonly unreadable: number;
  /** Of a crawl. */
  readonly urlOptions?: UrlOptions;
}

export async function showCoverage(flags: CoverageFlags): Promise<void> {
  const { urls, with: other, json } = flags;
  const host = hostOf(flags);
  if (other === undefined) {
    if (urls === undefined) return await showOwn(flags);
    throw new OrbweaverError('USAGE', '--urls needs another list or crawl to be compared with.', {
      remedy: 'Name it by --with FOLDER-OR-FILE.',
    });
  }
  if (urls === '-' && other === '-') {
    throw new OrbweaverError('USAGE', 'Standard input can be read once only.', {
      remedy: 'Give one of the two lists as a file.',
    });
  }
  const crawl = urls === undefined ? await pagesOfCrawl(flags) : undefined;
  const second = await pagesOf(other, host, crawl?.urlOptions);
  const first = crawl ?? (await pagesOfFile(urls ?? '', host, second.urlOptions));
  let both = 0;
  for (const page of first.pages) if (second.pages.has(page)) both++;
  const overlap = { first: first.pages.size, second: second.pages.size, both };
  const estimate = recapture(overlap);
  const unreadable = first.unreadable + second.unreadable;
  if (unreadable > 0) process.stderr.write(`${unreadable} lines hold no URL of a page and are left out.\n`);
  if (json === true) {
    const { low, high, either, lincolnPetersen } = estimate;
    const likely = both === 0 ? null : estimate.likely;
    const inAll = { low, likely, high: finite(high), lincolnPetersen: finite(lincolnPetersen) };
    const names = { firstName: first.name, secondName: second.name };
    process.stdout.write(`${JSON.stringify({ ...names, ...overlap, either, inAll, assumptions: ASSUMPTIONS })}\n`);
    return;
  }
  const share = (part: number, whole: number): string => (whole === 0 ? '-' : percent(part / whole));
  const lines = [
    `  first     ${first.name}: ${count(overlap.first)} pages`,
    `  second    ${second.name}: ${count(overlap.second)} pages`,
    `  both      ${count(both)}: ${share(both, overlap.first)} of the first, ${share(both, overlap.second)} of the second, ${share(both, estimate.either)} of either`,
  ];
  if (both === 0) lines.push('  in all    not to be told: the two have no page in common');
  else {
    const held = (pages: number): string => `${percent(pages / estimate.likely)} (${sharesOf(pages, estimate)})`;
    lines.push(
      `  in all    about ${count(estimate.likely)} pages by capture and recapture (Chapman); ${count(estimate.low)} to ${count(estimate.high)} with 95 % confidence`,
      `  coverage  the first holds ${held(overlap.first)}, the second ${held(overlap.second)}, both together ${held(estimate.either)}`,
      `  assumes   ${ASSUMPTIONS}`,
    );
  }
  writeText(`${lines.join('\n')}\n`);
}

async function showOwn(flags: CoverageFlags): Promise<void> {
  using reader = await openAskedCrawl(flags, 'site');
  const coverage = crawlCoverage(ofHost(reader.knownUrls(), hostOf(flags)));
  if (flags.json === true) process.stdout.write(`${JSON.stringify({ crawl: reader.name, ...coverage })}\n`);
  else writeText(`${describeOwn(reader.name, coverage).join('\n')}\n`);
}

function describeOwn(name: string, coverage: CrawlCoverage): string[] {
  const { known, visited, waiting, held, perPage, urls, pages, share } = coverage;
  const head = [
    `${name} holds ${count(held)} pages`,
    `  URLs      ${count(known)} known: ${count(visited)} visited, ${count(waiting)} wait`,
  ];
  if (visited === 0) return [...head, '  coverage  not to be told: nothing was visited'];
  if (waiting === 0) {
    return [
      ...head,
      '  coverage  100 % of the pages that links lead to, within the scope and rules of the crawl: nothing waits',
      '            Pages that no link leads to are not seen by this: --with compares with another crawl or list.',
    ];
  }
  return [
    ...head,
    `  in all    about ${count(urls.likely)} URLs (${rangeOf(urls)}): of late a page brought ${perPage.toFixed(2)} new ones`,
    `  pages     about ${count(pages.likely)} (${rangeOf(pages)}), if as many URLs are pages as of those that were visited`,
    `  coverage  ${percent(share.likely)} of the pages are held (${percent(share.low)} to ${percent(share.high)})`,
  ];
}

function hostOf({ host }: CoverageFlags): HostKey | undefined {
  return host === undefined ? undefined : askedHost(host);
}

async function pagesOf(place: string, host: HostKey | undefined, urlOptions?: UrlOptions): Promise<PageSet> {
  const kind = place === '-' ? undefined : statSync(place, { throwIfNoEntry: false });
  if (kind?.isDirectory() !== true) return await pagesOfFile(place, host, urlOptions);
  using reader = new CrawlReader(place);
  return pagesHeld(reader, host);
}

async function pagesOfCrawl(flags: CoverageFlags): Promise<PageSet> {
  using reader = await openAskedCrawl(flags, 'site');
  return pagesHeld(reader, hostOf(flags));
}

function pagesHeld(reader: CrawlReader, host: HostKey | undefined): PageSet {
  const pages = new Set<bigint>();
  for (const { url, held } of ofHost(reader.knownUrls({ states: ['visited'] }), host)) {
    if (held === true) pages.add(fingerprint(url));
  }
  return { name: reader.name, pages, unreadable: 0, urlOptions: reader.urlOptions };
}

/** `urlOptions`: of the crawl that the list is compared with, so that both write a URL in one way. */
async function pagesOfFile(
  file: string,
  host: HostKey | undefined,
  urlOptions: UrlOptions = defaultUrlOptions,
): Promise<PageSet> {
  const pages = new Set<bigint>();
  let unreadable = 0;
  try {
    const input = file === '-' ? process.stdin : createReadStream(file);
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const [written = ''] = line.trim().split(/\s/, 1);
      if (written === '' || written.startsWith('#')) continue;
      const url = normalizeUrl(written, urlOptions);
      if (url === undefined) unreadable++;
      else if (host === undefined || hostKeyOf(url) === host) pages.add(fingerprint(url));
    }
  } catch {
    throw new OrbweaverError('INPUT_INVALID', `${file} is no crawl folder and no file that can be read.`, {
      remedy: 'Give a crawl folder, the path of a file with one URL per line, or - for standard input.',
    });
  }
  return { name: file === '-' ? 'standard input' : file, pages, unreadable };
}

function* ofHost<T extends { readonly host: HostKey }>(urls: Iterable<T>, host: HostKey | undefined): Generator<T> {
  for (const url of urls) if (host === undefined || url.host === host) yield url;
}

function rangeOf({ low, high }: Range): string {
  return `${count(low)} to ${count(high)}`;
}

function sharesOf(pages: number, { low, high }: Range): string {
  return `${percent(pages / high)} to ${percent(Math.min(1, pages / low))}`;
}

/** JSON knows no infinity. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function count(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en') : 'no bound';
}
