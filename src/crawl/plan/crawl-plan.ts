import { boundsOf, type HostBound, type HostLoad, msToSend } from './crawl-estimate.ts';
import type { CrawlSample, SampledHost } from './read-sample.ts';
import type { Range } from './unseen-urls.ts';
import { urlsBySample } from './urls-by-sample.ts';

export interface PlanLimits {
  readonly maxPages: number;
  readonly hostMaxPages: number;
  /** Requests at once, over all hosts. */
  readonly concurrency: number;
}

export interface CrawlPlan {
  readonly pages: Range;
  readonly requests: Range;
  readonly bytes: Range;
  readonly ms: Range;
  /** The likely load of each host. */
  readonly hosts: readonly HostLoad[];
  readonly bounds: readonly HostBound[];
  /** Share of the requests that bring a page. */
  readonly found: number;
  /** What the number of pages rests on. */
  readonly basis: 'everything was seen' | 'sitemaps' | 'links' | 'sitemaps and links';
  /** New URLs per page at the end of the sample where links are the basis and it exceeds one: the high figure is no bound. */
  readonly noEndInSight?: number;
  /** The limit that ends the crawl before the web does. */
  readonly limit?: 'max-pages' | 'host-max-pages';
}

const LEVELS = ['low', 'likely', 'high'] as const;
/** Standard errors to either side. */
const SPREAD = 2;

/** What a crawl will come to, by a look at a part of it. Pure. */
export function planCrawl(sample: CrawlSample, limits: PlanLimits): CrawlPlan {
  const found = sample.asked === 0 ? 1 : sample.found / sample.asked;
  const unlisted = urlsBySample({ known: knownUnlisted(sample), discoveries: sample.discoveries });
  const urls = urlsOfHosts(sample, unlisted);
  const hostMost = found === 0 ? Number.POSITIVE_INFINITY : limits.hostMaxPages / found;
  const most = found === 0 ? Number.POSITIVE_INFINITY : limits.maxPages / found;
  // robots.txt of each host comes on top.
  const loadsAt = (level: (typeof LEVELS)[number]): HostLoad[] =>
    sample.hosts.map(({ host, group, everyMs }, at) => ({
      host,
      group,
      everyMs,
      requests: Math.min(urls[at][level], hostMost) + 1,
    }));
  const loads = { low: loadsAt('low'), likely: loadsAt('likely'), high: loadsAt('high') };
  const robots = sample.hosts.length;
  const all = rangeOf((level) => loads[level].reduce((sum, { requests }) => sum + requests, 0) - robots);
  const asked = rangeOf((level) => Math.min(all[level], most));
  const share = sample.finished ? exactly(found) : shareOf(sample.found, sample.asked);
  const pages = rangeOf((level) => Math.min(asked[level] * share[level], limits.maxPages));
  const error = sample.found === 0 ? 0 : (SPREAD * sample.bytes.deviation) / Math.sqrt(sample.found);
  const { mean } = sample.bytes;
  const sitemaps = sample.hosts.reduce((sum, host) => sum + host.sitemaps.read + host.sitemaps.waiting, 0);
  const listed = sample.hosts.some((host) => host.listed > 0);
  const limit = all.likely > most ? 'max-pages' : capped(urls, hostMost) ? 'host-max-pages' : undefined;
  return {
    pages,
    requests: rangeOf((level) => asked[level] + robots + sitemaps),
    bytes: {
      low: pages.low * Math.max(mean / 4, mean - error),
      likely: pages.likely * mean,
      high: pages.high * (mean + error),
    },
    ms: rangeOf((level) => msToSend(loads[level], asked[level] + robots, limits.concurrency * perSecondOf(sample))),
    hosts: loads.likely,
    bounds: boundsOf(loads.likely),
    found,
    basis: sample.finished
      ? 'everything was seen'
      : listed
        ? sample.hosts.every((host) => host.listed > 0)
          ? 'sitemaps'
          : 'sitemaps and links'
        : 'links',
    ...(!sample.finished && unlisted.perPage >= 1 ? { noEndInSight: unlisted.perPage } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Requests that one connection gets done in a second, if no host had to rest. */
function perSecondOf({ hosts }: CrawlSample): number {
  const sum = hosts.reduce((total, { fetchMs }) => total + fetchMs, 0);
  return 1000 / Math.max(1, sum / Math.max(1, hosts.length));
}

function knownUnlisted({ hosts }: CrawlSample): number {
  return hosts.reduce((sum, { listed, known }) => sum + (listed === 0 ? known : 0), 0);
}

function urlsOfHosts(sample: CrawlSample, unlisted: Range): Range[] {
  if (sample.finished) return sample.hosts.map(({ known }) => exactly(known));
  const known = knownUnlisted(sample);
  return sample.hosts.map((host) => {
    if (host.listed > 0) return listedUrls(host);
    // What is still to be found lies where the rest lies.
    return rangeOf((level) => (unlisted[level] * host.known) / known);
  });
}

/** Lincoln-Petersen with Chapman's correction: the share of linked URLs that are listed tells how complete sitemaps are. */
function listedUrls({ known, listed, linked, both, sitemaps: { listing, waiting } }: SampledHost): Range {
  // Its sitemaps may lie on another host.
  const unread = listing === 0 ? 1 : (listing + waiting) / listing;
  const inSitemaps = listed * unread;
  const chapman = ((listed + 1) * (linked + 1)) / (both + 1) - 1;
  const variance = ((listed + 1) * (linked + 1) * (listed - both) * (linked - both)) / ((both + 1) ** 2 * (both + 2));
  const likely = Math.max(known, inSitemaps, unread > 1 ? 0 : chapman);
  return { low: known, likely, high: Math.max(likely, chapman + SPREAD * Math.sqrt(variance)) };
}

/** Wilson's interval: what a share may be of which only a sample is known. */
function shareOf(part: number, whole: number): Range {
  if (whole === 0) return { low: 0, likely: 1, high: 1 };
  const share = part / whole;
  const square = SPREAD ** 2 / whole;
  const middle = (share + square / 2) / (1 + square);
  const margin = (SPREAD / (1 + square)) * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole));
  return { low: Math.min(share, middle - margin), likely: share, high: Math.max(share, middle + margin) };
}

function capped(urls: readonly Range[], most: number): boolean {
  return urls.some(({ likely }) => likely > most);
}

function exactly(value: number): Range {
  return { low: value, likely: value, high: value };
}

function rangeOf(value: (level: (typeof LEVELS)[number]) => number): Range {
  return { low: value('low'), likely: value('likely'), high: value('high') };
}
