import type { CrawlTask } from './crawl-task.ts';
import type { Link } from './page.ts';
import type { Place, PlaceChange, WaitingPlace } from './place.ts';

/** A visit as an order sees it. */
export interface OrderedVisit {
  readonly task: CrawlTask;
  readonly fingerprint: bigint;
  readonly at: number;
  /** It has content; otherwise nothing was found there, and `links` is empty. */
  readonly found: boolean;
  /** Of its links, each once, those that may be followed, known or not. */
  readonly links: BigUint64Array;
  /** Places in `links` of those that are neither known nor refused for good. They are new only if `place` is asked of them. */
  readonly unknown: readonly number[];
  /** How far the page is on the topic, 0 to 1; with a focused crawl only. */
  readonly relevance?: number;
  /** For each link what its words promise, 0 to 1; with a focused crawl only. */
  readonly promise?: Float32Array;
}

/** What is known of a new URL beside its task. */
export interface PlaceHints {
  readonly link?: Link;
  /** What the words around its link promise, 0 to 1. */
  readonly promise?: number;
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
  tend(now: number): readonly PlaceChange[];
  /** When a crawl goes on: the waiting URLs, before anything else is called. */
  restore(waiting: Iterable<WaitingPlace>): void;
}
