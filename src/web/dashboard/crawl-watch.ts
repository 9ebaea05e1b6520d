import type { CrawlLoad } from '../../contracts/events.ts';
import type { CrawlTotals, HostRecord } from '../../contracts/page-store.ts';
import type { RevisitForecast } from '../../contracts/revisit.ts';
import type { CrawlSample, CrawlTrouble, HostTally, PolitenessRecord } from '../../contracts/state/monitor.ts';
import type { HostStanding, QueueCounts } from '../../contracts/state/state-reader.ts';
import type { PatternReport } from '../../contracts/trap-guard.ts';
import type { CrawlQuality } from '../../crawl/quality/measure-quality.ts';
import type { HostTrouble } from '../../crawl/report/describe-host-trouble.ts';

/** What was asked for last. */
export interface LastVisit {
  readonly url: string;
  readonly at: number;
  readonly status: number;
  /** 'warc/revisit': the same as before. */
  readonly mediaType: string;
  /** In the archive. */
  readonly bytes: number;
}

/** A group of URLs that is held back. */
export type HeldPattern = Pick<PatternReport, 'pattern' | 'reason' | 'known' | 'visits'>;

/** A host that shows the pages of another. */
export interface SeenMirror {
  readonly mirror: string;
  readonly original: string;
  readonly why: string;
}

/** What the crawl has noted of itself. */
export interface MonitorLook {
  /** Oldest first, over all runs; thinned with age. */
  readonly samples: readonly CrawlSample[];
  /** Answers by status code. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Newest first. */
  readonly troubles: readonly CrawlTrouble[];
  readonly politeness?: PolitenessRecord;
  /** Absent where the crawl does not watch its load. */
  readonly load?: CrawlLoad;
  /** Hosts whose pauses were closest to what was owed. */
  readonly tightest: readonly HostTally[];
}

/** A crawl at one moment. */
export interface CrawlLook extends QueueCounts {
  readonly at: number;
  /** Undefined before the crawl has begun. */
  readonly startedAt?: number;
  /** Requests of earlier runs. */
  readonly requestsBefore?: number;
  /** Undefined while it runs, and where it was cut off. */
  readonly ended?: { readonly at: number; readonly why: string };
  /** Since when it is paused by hand. */
  readonly pausedAt?: number;
  readonly totals: CrawlTotals;
  readonly standing: HostStanding;
  /** The longest queues first. */
  readonly busiest: readonly HostRecord[];
  /** By their last answer. */
  readonly slowest: readonly HostRecord[];
  /** Parked or on hold, with the reason and what follows; the latest first. */
  readonly waiting: readonly (HostRecord & HostTrouble)[];
  /** How many there are in all. */
  readonly waitingHosts: number;
  readonly held: readonly HeldPattern[];
  readonly mirrors: readonly SeenMirror[];
  readonly spamHosts: number;
  /** With a crawl that goes on visiting pages again. */
  readonly upkeep?: { readonly policy: string; readonly forecast: RevisitForecast };
  /** As last measured by `orbweaver quality`. */
  readonly quality?: CrawlQuality;
  /** Newest first. */
  readonly visits: readonly LastVisit[];
  /** Absent where the crawl was made before it noted anything. */
  readonly monitor?: MonitorLook;
}

/** Where the dashboard looks. */
export interface CrawlWatch {
  look(): Promise<CrawlLook>;
}
