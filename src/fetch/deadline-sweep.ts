import type { Clock } from '../base/clock.ts';

/** Something with deadlines of its own, looked at from time to time. */
export interface Watched {
  /** `now` is that of the sweep, not that of the clock. */
  check(now: number): void;
}

/** A sweep that comes later than this means that this process was busy, not that the network was silent. */
const LATE_MS = 100;

/** One coarse timer for all requests, instead of several each: deadlines hold to within one tick. Idle when unused. */
export class DeadlineSweep {
  readonly #clock: Clock;
  readonly #tickMs: number;
  readonly #watched = new Set<Watched>();
  #running = false;
  #tickAt = Number.POSITIVE_INFINITY;
  #lostMs = 0;

  constructor(clock: Clock, tickMs: number) {
    this.#clock = clock;
    this.#tickMs = tickMs;
  }

  /**
   * The time without what this process was too busy to look at the network: what has come meanwhile lies unread. Deadlines of
   * servers are counted in it, so that none pays for what we do with the page of another.
   */
  now(): number {
    const now = this.#clock.now();
    return now - this.#lostMs - this.#late(now);
  }

  watch(item: Watched): void {
    this.#watched.add(item);
    if (!this.#running) {
      this.#running = true;
      void this.#run();
    }
  }

  unwatch(item: Watched): void {
    this.#watched.delete(item);
  }

  async #run(): Promise<void> {
    while (this.#watched.size > 0) {
      this.#tickAt = this.#clock.now() + this.#tickMs;
      await this.#clock.sleep(this.#tickMs);
      this.#lostMs += this.#late(this.#clock.now());
      this.#tickAt = Number.POSITIVE_INFINITY;
      const now = this.now();
      for (const item of this.#watched) item.check(now);
    }
    this.#running = false;
  }

  #late(now: number): number {
    const late = now - this.#tickAt;
    return late > LATE_MS ? late : 0;
  }
}
