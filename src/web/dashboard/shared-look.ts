import type { Clock } from '../../base/clock.ts';
import { measureProcessorTime } from '../../base/processor-time.ts';

/** A look that was costly is shared for longer: at most one part in this many of the time of a processor goes into looking. */
const COST_SHARE = 20;

/** One look for all readers: taken anew when the last is older than it may be. */
export class SharedLook<T> {
  readonly #clock: Clock;
  readonly #ageMs: number;
  readonly #look: (at: number) => Promise<T>;
  #last: { readonly look: Promise<T>; readonly goodUntil: number } | undefined;

  constructor(clock: Clock, ageMs: number, look: (at: number) => Promise<T>) {
    this.#clock = clock;
    this.#ageMs = ageMs;
    this.#look = look;
  }

  take(): Promise<T> {
    const now = this.#clock.now();
    if (this.#last !== undefined && now < this.#last.goodUntil) return this.#last.look;
    const spent = measureProcessorTime();
    const look = this.#look(now);
    this.#last = { look, goodUntil: Number.POSITIVE_INFINITY };
    const end = (): void => {
      this.#last = { look, goodUntil: this.#clock.now() + Math.max(this.#ageMs, spent() * COST_SHARE) };
    };
    // One that failed is not kept.
    look.then(end, () => {
      this.#last = undefined;
    });
    return look;
  }
}
