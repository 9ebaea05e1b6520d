import type { Clock } from '../base/clock.ts';

/** Something with deadlines of its own, looked at from time to time. */
export interface Watched {
  check(now: number): void;
}

/** A sweep that comes later than this means that this process was busy, not that the network was silent. */
const LATE_MS = 1000;

/**
 * One coarse timer for all requests under way, instead of several per request. Deadlines are therefore kept to within
 * one tick. The timer runs only while there is something to watch.
 */
export class DeadlineSweep {
  readonly #clock: Clock;
  readonly #tickMs: number;
  readonly #watched = new Set<Watched>();
  #running = false;

  constructor(clock: Clock, tickMs: number) {
    this.#clock = clock;
    this.#tickMs = tickMs;
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
    let late = false;
    while (this.#watched.size > 0) {
      const before = this.#clock.now();
      await this.#clock.sleep(this.#tickMs);
      const now = this.#clock.now();
      // Bytes may lie unread in the kernel: give them one turn of the event loop before judging.
      late = !late && now - before > this.#tickMs + LATE_MS;
      if (late) continue;
      for (const item of this.#watched) item.check(now);
    }
    this.#running = false;
  }
}
