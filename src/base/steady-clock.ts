import { uptime } from 'node:os';
import { CLOCK_SLACK_MS, type Clock, type ClockJump, type SleepSignal, systemClock } from './clock.ts';

/** What a machine knows of time, in ms. */
export interface TimeSource {
  /** The date; the user or a time server may set it at any moment. */
  date(): number;
  /** Never set, the same in all threads of a process. It may stop while the machine sleeps. */
  elapsed(): number;
  /** Since the machine was started, sleep included. */
  uptime(): number;
}

/** `performance.now()` counts from the start of its thread; this is the same in all threads. */
function processTime(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Sleep and jumps are looked for this often. */
const CHECK_EVERY_MS = 1000;
/** The two counters are read one after the other on a busy machine: less is no sleep. */
const SLEEP_SLACK_MS = 2000;
/** A date that went ahead by less was slewed, or read late. */
const NAP_MS = 100;

/** Places in the shared memory: what is added to `elapsed`, and how much of that the machine has slept. */
const OFFSET = 0;
const SLEPT = 1;

/**
 * The time of one run: the date at its start, plus the time that has passed since. It never falls and never jumps with
 * the system clock, so that no rest of a host is cut short and no wait grows. Time in which the machine slept counts.
 *
 * Page threads share the memory of the clock that the main thread made (`shared`), so that all read the same time. That
 * one alone looks for sleep and jumps.
 */
export class SteadyClock implements Clock {
  readonly shared: SharedArrayBuffer;
  readonly #time: TimeSource;
  readonly #values: Float64Array;
  readonly #owns: boolean;
  readonly #awake: number;
  readonly #jumps: ClockJump[] = [];
  #checkedAt: number;
  #ahead = 0;
  /** The uptime as it was last read, when that was, and by how much the date was ahead then. */
  #uptime = { elapsed: Number.NEGATIVE_INFINITY, ahead: 0, value: 0 };

  constructor(time: Partial<TimeSource> = {}, shared?: SharedArrayBuffer) {
    this.#time = { date: () => Date.now(), elapsed: processTime, uptime: () => uptime() * 1000, ...time };
    this.#owns = shared === undefined;
    this.shared = shared ?? new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
    this.#values = new Float64Array(this.shared);
    this.#checkedAt = this.#time.elapsed();
    this.#awake = this.#time.uptime() - this.#checkedAt;
    if (this.#owns) this.#values[OFFSET] = this.#time.date() - this.#checkedAt;
  }

  /** Whole milliseconds. Close to the date while nobody sets the system clock. */
  now(): number {
    const elapsed = this.#time.elapsed();
    if (this.#owns && elapsed - this.#checkedAt >= CHECK_EVERY_MS) this.#check(elapsed);
    return Math.floor(this.#values[OFFSET] + elapsed);
  }

  sleep(ms: number, signal?: SleepSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  date(): number {
    return this.#time.date();
  }

  /**
   * Every transaction notes it, and to ask the machine is to read a file: it is asked once a second, and where the date went ahead by itself,
   * as it does when the machine has slept.
   */
  uptime(): number {
    const elapsed = this.#time.elapsed();
    const ahead = this.#time.date() - elapsed;
    const read = this.#uptime;
    if (elapsed - read.elapsed >= CHECK_EVERY_MS || Math.abs(ahead - read.ahead) >= NAP_MS)
      this.#uptime = { elapsed, ahead, value: this.#time.uptime() };
    return this.#uptime.value + elapsed - this.#uptime.elapsed;
  }

  slept(): number {
    return this.#values[SLEPT];
  }

  takeJumps(): ClockJump[] {
    return this.#jumps.splice(0);
  }

  #check(elapsed: number): void {
    this.#checkedAt = elapsed;
    const sleep = this.#time.uptime() - elapsed - this.#awake - this.#values[SLEPT];
    if (sleep > SLEEP_SLACK_MS) {
      this.#values[SLEPT] += sleep;
      this.#values[OFFSET] += sleep;
      this.#jumps.push({ kind: 'slept', ms: sleep });
    }
    const ahead = this.#time.date() - (this.#values[OFFSET] + elapsed);
    if (Math.abs(ahead - this.#ahead) <= CLOCK_SLACK_MS) return;
    this.#jumps.push({ kind: 'set', ms: ahead - this.#ahead });
    this.#ahead = ahead;
  }
}
