const DAY = 86_400_000;
/** What was not used is saved up for so long; beyond that it is lost, so that no night ends in a rush. */
const SAVED_DAYS = 1 / 24;

/** What is left, and when that was so. Plain data. */
export interface RequestBudgetSnapshot {
  readonly saved: number;
  readonly at: number;
}

/**
 * Requests that may be made by now, out of this many a day: a bucket that fills evenly. It begins empty, or as an earlier run
 * has left it, so that no number of restarts makes more requests than the budget has, nor fewer.
 */
export class RequestAllowance {
  readonly #perDay: () => number;
  #saved = 0;
  #at: number;

  /** `perDay` may change as time goes by. */
  constructor(perDay: () => number, now: number) {
    this.#perDay = perDay;
    this.#at = now;
  }

  /** Goes on where an earlier run ended; what cannot be read counts as nothing. */
  resume(kept: unknown, now: number): void {
    const { saved, at } = (kept ?? {}) as Partial<RequestBudgetSnapshot>;
    if (typeof saved !== 'number' || typeof at !== 'number' || !Number.isFinite(saved + at)) return;
    this.#saved = saved;
    this.#at = Math.min(at, now);
    this.#fill(now);
  }

  toJSON(): RequestBudgetSnapshot {
    return { saved: this.#saved, at: this.#at };
  }

  /** Whole requests that may be made now. */
  available(now: number): number {
    this.#fill(now);
    return Math.floor(this.#saved);
  }

  spend(requests: number): void {
    this.#saved -= requests;
  }

  /** When the next request may be made; `now` where one may be made at once. */
  nextAt(now: number): number {
    this.#fill(now);
    if (this.#saved >= 1) return now;
    const perDay = this.#perDay();
    return perDay <= 0 ? Number.POSITIVE_INFINITY : now + Math.ceil(((1 - this.#saved) * DAY) / perDay);
  }

  #fill(now: number): void {
    const perDay = this.#perDay();
    const gained = (Math.max(0, now - this.#at) * perDay) / DAY;
    this.#at = now;
    this.#saved =
      perDay === Number.POSITIVE_INFINITY ? perDay : Math.min(this.#saved + gained, Math.max(1, perDay * SAVED_DAYS));
  }
}
