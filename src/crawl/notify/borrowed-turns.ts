import type { Clock } from '../../base/clock.ts';
import type { HostRecord } from '../../contracts/page-store.ts';
import type { HostKey } from '../../contracts/url.ts';

/** The host as the state of the crawl has it. */
export interface HostClock extends Pick<HostRecord, 'dueAt' | 'holdUntil'> {
  /** A request of the crawl is under way. */
  readonly leased: boolean;
  /** Rest that it has after a request. */
  readonly delayMs: number;
}

export interface BorrowedTurnsParts {
  readonly clock: Clock;
  /** Undefined for a host that the crawl does not know. */
  readonly clockOf: (host: HostKey) => Promise<HostClock | undefined>;
  /** False where surely no crawl runs that could answer. */
  readonly mayAnswer: () => boolean;
  /** Asks a crawl of the folder, should one run, to let the host rest until then. */
  readonly announce: (host: HostKey, until: number) => Promise<void>;
  /** Rest of a host that is not known. */
  readonly usualDelayMs: number;
}

/** A crawl that runs looks for words every second; without an answer in this time there is none. */
const ANSWERED_WITHIN_MS = 5000;
/** No host is waited for longer. */
const MOST_WAIT_MS = 60_000;
/** A request must be over by then, for the crawl asks again after its rest. */
export const TURN_MS = 10_000;
const LOOK_EVERY_MS = 250;
const HOSTS_KEPT = 10_000;

/**
 * Requests to hosts of a crawl by another process than the crawl's. The crawl owns the clock of a host: it is told to let the
 * host rest, its answer shows in the state, and the request is sent in that rest. Where no crawl runs, the clocks that it has
 * left in the state hold. One request at a time for each host, each followed by a whole rest.
 */
export class BorrowedTurns {
  readonly #parts: BorrowedTurnsParts;
  readonly #last = new Map<HostKey, Promise<unknown>>();
  readonly #restUntil = new Map<HostKey, number>();

  constructor(parts: BorrowedTurnsParts) {
    this.#parts = parts;
  }

  /** Sends `request` when the host may be asked; undefined where that is not within a minute. */
  async use<T>(host: HostKey, request: () => Promise<T>): Promise<T | undefined> {
    const before = this.#last.get(host);
    const turn = (async () => {
      await before;
      return await this.#take(host, request);
    })();
    const settled = turn.catch(() => undefined);
    this.#last.set(host, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(host) === settled) this.#last.delete(host);
    }
  }

  async #take<T>(host: HostKey, request: () => Promise<T>): Promise<T | undefined> {
    const { clock, clockOf, announce, mayAnswer, usualDelayMs } = this.#parts;
    const giveUpAt = clock.now() + MOST_WAIT_MS;
    // A hold that the host itself has asked for is waited out first: it cannot be told from ours afterwards.
    if (!(await this.#wait(giveUpAt, async () => this.#restOf(host, await clockOf(host))))) return undefined;
    const delayMs = (await clockOf(host))?.delayMs ?? usualDelayMs;
    const until = clock.now() + ANSWERED_WITHIN_MS + TURN_MS + delayMs;
    await announce(host, until);
    const isHeld = async (): Promise<number> => (((await clockOf(host))?.holdUntil ?? 0) >= until ? 0 : 1);
    if (mayAnswer()) await this.#wait(clock.now() + ANSWERED_WITHIN_MS, isHeld);
    const isFree = async (): Promise<number> => {
      const held = await clockOf(host);
      return held?.leased === true ? 1 : (held?.dueAt ?? 0) - clock.now();
    };
    if (!(await this.#wait(until - delayMs - TURN_MS, isFree))) return undefined;
    try {
      return await request();
    } finally {
      const rested = clock.now() + delayMs;
      if (this.#restUntil.size >= HOSTS_KEPT) this.#restUntil.clear();
      this.#restUntil.set(host, rested);
      await announce(host, rested);
    }
  }

  /** How long it must rest still, by what the crawl knows and by our own requests, ms. */
  #restOf(host: HostKey, held: HostClock | undefined): number {
    const until = Math.max(held?.dueAt ?? 0, held?.holdUntil ?? 0, this.#restUntil.get(host) ?? 0);
    return until - this.#parts.clock.now();
  }

  /** Until nothing is left to wait for; false where that is not before `end`. */
  async #wait(end: number, left: () => Promise<number>): Promise<boolean> {
    const { clock } = this.#parts;
    for (;;) {
      const ms = await left();
      if (ms <= 0) return true;
      if (clock.now() + Math.min(ms, LOOK_EVERY_MS) > end) return false;
      await clock.sleep(Math.min(ms, LOOK_EVERY_MS));
    }
  }
}
