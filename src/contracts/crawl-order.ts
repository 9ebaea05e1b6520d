import type { Link } from './content/page.ts';
import type { CrawlTask } from './crawl-task.ts';
import type { Place, PlaceChange, WaitingPlace } from './place.ts';
import type { CanonicalUrl } from './url.ts';

/** A visit as an order sees it. */
export interface OrderedVisit {
  readonly task: CrawlTask;
  readonly fingerprint: bigint;
  readonly at: number;
  /** It has content; otherwise nothing was found there, and `links` is empty. */
  readonly found: boolean;
  /** Of its links, each once, those that may be followed, known or not. */
  readonly links: BigUint64Array;
  /** Places in `links` of those that are neither known nor refused permanently. They are new only if `place` is asked of them. */
  readonly unknown: readonly number[];
  /** How far the page is on the topic, 0 to 1; with a focused crawl only. */
  readonly relevance?: number;
  /** For each link what its words promise, 0 to 1; with a focused crawl only. */
  readonly promise?: Float32Array;
  /** For each link the priority, 0 to 1, that the sitemap gives it; NaN where it gives none, or the page is of another domain. */
  readonly priority?: Float32Array;
}

/** What is known of a new URL beside its task. */
export interface PlaceHints {
  readonly link?: Link;
  /** What the words around its link promise, 0 to 1. */
  readonly promise?: number;
}

/** A page that an earlier run has visited, and the links on it that are votes, each once. */
export interface PastVisit {
  readonly url: CanonicalUrl;
  readonly links: readonly CanonicalUrl[];
}

/** The links of the pages that earlier runs have visited. */
export interface PastVisits {
  /** Fingerprints of the pages. */
  pages(): Iterable<bigint>;
  /** In the order in which they were stored; gives way to others now and then. */
  visits(): AsyncIterable<PastVisit>;
}

/** What a crawl that goes on still knows of the runs before. */
export interface EarlierRuns {
  /** The URLs that wait. */
  waiting(): Iterable<WaitingPlace>;
  /** What has changed since these got their places: what the user boosts, or the order as a whole. Absent: nothing. */
  readonly changed?: 'boosts' | 'order';
  /** Absent where the links were not kept. */
  readonly past?: PastVisits;
}

/**
 * Decides which URL comes first. It lives in the deciding thread and learns from every visit. `visited` is called before
 * `place` is asked of the page's new links. It never decides when a host may be asked: that is the frontier's.
 *
 * Memory is bounded: a few bytes for each waiting URL, and a graph with a limit of edges where one is kept.
 */
export interface CrawlOrder {
  /** Within one lane: first in first out, or last in first out. */
  readonly within: 'fifo' | 'lifo';
  /** Whether it ever returns changes: only then does the frontier keep what it takes to find a waiting URL. */
  readonly moves: boolean;
  place(task: CrawlTask, hints?: PlaceHints): Place;
  /** Learns from a visit; the changes are written in the transaction that settles it. */
  visited(visit: OrderedVisit): readonly PlaceChange[];
  /** Called now and then: what is computed afresh over the whole graph. */
  maintain(now: number): readonly PlaceChange[];
  /**
   * When a crawl goes on, after its seeds have been placed and before anything else is called. The changes are written as
   * they come. Some batches are empty, for the caller to look up from time to time: who leaves before the end must not go on
   * with this order.
   */
  restore(earlier: EarlierRuns): AsyncIterable<readonly PlaceChange[]>;
}
