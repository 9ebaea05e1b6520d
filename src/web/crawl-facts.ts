import type { RobotsRecord, RobotsVerdict } from '../contracts/content/robots.ts';
import type { HostRecord } from '../contracts/page-store.ts';
import type { AnchorText } from '../contracts/search-index.ts';
import type { HostListPage, HostQuery } from '../contracts/state/host-directory.ts';
import type { InLink, OutLink } from '../contracts/state/link-store.ts';
import type { HostTally, MonitoredRules } from '../contracts/state/monitor.ts';
import type { DuplicateCluster } from '../crawl/report/duplicate-clusters.ts';
import type { UrlReport } from '../crawl/report/url-report.ts';

/** The links of a page, none of the lists longer than asked for. */
export interface PageLinkLists {
  readonly inLinks: readonly InLink[];
  /** About, where it is more than are listed. */
  readonly inCount: number;
  /** Undefined where its links were never gathered. */
  readonly outLinks?: readonly OutLink[];
  readonly outCount: number;
  readonly anchors: readonly AnchorText[];
}

/** The robots.txt of an origin, and what it says of a URL. */
export interface RobotsFacts {
  readonly record: RobotsRecord;
  /** Of the URL that was asked about. */
  readonly verdict?: RobotsVerdict;
  readonly sitemaps: readonly string[];
}

export interface HostFacts {
  readonly record: HostRecord;
  readonly tally?: HostTally;
  readonly rules?: MonitoredRules;
  /** By http and by https. */
  readonly robots: readonly RobotsFacts[];
  /** Product token that robots.txt is read for. */
  readonly agent: string;
}

/** What is known of pages and hosts. An address that is not known, or is none, is no error. */
export interface CrawlFacts {
  report(url: string): Promise<UrlReport | undefined>;
  links(url: string, limit: number): Promise<PageLinkLists | undefined>;
  /** The pages that say the same; undefined where none do, or where there are too many pages to tell. */
  duplicates(url: string): Promise<DuplicateCluster | undefined>;
  /** `url`: to be judged by its robots.txt. */
  host(name: string, url?: string): Promise<HostFacts | undefined>;
  hosts(query: HostQuery): Promise<HostListPage>;
}
