import type { ArchiveLocation } from './archive.ts';
import type { Discovery, Outcome } from './crawl-task.ts';
import type { RobotsRecord } from './robots.ts';
import type { CanonicalUrl, HostKey, Origin } from './url.ts';

/** What a visit tells of a page; becomes part of its record. */
export interface PageFacts {
  readonly status: number;
  readonly mediaType: string;
  readonly charset?: string;
  readonly bytes: number;
  /** SHA-1 of the body without content coding, base32, as WARC writes it. */
  readonly digest?: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly title?: string;
  readonly canonical?: string;
  /** Robots directives that were found, for `explain`. */
  readonly directives: readonly string[];
  readonly noindex: boolean;
  readonly linkCount: number;
  readonly location?: ArchiveLocation;
  readonly address?: string;
  readonly fetchMs: number;
}

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
  readonly facts?: PageFacts;
  /** The endings of its visits, oldest first. */
  readonly history: readonly (Outcome & { readonly at: number; readonly status?: number })[];
}

/** What the frontier knows of a host; for `status` and `explain`. */
export interface HostRecord {
  readonly host: HostKey;
  readonly dueAt: number;
  readonly holdUntil: number;
  readonly holdWhy?: string;
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
  host(host: HostKey): Promise<HostRecord | undefined>;
  robots(origin: Origin): Promise<RobotsRecord | undefined>;
  /** The first page stored with this digest. */
  byDigest(digest: string): Promise<{ readonly url: CanonicalUrl; readonly at: number } | undefined>;
  totals(): Promise<CrawlTotals>;
}

export interface CrawlTotals {
  readonly pages: number;
  readonly distinctDocuments: number;
  readonly requests: number;
  readonly bytes: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
}
