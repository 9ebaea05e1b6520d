import type { PageFacts } from './content/page-facts.ts';
import type { RobotsRecord } from './content/robots.ts';
import type { Discovery, Hold, Outcome } from './crawl-task.ts';
import type { Original } from './duplicate-index.ts';
import type { Place } from './place.ts';
import type { ChangeHistory } from './revisit.ts';
import type { CanonicalUrl, HostKey, Origin } from './url.ts';

export type { PageFacts } from './content/page-facts.ts';

/** The row of one URL. */
export interface PageRecord {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly depth: number;
  readonly discovery: Discovery;
  readonly discoveredAt: number;
  readonly state: 'queued' | 'leased' | 'done' | 'refused-link';
  readonly outcome?: Outcome;
  readonly tries: number;
  readonly visitedAt?: number;
  readonly nextVisit?: number;
  readonly nextVisitWhy?: string;
  /** Its place among the URLs that wait, and why; where the order moves them. */
  readonly place?: Place;
  /** How often it was found changed, and the rate that follows; with a continuous crawl. */
  readonly changes?: ChangeHistory;
  readonly facts?: PageFacts;
  /** The endings of its visits, oldest first. */
  readonly history: readonly (Outcome & { readonly at: number; readonly status?: number })[];
}

/** What the last visit of a page left: the part of its record that comes from one row. */
export type LastVisit = Pick<PageRecord, 'url' | 'host' | 'outcome' | 'visitedAt' | 'facts'>;

/** What the frontier knows of a host; for `status` and `explain`. */
export interface HostRecord {
  readonly host: HostKey;
  readonly dueAt: number;
  readonly holdUntil: number;
  /** Why `holdUntil`, where it is or was held. */
  readonly hold?: Hold;
  readonly crawlDelayMs?: number;
  readonly pushbacks: number;
  readonly lastFetchMs: number;
  readonly queued: number;
  readonly pages: number;
  readonly bytes: number;
  readonly fetchMs: number;
  readonly address?: string;
  /** Why it takes no part: a budget used up, or unreachable. */
  readonly parked?: string;
}

/** Reading side of the durable state. */
export interface PageStore {
  page(url: CanonicalUrl): Promise<PageRecord | undefined>;
  /** The same for many at once, in their order. */
  pages(urls: readonly CanonicalUrl[]): Promise<(PageRecord | undefined)[]>;
  host(host: HostKey): Promise<HostRecord | undefined>;
  robots(origin: Origin): Promise<RobotsRecord | undefined>;
  /** The first page stored with this digest. */
  byDigest(digest: string): Promise<Original | undefined>;
  /** All that `byDigest` knows. */
  digests(): Iterable<string>;
  totals(): Promise<CrawlTotals>;
}

export interface CrawlTotals {
  readonly pages: number;
  readonly distinctDocuments: number;
  /** Stored pages whose text is nearly that of another. */
  readonly nearDuplicates: number;
  /** Pages with a spam score of a half or more. */
  readonly spam: number;
  readonly requests: number;
  readonly bytes: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  /** Endings of visits to pages that were visited before; these count nowhere else. Absent where there were none. */
  readonly revisits?: Readonly<Record<string, number>>;
}
