import type { Clock } from '../src/base/clock.ts';

/** Time that runs so many times as fast as that of another clock: weeks of a crawl in minutes. */
export class ScaledClock implements Clock {
  readonly #clock: Clock;
  readonly #factor: number;
  readonly #start: number;

  constructor(clock: Clock, factor: number) {
    this.#clock = clock;
    this.#factor = factor;
    this.#start = clock.now();
  }

  now(): number {
    return this.#start + (this.#clock.now() - this.#start) * this.#factor;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms / this.#factor, signal);
  }
}
