import type { Clock } from '../../base/clock.ts';
import { measureProcessorTime } from '../../base/processor-time.ts';

/** Of the time of a processor, where nothing else is asked for. */
const COST_SHARE = 0.05;

/** One look for all readers: taken again when the last is older than it may be. One that was costly is shared for longer. */
export class SharedLook<T> {
  readonly #clock: Clock;
  readonly #ageMs: number;
  readonly #look: (at: number) => Promise<T>;
  readonly #costShare: number;
  /** The first look costs more than those that follow, for nothing is warm: it says little of what they cost. */
  #isFirst = true;
  #last: { readonly look: Promise<T>; readonly goodUntil: number } | undefined;

  /** `costShare`: at most this part of the time of a processor goes into looking. */
  constructor(clock: Clock, ageMs: number, look: (at: number) => Promise<T>, costShare = COST_SHARE) {
    this.#clock = clock;
    this.#ageMs = ageMs;
    this.#look = look;
    this.#costShare = costShare;
  }

  take(): Promise<T> {
    const now = this.#clock.now();
    if (this.#last !== undefined && now < this.#last.goodUntil) return this.#last.look;
    const spent = measureProcessorTime();
    const look = this.#look(now);
    this.#last = { look, goodUntil: Number.POSITIVE_INFINITY };
    const end = (): void => {
      const costMs = this.#isFirst ? 0 : spent() / this.#costShare;
      this.#isFirst = false;
      this.#last = { look, goodUntil: this.#clock.now() + Math.max(this.#ageMs, costMs) };
    };
    // One that failed is not kept.
    look.then(end, () => {
      this.#last = undefined;
    });
    return look;
  }
}
