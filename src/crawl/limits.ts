/** When enough is enough. Infinity where there is no limit. */
export interface CrawlLimits {
  readonly maxPages: number;
  readonly maxBytes: number;
  readonly maxDurationMs: number;
}

/** The first limit that is reached, by the name of its setting. */
export function limitReached(limits: CrawlLimits, pages: number, bytes: number, elapsedMs: number): string | undefined {
  if (pages >= limits.maxPages) return 'max-pages';
  if (bytes >= limits.maxBytes) return 'max-bytes';
  if (elapsedMs >= limits.maxDurationMs) return 'max-duration';
  return undefined;
}
