import type { CrawlTotals } from '../../contracts/page-store.ts';

/** Between two looks. */
export interface RateStep {
  readonly from: number;
  readonly to: number;
  /** Per second. */
  readonly pages: number;
  readonly requests: number;
  readonly bytes: number;
}

interface Sample {
  readonly at: number;
  readonly pages: number;
  readonly requests: number;
  readonly bytes: number;
}

/** How far back the book goes. */
const RATES_MS = 10 * 60_000;
const LEAST_STEP_MS = 1000;
const MOST_SAMPLES = 400;

/** How fast a crawl goes, from what its totals were at each look. Kept in memory: a server that starts knows nothing yet. */
export class RateBook {
  #samples: Sample[] = [];

  note(at: number, { pages, requests, bytes }: CrawlTotals): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < LEAST_STEP_MS) return;
    // Another crawl in the same folder begins from nothing.
    if (last !== undefined && requests < last.requests) this.#samples = [];
    this.#samples.push({ at, pages, requests, bytes });
    const first = this.#samples.findIndex((sample) => at - sample.at <= RATES_MS);
    this.#samples = this.#samples.slice(Math.max(first, this.#samples.length - MOST_SAMPLES));
  }

  /** Over the last while, as far as it is known. */
  over(ms: number): RateStep | undefined {
    const last = this.#samples.at(-1);
    const first = this.#samples.find(({ at }) => last !== undefined && last.at - at <= ms);
    return last === undefined || first === undefined || first === last ? undefined : stepOf(first, last);
  }

  /** From look to look, oldest first. */
  steps(): RateStep[] {
    return this.#samples.slice(1).map((sample, at) => stepOf(this.#samples[at], sample));
  }
}

function stepOf(before: Sample, after: Sample): RateStep {
  const seconds = (after.at - before.at) / 1000;
  return {
    from: before.at,
    to: after.at,
    pages: (after.pages - before.pages) / seconds,
    requests: (after.requests - before.requests) / seconds,
    bytes: (after.bytes - before.bytes) / seconds,
  };
}
