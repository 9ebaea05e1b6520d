/** When enough is enough. Infinity where there is no limit. */
export interface CrawlLimits {
  readonly maxPages: number;
  /** Known pages are visited again when there are as many as may be, or nothing on topic comes: only new ones are not taken in. */
  readonly goesOn?: boolean;
  /** The crawl has no end: nobody is too slow to be waited for. */
  readonly endless?: boolean;
  readonly maxBytes: number;
  readonly maxDurationMs: number;
  /** Nobody waits longer for the next host that may be asked. */
  readonly maxWaitMs: number;
}

/** The first limit that is reached, by the name of its setting. */
export function limitReached(limits: CrawlLimits, pages: number, bytes: number, elapsedMs: number): string | undefined {
  if (pages >= limits.maxPages && limits.goesOn !== true) return 'max-pages';
  if (bytes >= limits.maxBytes) return 'max-bytes';
  if (elapsedMs >= limits.maxDurationMs) return 'max-duration';
  return undefined;
}
