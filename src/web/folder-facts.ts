import { type Clock, systemClock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { HostDirectory, HostListPage, HostQuery } from '../contracts/state/host-directory.ts';
import type { InLink } from '../contracts/state/link-store.ts';
import type { HostKey, Origin } from '../contracts/url.ts';
import type { CrawlReader } from '../crawl/report/crawl-reader.ts';
import { type DuplicateCluster, duplicateClusters } from '../crawl/report/duplicate-clusters.ts';
import type { UrlReport } from '../crawl/report/url-report.ts';
import { openHostDirectory } from '../engines/open-host-directory.ts';
import { hasLinks, openLinkReader } from '../engines/open-links.ts';
import { openMonitorReader } from '../engines/open-monitor.ts';
import { parseRobots } from '../fetch/robots/robots-parser.ts';
import { judgeOfRecord } from '../fetch/robots/robots-record.ts';
import { originOf } from '../url/host-key.ts';
import type { CrawlFacts, HostFacts, PageLinkLists, RobotsFacts } from './crawl-facts.ts';
import { SharedLook } from './dashboard/shared-look.ts';

const ANCHORS_SHOWN = 20;
/** Beyond this many pages the clusters of duplicates are not looked for while somebody waits. */
const MOST_COMPARED = 50_000;
const CLUSTERS_AGE_MS = 30_000;

/** What a crawl folder tells of its pages and hosts, also while it is being crawled. */
export class FolderFacts implements CrawlFacts, AsyncDisposable {
  readonly #folder: string;
  readonly #crawl: CrawlReader;
  readonly #directory: HostDirectory;
  readonly #clusters: SharedLook<ReadonlyMap<string, DuplicateCluster>>;

  constructor(folder: string, crawl: CrawlReader, clock: Clock = systemClock) {
    this.#folder = folder;
    this.#crawl = crawl;
    this.#directory = openHostDirectory(folder);
    this.#clusters = new SharedLook(clock, CLUSTERS_AGE_MS, () => this.#allClusters());
  }

  async report(url: string): Promise<UrlReport | undefined> {
    try {
      return await this.#crawl.explain(url);
    } catch (error) {
      if (error instanceof OrbweaverError && error.code === 'SEED_INVALID') return undefined;
      throw error;
    }
  }

  async links(url: string, limit: number): Promise<PageLinkLists | undefined> {
    if (!hasLinks(this.#folder)) return undefined;
    using links = openLinkReader(this.#folder);
    const inLinks: InLink[] = [];
    for await (const link of links.inLinks(url, { limit })) inLinks.push(link);
    const out = links.outLinks(url)?.links;
    return {
      inLinks: await this.#crawl.lastSeen(inLinks),
      inCount: inLinks.length < limit ? inLinks.length : Math.max(inLinks.length, links.linkCount(url)),
      ...(out === undefined ? {} : { outLinks: out.slice(0, limit) }),
      outCount: out?.length ?? 0,
      anchors: links.anchorsFor(url, ANCHORS_SHOWN),
    };
  }

  async duplicates(url: string): Promise<DuplicateCluster | undefined> {
    return (await this.#clusters.take()).get(url);
  }

  async host(name: string, url?: string): Promise<HostFacts | undefined> {
    const record = await this.#crawl.host(name as HostKey);
    if (record === undefined) return undefined;
    using monitor = openMonitorReader(this.#folder);
    const tally = monitor?.host(name);
    const rules = monitor?.rules();
    const robots: RobotsFacts[] = [];
    for (const scheme of ['https', 'http'])
      robots.push(...(await this.#robotsOf(`${scheme}://${name}` as Origin, url)));
    return { record, ...(tally && { tally }), ...(rules && { rules }), robots, agent: this.#crawl.agent };
  }

  hosts(query: HostQuery): Promise<HostListPage> {
    return this.#directory.list(query);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#directory[Symbol.asyncDispose]();
  }

  async #robotsOf(origin: Origin, url: string | undefined): Promise<RobotsFacts[]> {
    const record = await this.#crawl.robots(origin);
    if (record === undefined) return [];
    const asked = url === undefined ? undefined : (await this.report(url))?.url;
    const isOwn = asked !== undefined && originOf(asked) === origin;
    const verdict = isOwn ? { verdict: judgeOfRecord(record, this.#crawl.agent).judge(asked) } : {};
    return [{ record, ...verdict, sitemaps: parseRobots(record.body ?? '').sitemaps }];
  }

  async #allClusters(): Promise<ReadonlyMap<string, DuplicateCluster>> {
    const { totals } = await this.#crawl.status(0);
    if (totals.pages > MOST_COMPARED) return new Map();
    return new Map(
      duplicateClusters(this.#crawl.duplicateListing).flatMap((cluster) =>
        cluster.members.map(({ url }) => [url as string, cluster] as const),
      ),
    );
  }
}
