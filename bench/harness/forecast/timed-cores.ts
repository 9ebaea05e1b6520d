import { SharedCores } from './shared-cores.ts';

/** The virtual time of a forecast. */
export interface ForecastClock {
  readonly now: number;
  /** Runs something when so much time has passed. */
  after(ms: number, run: () => void): void;
}

const ROUNDING_MS = 1e-6;

/** Shared cores that tell by themselves when a job ends. */
export class TimedCores {
  readonly #clock: ForecastClock;
  readonly #cores: SharedCores;
  /** Of the last look that was planned: those before it are void. */
  #looks = 0;

  constructor(clock: ForecastClock, cores: number) {
    this.#clock = clock;
    this.#cores = new SharedCores(cores);
  }

  /** Core-ms used so far. */
  get usedMs(): number {
    return this.#cores.usedMs;
  }

  run(workMs: number, done: () => void): void {
    this.#cores.advance(this.#clock.now);
    this.#cores.run(workMs, done);
    this.#plan();
  }

  #plan(): void {
    const look = ++this.#looks;
    if (this.#cores.nextEnd === Number.POSITIVE_INFINITY) return;
    this.#clock.after(Math.max(0, this.#cores.nextEnd - this.#clock.now), () => {
      if (look !== this.#looks) return;
      // Jobs may have begun and ended since, so that none ends now; what is due may be a rounding error away.
      const { now } = this.#clock;
      this.#cores.advance(Math.max(now, Math.min(this.#cores.nextEnd, now + ROUNDING_MS)));
      // A job that began meanwhile has planned the next look.
      if (look === this.#looks) this.#plan();
    });
  }
}

/** A thread: what it is given it does one after the other, on cores that it shares with others. */
export class ForecastThread {
  readonly #cores: Pick<TimedCores, 'run'>;
  readonly #jobs: { readonly ms: number; readonly done: () => void }[] = [];
  #first = 0;
  #isBusy = false;

  constructor(cores: Pick<TimedCores, 'run'>) {
    this.#cores = cores;
  }

  run(ms: number, done: () => void): void {
    this.#jobs.push({ ms, done });
    if (!this.#isBusy) this.#next();
  }

  /**
   * An answer or a timer: an event loop takes up all that is ready, then looks again. Pages that come while it works on others wait for all before them; whatever else comes
   * waits, on average, for half of what is left.
   */
  runBetween(ms: number, done: () => void): void {
    const waiting = this.#jobs.length - this.#first;
    this.#jobs.splice(this.#first + (waiting >> 1), 0, { ms, done });
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const job = this.#jobs[this.#first];
    if (job === undefined) {
      this.#isBusy = false;
      this.#jobs.length = 0;
      this.#first = 0;
      return;
    }
    this.#first++;
    this.#isBusy = true;
    this.#cores.run(job.ms, () => {
      job.done();
      this.#next();
    });
  }
}
