/** When enough is enough. Infinity where there is no limit. */
export interface CrawlLimits {
  readonly maxPages: number;
  /** Known pages are visited again when there are as many as may be, or nothing on topic comes: only new ones are not taken in. */
  readonly keepsRevisiting?: boolean;
  /** The crawl has no end: nobody is too slow to be waited for. */
  readonly endless?: boolean;
  readonly maxBytes: number;
  readonly maxDurationMs: number;
  /** Nobody waits longer for the next host that may be asked. */
  readonly maxWaitMs: number;
}
