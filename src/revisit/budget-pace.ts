const DAY = 86_400_000;
/** This many mean intervals are looked back on. */
const LOOK_BACK = 1;
const MIN_LOOK_BACK_DAYS = 1;
/** Visits may come in batches, so that what is seen of them on the way must not count for much. */
const MAX_CORRECTION = 1.1;

/**
 * How far the visits made keep up with the budget. Plans are made for intervals ahead, by rates and a population that change
 * meanwhile; what they fall short of or exceed the budget by is seen here and made good by the plans to come.
 */
export class BudgetPace {
  readonly #began: number;
  #at: number;
  #visits = 0;
  #days = 0;

  constructor(now: number) {
    this.#began = now;
    this.#at = now;
  }

  /** A visit to a known page was made, while pages are visited once in `interval` days on average. */
  visited(at: number, interval: number): void {
    const days = Math.max(0, at - this.#at) / DAY;
    const keep = Math.exp(-days / Math.max(MIN_LOOK_BACK_DAYS, interval * LOOK_BACK));
    this.#visits = this.#visits * keep + 1;
    this.#days = this.#days * keep + days;
    this.#at = at;
  }

  /** By what the budget is to be multiplied for the next plans, so that visits as they are come to it. */
  correction(requestsPerDay: number): number {
    const enough = this.#days * requestsPerDay > 30 && this.#at - this.#began > MIN_LOOK_BACK_DAYS * DAY;
    if (!enough || this.#visits === 0) return 1;
    const wanted = (this.#days * requestsPerDay) / this.#visits;
    return Math.min(MAX_CORRECTION, Math.max(1 / MAX_CORRECTION, wanted));
  }
}
