import { BinaryHeap } from '../../../src/base/binary-heap.ts';

interface CoreJob {
  /** It ends when every job has been given so much since the beginning. */
  readonly endsAt: number;
  readonly order: number;
  readonly done: () => void;
}

/**
 * Processors that all who want them share evenly, in virtual time: nobody has more than one core, and where more jobs are under way than there are
 * cores, each is slowed down alike.
 */
export class SharedCores {
  readonly #cores: number;
  readonly #jobs = new BinaryHeap<CoreJob>((a, b) => (a.endsAt === b.endsAt ? a.order < b.order : a.endsAt < b.endsAt));
  /** Core-ms that each job under way has been given since the beginning. */
  #given = 0;
  #now = 0;
  #order = 0;
  #usedMs = 0;

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** Core-ms used so far. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** When the next job ends if none comes before; Infinity where there is none. */
  get nextEnd(): number {
    const next = this.#jobs.peek();
    return next === undefined ? Number.POSITIVE_INFINITY : this.#now + (next.endsAt - this.#given) / this.#rate;
  }

  run(workMs: number, done: () => void): void {
    this.#jobs.push({ endsAt: this.#given + Math.max(0, workMs), order: this.#order++, done });
  }

  /** Time goes on to here, and no further than `nextEnd`; whoever ends then is told. */
  advance(now: number): void {
    if (this.#jobs.size > 0) {
      const given = (now - this.#now) * this.#rate;
      this.#given += given;
      this.#usedMs += given * this.#jobs.size;
    }
    this.#now = now;
    for (
      let next = this.#jobs.peek();
      next !== undefined && next.endsAt <= this.#given + 1e-9;
      next = this.#jobs.peek()
    ) {
      this.#jobs.pop();
      next.done();
    }
  }

  get #rate(): number {
    return Math.min(1, this.#cores / Math.max(1, this.#jobs.size));
  }
}
