/** Time comes in through constructors, so that frontier and policies also run in virtual time. */
export interface Clock {
  /** Milliseconds since the epoch. Waits and limits are measured with it; that of a crawl never falls (steady-clock.ts). */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts (it never rejects). */
  sleep(ms: number, signal?: SleepSignal): Promise<void>;
  /** The date by the system clock, for what is written down as a date; `now` where it is missing. */
  date?(): number;
  /** Milliseconds since the machine was started, sleep included. */
  uptime?(): number;
  /** Milliseconds that the machine has slept so far; `now` went ahead by as much at once. */
  slept?(): number;
  /** What happened to the system clock since the last call. */
  takeJumps?(): ClockJump[];
}

/** What ends a sleep early: an AbortSignal, or a `Call`. */
export interface SleepSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface ClockJump {
  /** Somebody set the clock, or the machine slept. */
  readonly kind: 'set' | 'slept';
  /** Negative where the clock was set back. */
  readonly ms: number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(done, Math.min(Math.max(0, ms), 0x7fffffff));
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      signal?.addEventListener('abort', done, { once: true });
    });
  },
};

/**
 * Ends the sleeps that hear it. For who rests many times a second: an AbortController, which makes an event for its call, takes three times
 * as long.
 */
export class Call implements SleepSignal {
  #listeners: (() => void)[] = [];
  #aborted = false;

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }

  call(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}

/** A clock that goes back by more was wrong, before or now; by less those of machines are set right every now and then. */
export const CLOCK_SLACK_MS = 60_000;

/** By less, the date and the time of a run differ because clocks are slewed and read one after the other. */
const DATE_SLACK_MS = 1000;

/** The date by the system clock of an instant of `clock.now()`, as far as the clock was set meanwhile. */
export function dateOf(clock: Clock, at: number): number {
  const ahead = clock.date === undefined ? 0 : clock.date() - clock.now();
  return Math.abs(ahead) > DATE_SLACK_MS ? at + ahead : at;
}
