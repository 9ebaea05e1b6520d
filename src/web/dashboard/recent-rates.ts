import type { CrawlLook } from './crawl-watch.ts';

export interface RecentRates {
  /** Per second. */
  readonly pages?: number;
  readonly requests?: number;
  readonly bytes?: number;
  /** Of the crawling process, in bytes. */
  readonly memory?: number;
}

const RECENT_MS = 10_000;

/** The pace of the last seconds, from the last samples to this look; nothing where the crawl does not run. */
export function recentRates({ at, ended, totals, monitor }: CrawlLook): RecentRates {
  const samples = monitor?.samples ?? [];
  const last = samples.at(-1);
  if (ended !== undefined || last === undefined || at - last.at > RECENT_MS) return {};
  const first = samples.find((sample) => sample.run === last.run && at - sample.at <= RECENT_MS) ?? last;
  const seconds = (at - first.at) / 1000;
  if (seconds < 1) return { memory: last.memory };
  return {
    pages: Math.max(0, totals.pages - first.pages) / seconds,
    requests: Math.max(0, totals.requests - first.requests) / seconds,
    bytes: Math.max(0, totals.bytes - first.bytes) / seconds,
    memory: last.memory,
  };
}
