const DAY = 86_400_000;
/** So much of a mean interval is looked back on, and this many visits at the least. */
const LOOK_BACK = 0.5;
const LEAST_VISITS = 30;
/** How often in a mean interval the share is thought over. */
const TIMES_PER_INTERVAL = 8;
/** The budget counts as used up if so much of it is. */
const USED = 0.975;
/** Too small a share is raised so far, and not made so small again soon. */
const MORE = 1.5;
const LESS = 0.97;
const CAUTION_FADES = 0.995;
const LEAST_SHARE = 0.1;
/** Not quite their even share: were all pages such, there would be no price at which they take just the budget. */
const MOST_SHARE = 0.97;

/**
 * What pages get that change too fast to be worth their price, as a share of what even visits would give them. Whether a page is
 * so fast is an estimate, the price changes, and a page that was put off for long is not there when it has fallen: requests
 * would be left over that nobody asks for. So such pages begin with their even share, and lose it only while the budget is
 * used up without them.
 */
export class SpareVisits {
  #share: number;
  #floor = LEAST_SHARE;
  #at: number;
  #thoughtAt: number;
  #visits = 0;
  #days = 0;

  constructor(now: number, kept = MOST_SHARE) {
    this.#share = kept;
    this.#at = now;
    this.#thoughtAt = now;
  }

  get share(): number {
    return this.#share;
  }

  /** A visit to a known page was made, while pages are visited once in `interval` days on average. True: the share is another. */
  visited(at: number, interval: number, requestsPerDay: number): boolean {
    // The clock was set back: what was thought over in the future would not be thought over again until then.
    this.#thoughtAt = Math.min(this.#thoughtAt, at);
    const days = Math.max(0, at - this.#at) / DAY;
    const lookBack = Math.max(LOOK_BACK * interval, LEAST_VISITS / requestsPerDay);
    const keep = Math.exp(-days / lookBack);
    this.#visits = this.#visits * keep + 1;
    this.#days = this.#days * keep + days;
    this.#at = at;
    if (at - this.#thoughtAt < (interval * DAY) / TIMES_PER_INTERVAL || this.#days < lookBack / 2) return false;
    this.#thoughtAt = at;
    const isUsed = this.#visits >= USED * this.#days * requestsPerDay;
    const before = this.#share;
    this.#floor = Math.max(LEAST_SHARE, isUsed ? this.#floor * CAUTION_FADES : Math.min(MOST_SHARE, before * MORE));
    this.#share = Math.max(this.#floor, before * LESS);
    return this.#share !== before;
  }
}
