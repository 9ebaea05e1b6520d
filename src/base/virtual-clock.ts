import { BinaryHeap } from './binary-heap.ts';
import type { Clock, SleepSignal } from './clock.ts';

/** Time that moves only when told to: for tests and simulations. */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #sleepers = new BinaryHeap<{ at: number; order: number; wake: () => void }>((a, b) =>
    a.at === b.at ? a.order < b.order : a.at < b.at,
  );

  constructor(start = 1_800_000_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: SleepSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      this.#sleepers.push({ at: this.#now + Math.max(0, ms), order: this.#order++, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Moves time on, waking sleepers in order. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let next = this.#sleepers.peek(); next !== undefined && next.at <= target; next = this.#sleepers.peek()) {
      this.#sleepers.pop();
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = target;
  }

  /** Sets time to an instant that is not in the past. */
  advanceTo(at: number): void {
    this.advance(Math.max(0, at - this.#now));
  }
}
