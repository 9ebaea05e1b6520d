import type { CrawlProgress } from '../../contracts/events.ts';

/** An estimate that has not held for so long may be anything. */
const HELD_MS = 10_000;
const FEWEST_REQUESTS = 20;
/** Estimates of the last seconds that differ by more contradict each other. */
const GREATEST_RATIO = 2;

/** Lets an estimate of the time left through once it holds: no number is better than one that jumps. */
export class SteadyEstimate {
  readonly #recent: { readonly at: number; readonly leftMs: number }[] = [];

  /** The median of the last seconds; undefined while little has been seen or the estimates contradict each other. */
  of({ elapsedMs, requests }: CrawlProgress, leftMs: number | undefined): number | undefined {
    if (leftMs === undefined || requests < FEWEST_REQUESTS) {
      this.#recent.length = 0;
      return undefined;
    }
    this.#recent.push({ at: elapsedMs, leftMs });
    // One sample older than the window stays: it proves that the window is full.
    while (this.#recent.length > 1 && elapsedMs - this.#recent[1].at >= HELD_MS) this.#recent.shift();
    if (elapsedMs - this.#recent[0].at < HELD_MS) return undefined;
    const sorted = this.#recent.map((sample) => sample.leftMs).sort((a, b) => a - b);
    // Near the end a ratio says nothing: a few seconds more or less are no contradiction.
    const [least, most] = [sorted[0], sorted[sorted.length - 1]];
    if (most > GREATEST_RATIO * least + HELD_MS) return undefined;
    return sorted[Math.floor(sorted.length / 2)];
  }
}
