/** Time comes in through constructors, so that frontier and policies also run in virtual time. */
export interface Clock {
  /** Wall-clock milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts (it never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
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

/** A clock that goes back by more was wrong, before or now; by less those of machines are set right every now and then. */
export const CLOCK_SLACK_MS = 60_000;
