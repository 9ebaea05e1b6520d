import { subscribe } from 'node:diagnostics_channel';
import type { Clock } from '../../src/base/clock.ts';

/** Idle time passes faster and faster: in minutes at first, as pages are read; in hours at last, until the next visit is due. */
const FIRST_STEP_MS = 300_000;
const LAST_STEP_MS = 3_600_000;
/** A request that is open for so many turns of the event loop hangs, and time goes on. */
const MOST_TURNS = 500;

/** Requests of this process that are under way. */
const open = new Set<unknown>();
const requestOf = (message: unknown): unknown => (message as { request: unknown }).request;
subscribe('undici:request:create', (message) => void open.add(requestOf(message)));
for (const end of ['undici:request:trailers', 'undici:request:error'])
  subscribe(end, (message) => void open.delete(requestOf(message)));

/**
 * Time for crawls of real servers: weeks in seconds. It moves on by a step when somebody has slept for a turn of the event loop and no
 * request is under way. So it goes by what the crawl does, and a busy machine does not make its visits late.
 */
export class StepClock implements Clock {
  #now: number;
  #step = FIRST_STEP_MS;

  constructor(start = Date.now()) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const until = this.#now + ms;
    let turns = 0;
    do {
      await turn(signal);
      if (signal?.aborted) this.#step = FIRST_STEP_MS;
      else if (open.size === 0 || ++turns > MOST_TURNS) this.#advance(until);
    } while (signal?.aborted !== true && this.#now < until);
  }

  #advance(until: number): void {
    // Several may sleep: none of them makes time pass twice.
    if (this.#now >= until) return;
    this.#now += Math.max(this.#step, Math.min(until - this.#now, LAST_STEP_MS));
    this.#step = Math.min(2 * this.#step, LAST_STEP_MS);
  }
}

function turn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, 1);
    signal?.addEventListener('abort', end, { once: true });
  });
}
