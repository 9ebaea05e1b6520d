const DAY = 86_400_000;
/** A mean interval has this many bins (in finer ones chance leaves gaps, and visits moved into those are uneven), */
const BINS_PER_INTERVAL = 16;
/** and this many are looked ahead: hardly any page waits longer. */
const INTERVALS_AHEAD = 16;
/** A visit is moved forward by at most this share of its interval, */
const MOST_FORWARD = 0.6;
/** and only to where less than this share is planned of what usually is by then. */
const SPARSE = 0.9;

/** Visits per day that are usually planned already for a time this many days ahead. */
export type UsualPlan = (daysAhead: number) => number;

export interface CalendarSnapshot {
  readonly binDays: number;
  /** Bin and visits. */
  readonly visits: readonly (readonly [number, number])[];
}

/**
 * How many visits are planned for when. Plans are made one by one for long ahead, at a price that changes meanwhile: all pages
 * of a young crawl are first looked at within one interval, the quiet ones are then planned for long after it, and between the
 * two there would be a time for which nearly nothing is planned. What is not used of a budget is lost; so visits are moved
 * forward into such times.
 */
export class VisitCalendar {
  readonly #visits = new Map<number, number>();
  #binDays = 1;
  #firstBin = Number.NEGATIVE_INFINITY;

  constructor(kept?: CalendarSnapshot) {
    if (kept === undefined) return;
    this.#binDays = kept.binDays;
    for (const [bin, visits] of kept.visits) this.#visits.set(bin, visits);
  }

  /** Pages are visited once in `days` on average. */
  setMeanInterval(days: number): void {
    const wanted = days / BINS_PER_INTERVAL;
    if (this.#binDays > wanted / 2 && this.#binDays < wanted * 2) return;
    const before = [...this.#visits];
    const binBefore = this.#binDays;
    this.#binDays = wanted;
    this.#firstBin = Number.NEGATIVE_INFINITY;
    this.#visits.clear();
    for (const [bin, visits] of before) this.#count((bin + 0.5) * binBefore, visits);
  }

  /** Enters a visit wanted at `at`: there, or earlier where little is planned, never before `soonest`. Returns when. */
  plan(now: number, at: number, usual: UsualPlan, soonest = now): number {
    const today = now / DAY;
    const day = at / DAY;
    this.#passTo(today);
    const last = Math.floor(day / this.#binDays);
    if (last > today / this.#binDays + INTERVALS_AHEAD * BINS_PER_INTERVAL) return at;
    let best = day;
    let least = SPARSE;
    const first = Math.max(day - MOST_FORWARD * (day - today), soonest / DAY - this.#binDays / 2);
    for (let bin = Math.floor(first / this.#binDays) + 1; bin < last; bin++) {
      const middle = (bin + 0.5) * this.#binDays;
      const expected = usual(middle - today) * this.#binDays;
      // Of less than one visit nobody can say that it is missing.
      const filled = expected > 1 ? (this.#visits.get(bin) ?? 0) / expected : 1;
      if (filled >= least) continue;
      least = filled;
      best = middle;
    }
    this.#count(best, 1);
    return best === day ? at : best * DAY;
  }

  /** A planned visit was given another time. */
  move(from: number, to: number): void {
    this.#count(from / DAY, -1);
    this.#count(to / DAY, 1);
  }

  toJSON(): CalendarSnapshot {
    return { binDays: this.#binDays, visits: [...this.#visits] };
  }

  #count(day: number, visits: number): void {
    const bin = Math.floor(day / this.#binDays);
    this.#visits.set(bin, Math.max(0, (this.#visits.get(bin) ?? 0) + visits));
  }

  /** What is past is of no interest, be it that the visits were made or that they are late. */
  #passTo(today: number): void {
    const bin = Math.floor(today / this.#binDays);
    if (bin <= this.#firstBin) return;
    this.#firstBin = bin;
    for (const key of this.#visits.keys()) if (key < bin) this.#visits.delete(key);
  }
}
