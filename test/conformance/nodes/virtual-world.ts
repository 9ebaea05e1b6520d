import { setImmediate as microtasksDone } from 'node:timers/promises';
import { BinaryHeap } from '../../../src/base/binary-heap.ts';
import type { Clock } from '../../../src/base/clock.ts';

interface WorldEvent {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Time, chance and the order of all events, from one seed: the same seed is the same history. */
export class VirtualWorld {
  readonly #events = new BinaryHeap<WorldEvent>((a, b) => (a.at === b.at ? a.order < b.order : a.at < b.at));
  #now = 1_800_000_000_000;
  #order = 0;
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  get now(): number {
    return this.#now;
  }

  /** That of the store, which is the true one. */
  readonly clock: Clock = { now: () => this.#now, sleep: (ms) => this.wait(ms) };

  /** From 0 to 1 (mulberry32). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  pick<T>(some: readonly T[]): T {
    return some[this.between(0, some.length - 1)];
  }

  after(ms: number, run: () => void): void {
    this.#events.push({ at: this.#now + Math.max(0, ms), order: this.#order++, run });
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** One event after the other, each with all that follows from it at once, until `isOver` or a time. */
  async run(isOver: () => boolean, until: number): Promise<void> {
    for (;;) {
      await microtasksDone();
      const next = this.#events.peek();
      if (isOver() || next === undefined || next.at > until) return;
      this.#events.pop();
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
  }
}

/** A process of the world: killed, nothing of it goes on; stopped, nothing until it is continued. */
export class VirtualProcess {
  readonly world: VirtualWorld;
  /** What its clock is ahead. */
  readonly skewMs: number;
  #isDead = false;
  #stoppedUntil = 0;

  constructor(world: VirtualWorld, skewMs: number) {
    this.world = world;
    this.skewMs = skewMs;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isStopped(): boolean {
    return this.world.now < this.#stoppedUntil;
  }

  /** It is stopped, or was until just now. */
  get hasBeenStopped(): boolean {
    return this.world.now <= this.#stoppedUntil + 1;
  }

  kill(): void {
    this.#isDead = true;
  }

  stop(ms: number): void {
    this.#stoppedUntil = Math.max(this.#stoppedUntil, this.world.now + ms);
  }

  readonly clock: Clock = {
    now: () => this.world.now + this.skewMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        void this.wait(ms).then(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
  };

  /** Goes on after so long, where it still can. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const arrive = (): void => {
        if (this.#isDead) return;
        const left = this.#stoppedUntil - this.world.now;
        if (left > 0) this.world.after(left, arrive);
        else resolve();
      };
      this.world.after(ms, arrive);
    });
  }
}
