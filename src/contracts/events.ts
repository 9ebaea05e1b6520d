import type { Harvest } from './content/topic.ts';
import type { Claim, Outcome, Pushback } from './crawl-task.ts';
import type { FrontierCounts } from './frontier.ts';

/** Typed notices. They report, they never steer: a listener that throws cannot change the crawl. */
export interface CrawlEvents {
  settled: {
    readonly claim: Claim;
    readonly outcome: Outcome;
    readonly bytes: number;
    readonly status?: number;
    /** The host asked for less, or could not be reached. */
    readonly pushback?: Pushback;
    /** When a URL that failed is tried again. */
    readonly retryAt?: number;
  };
  warning: { readonly code: string; readonly message: string };
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
