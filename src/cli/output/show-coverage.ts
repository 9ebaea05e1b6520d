import { OrbweaverError } from '../../base/errors.ts';
import type { HostKey } from '../../contracts/url.ts';
import { recapture } from '../../crawl/plan/capture-recapture.ts';
import { type CrawlCoverage, crawlCoverage } from '../../crawl/plan/crawl-coverage.ts';
import type { Range } from '../../crawl/plan/unseen-urls.ts';
import { compareKeys } from '../../engines/open-url-store.ts';
import { type AskedCrawl, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { askedHost } from '../arguments/asked-host.ts';
import {
  openSortedUrls,
  optionsOf,
  readCrawl,
  type SortedUrls,
  sortedUrls,
  tellUnreadable,
  type WantedUrls,
} from '../arguments/asked-urls.ts';
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
  const wanted = { held: true, ...(host !== undefined && { host }) };
  using crawl = urls === undefined ? await pagesOfCrawl(flags, wanted) : undefined;
  using second = await openSortedUrls(other, { ...wanted, ...optionsOf(crawl) });
  using first = crawl ?? (await openSortedUrls(urls ?? '', { ...wanted, ...optionsOf(second) }));
  const counts = { first: 0, second: 0, both: 0 };
  for (const { side } of compareKeys(first.keys(), second.keys())) counts[side]++;
  const { both } = counts;
  const overlap = { first: counts.first + both, second: counts.second + both, both };
  const estimate = recapture(overlap);
  tellUnreadable([first, second]);
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

async function pagesOfCrawl(flags: CoverageFlags, wanted: WantedUrls): Promise<SortedUrls> {
  using reader = await openAskedCrawl(flags, 'site');
  return await sortedUrls((take) => readCrawl(reader, wanted, take));
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
