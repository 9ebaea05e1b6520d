import { systemClock } from '../../base/clock.ts';
import { robotsAgentOf } from '../../base/robots-names.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { Claim, CrawlTask, Outcome } from '../../contracts/crawl-task.ts';
import type { PageStore } from '../../contracts/page-store.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { judgeOfRecord } from '../../fetch/robots/robots-record.ts';
import type { RobotsJudge } from '../../fetch/robots/robots-rules.ts';
import { hostDelay } from '../../frontier/politeness.ts';
import { createFilterChain } from '../../scope/filter-chain.ts';
import { rememberDomains } from '../../url/domain-of-host.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { CrawlReader } from '../report/crawl-reader.ts';
import { frontierOptionsOf, urlOptionsOf } from '../settings-to-parts.ts';
import { SampleLinks } from './sample-links.ts';
import { type HostCounts, SampledUrls } from './sampled-urls.ts';
import type { PageDiscoveries } from './urls-by-sample.ts';

export interface SampledHost extends HostCounts {
  /** Hosts that are asked one after another have the same. */
  readonly group: string;
  readonly crawlDelayMs?: number;
  /** Time of an answer. */
  readonly fetchMs: number;
  /** From one request to the next. */
  readonly everyMs: number;
}

/** What a look at a web has shown. */
export interface CrawlSample {
  readonly requests: number;
  readonly elapsedMs: number;
  /** Nothing was left: what was seen is all there is. */
  readonly finished: boolean;
  /** Pages asked for, and those of them that were found. */
  readonly asked: number;
  readonly found: number;
  readonly failed: number;
  /** Of a page that was found. */
  readonly bytes: { readonly mean: number; readonly deviation: number };
  /** Links to URLs that robots.txt forbids. */
  readonly forbidden: number;
  readonly hosts: readonly SampledHost[];
  /** For each page of the hosts without sitemaps, in order. */
  readonly discoveries: readonly PageDiscoveries[];
}

/** A visit of the sample. */
export interface SampleVisit {
  readonly claim: Claim;
  readonly outcome: Outcome;
  readonly bytes: number;
}

export interface SampleToRead {
  readonly folder: string;
  readonly settings: Settings;
  readonly seeds: readonly string[];
  readonly visits: readonly SampleVisit[];
  readonly requests: number;
  readonly elapsedMs: number;
  readonly finished: boolean;
}

/** Reads what the crawl of a sample has left in its folder. */
export async function readSample(sample: SampleToRead): Promise<CrawlSample> {
  const { folder, settings, visits, requests, elapsedMs, finished } = sample;
  using state = openStateReader(folder);
  using reader = new CrawlReader(folder);
  const store = state.pages;
  const urlOptions = urlOptionsOf(settings);
  const seeds = sample.seeds.flatMap((seed) => normalizeUrl(seed, urlOptions) ?? []);
  const filter = createFilterChain(settings, seeds, systemClock);
  for (const { claim, outcome } of visits)
    if (outcome.kind === 'redirected') filter.seedLedTo(claim.task.url, outcome.to as CanonicalUrl);
  const robots = new Map<string, RobotsJudge | undefined>();
  const allows = async (url: CanonicalUrl): Promise<boolean> => {
    const origin = originOf(url);
    if (settings.robots && !robots.has(origin)) {
      const record = await store.robots(origin);
      // One that has moved and was not read yet says nothing by now.
      const isKnown = record !== undefined && record.state !== 'moved';
      robots.set(origin, isKnown ? judgeOfRecord(record, robotsAgentOf(settings)) : undefined);
    }
    return robots.get(origin)?.judge(url).allowed ?? true;
  };
  const urls = new SampledUrls();
  for (const seed of seeds) if (await allows(seed)) urls.visit(seed);
  await using links = new SampleLinks(reader, urlOptions, settings.followNofollow);
  let forbidden = 0;
  for (const { claim, outcome } of visits) {
    if (!isFound(outcome.kind) || claim.task.purpose !== 'page') continue;
    const isSitemap = isSitemapFile(claim.task);
    if (isSitemap) urls.readSitemap(claim.task.url);
    else urls.read(claim.task.url);
    const told = new Set<string>([claim.task.url]);
    for (const link of await links.of(claim.task)) {
      // Links of a stored page are canonical: they were made by the resolver of the crawl.
      const url = link.url as CanonicalUrl;
      if (told.has(url)) continue;
      told.add(url);
      const isFile = link.kind === 'sitemap' && link.rel === 'sitemap';
      const task = taskOf(url, claim.task, isFile ? 'sitemap-file' : isSitemap ? 'sitemap' : 'link');
      if (!filter.judge(task, link).admit) continue;
      if (!(await allows(url))) forbidden++;
      else if (isFile) urls.announce(url);
      else if (isSitemap) urls.list(url, claim.task.url);
      else urls.link(url);
    }
  }
  const pages = visits.filter(({ claim }) => claim.task.purpose === 'page' && !isSitemapFile(claim.task));
  const foundPages = pages.filter(({ outcome }) => isFound(outcome.kind));
  const asked = pages.filter(({ outcome }) => outcome.kind !== 'refused' && outcome.kind !== 'deferred');
  return {
    requests,
    elapsedMs,
    finished,
    asked: asked.length,
    found: foundPages.length,
    failed: asked.filter(({ outcome }) => outcome.kind === 'failed').length,
    bytes: spreadOf(foundPages.map(({ bytes }) => bytes)),
    forbidden,
    hosts: await sampledHosts(urls, store, settings),
    discoveries: urls.discoveries(),
  };
}

/** The hosts with what each request to them takes; one that was not asked yet is taken for an average one. */
async function sampledHosts(urls: SampledUrls, store: PageStore, settings: Settings): Promise<SampledHost[]> {
  const { politeness, byAddress, byDomain } = frontierOptionsOf(settings, 0);
  const domainOf = rememberDomains();
  const records = new Map(
    await Promise.all(urls.hosts().map(async ({ host }) => [host, await store.host(host)] as const)),
  );
  const times = [...records.values()].flatMap((record) => (record?.lastFetchMs ? [record.lastFetchMs] : []));
  const usual = spreadOf(times).mean;
  return urls.hosts().map((host): SampledHost => {
    const record = records.get(host.host);
    const fetchMs = record?.lastFetchMs || usual;
    const crawlDelayMs = record?.crawlDelayMs;
    const group = byDomain
      ? `domain ${domainOf(host.host)}`
      : byAddress && record?.address !== undefined && record.address !== ''
        ? `address ${record.address}`
        : host.host;
    return {
      ...host,
      group,
      ...(crawlDelayMs === undefined ? {} : { crawlDelayMs }),
      fetchMs,
      everyMs: fetchMs + hostDelay(politeness, fetchMs, crawlDelayMs ?? 0),
    };
  });
}

function taskOf(url: CanonicalUrl, from: CrawlTask, how: 'link' | 'sitemap' | 'sitemap-file'): CrawlTask {
  const discovery = { how, from: from.url };
  return { url, host: hostKeyOf(url), depth: from.depth + 1, redirects: 0, lane: 0, discovery, purpose: 'page' };
}

function isSitemapFile({ discovery }: CrawlTask): boolean {
  return discovery.how === 'sitemap-file';
}

function isFound(kind: string): boolean {
  return kind === 'stored' || kind === 'duplicate';
}

function spreadOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  if (values.length === 0) return { mean: 0, deviation: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length < 2 ? mean : Math.sqrt(squares / (values.length - 1)) };
}
