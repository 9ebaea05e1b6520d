import type { MeasuredThread } from '../base/thread-use.ts';
import type { Harvest } from './content/topic.ts';
import type { Claim, HostUse, Outcome, Pushback } from './crawl-task.ts';
import type { FrontierCounts } from './frontier.ts';

/** Typed notices. They report, they never steer: a listener that throws cannot change the crawl. */
export interface CrawlEvents {
  settled: {
    readonly claim: Claim;
    readonly outcome: Outcome;
    readonly bytes: number;
    readonly status?: number;
    /** What it cost the host; absent where no request was made. */
    readonly use?: HostUse;
    /** When the visit was written, by the clock of the crawl. */
    readonly at: number;
    /** When each stage began and ended; of visits that are traced. */
    readonly stages?: readonly StageTime[];
    /** The host asked for less, or could not be reached. */
    readonly pushback?: Pushback;
    /** When a URL that failed is tried again. */
    readonly retryAt?: number;
  };
  warning: { readonly code: string; readonly message: string };
}

/** A stage of a visit, in ms since the epoch. */
export interface StageTime {
  readonly stage: 'robots' | 'fetch' | 'extract' | 'archive';
  readonly from: number;
  readonly to: number;
}

/** What a thread of a crawl has used. */
export type ThreadUse = MeasuredThread;

/** How many requests at once the machine carries, by the crawl's own look at itself. */
export interface CrawlLoad {
  /** Of `most`, which is `concurrency`. */
  readonly allowed: number;
  readonly most: number;
  /** How late the deciding thread gets to what is due, in ms. */
  readonly lagMs: number;
  /** Why fewer are allowed. */
  readonly why?: 'late' | 'memory' | 'network';
}

export interface CrawlProgress {
  readonly elapsedMs: number;
  readonly pages: number;
  readonly requests: number;
  readonly bytes: number;
  readonly failed: number;
  readonly refused: number;
  readonly pagesPerSecond: number;
  readonly frontier: FrontierCounts;
  readonly inFlight: number;
  readonly nextDue?: number;
  /** Of a focused crawl. */
  readonly harvest?: Harvest;
  /** Texts that a new one is compared with; absent where none are compared. */
  readonly compared?: number;
}
