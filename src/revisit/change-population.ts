import { type ChangeForecast, FADING_DAYS, steadyChanges } from './change-forecast.ts';

/** A page's share in what the population knows. Plain numbers, kept with its history. */
export interface PageEvidence {
  /** Changes, corrected for those that no visit saw, and the days in which they happened. */
  readonly changes: number;
  readonly days: number;
}

/** How many changes the first guess of the mean rate weighs. */
const FIRST_CHANGES = 5;
const MIN_SHAPE = 0.08;
const MAX_SHAPE = 12;
/** What a change says of changes soon after it, and of the page's steady rate, before the population has shown it. */
const FIRST_SHARES: readonly number[] = [0.6, 0.1, 0.1, 0.1, 0.05];
/** How many changes these first guesses weigh. */
const FIRST_SHARES_WEIGHT = 30;
/** After this many visits what they showed of the shares has faded to a third. */
const SHARES_MEMORY = 300_000;

interface PopulationSnapshot {
  readonly changes: number;
  readonly days: number;
  readonly squares: number;
  readonly products: number;
  readonly daySquares: number;
  readonly seen: readonly number[];
  readonly expected: readonly number[];
}

/**
 * What all pages together teach about one: how often pages change and how much they differ in it (a gamma distribution, which
 * replaces what is not known of a page), and how far a change foretells further ones. Both are found from the visits as
 * they come, so that no constant here is fitted to a site.
 */
export class ChangePopulation {
  #changes = 0;
  #days = 0;
  #squares = 0;
  #products = 0;
  #daySquares = 0;
  /** Per part of the forecast (the steady one first): changes that it explained, and that it would have foretold at share 1. */
  readonly #seen: number[];
  readonly #expected: number[];

  /** Changes per day that a page is taken to have before any was seen. */
  readonly #firstRate: () => number;

  constructor(firstRate: () => number, kept?: unknown) {
    this.#firstRate = firstRate;
    const from = kept as Partial<PopulationSnapshot> | undefined;
    this.#changes = from?.changes ?? 0;
    this.#days = from?.days ?? 0;
    this.#squares = from?.squares ?? 0;
    this.#products = from?.products ?? 0;
    this.#daySquares = from?.daySquares ?? 0;
    this.#seen = [...(from?.seen ?? FIRST_SHARES.map((share) => share * FIRST_SHARES_WEIGHT))];
    this.#expected = [...(from?.expected ?? FIRST_SHARES.map(() => FIRST_SHARES_WEIGHT))];
  }

  /** Changes per day of a page of which nothing is known. */
  get meanRate(): number {
    return (this.#changes + FIRST_CHANGES) / (this.#days + FIRST_CHANGES / this.#firstRate());
  }

  /** Shape of the distribution of rates: the fewer, the more pages differ. By the spread of their counts. */
  get shape(): number {
    const mean = this.meanRate;
    const even = mean * mean * this.#daySquares;
    const spread = this.#squares - 2 * mean * this.#products + even - this.#changes;
    // As if a few pages had been seen to differ as much as their rates.
    return Math.min(MAX_SHAPE, Math.max(MIN_SHAPE, (even + 1) / Math.max(spread + 2, 1e-9)));
  }

  count(evidence: PageEvidence, times: 1 | -1): void {
    const { changes, days } = evidence;
    this.#changes += times * changes;
    this.#days += times * days;
    this.#squares += times * changes * changes;
    this.#products += times * changes * days;
    this.#daySquares += times * days * days;
  }

  /** The forecast for a page of a steady rate, with the bursts that its changes have set off (1 for each that is quite new). */
  forecast(rate: number, sureness: number, bursts: readonly number[]): ChangeForecast {
    const share = this.#share(0);
    return {
      steady: share * rate,
      sureness: share * sureness,
      fading: bursts.map((burst, part) => this.#share(part + 1) * burst),
    };
  }

  /** Learns the shares from an interval: which part of the forecast explains what it brought. */
  learn(rate: number, sureness: number, bursts: readonly number[], days: number, changed: boolean): void {
    const keep = 1 - 1 / SHARES_MEMORY;
    const steady = steadyChanges(rate, sureness, days);
    let all = this.#share(0) * steady;
    for (let part = 0; part < FADING_DAYS.length; part++) all += this.#share(part + 1) * inInterval(bursts, part, days);
    // Of a changed page there may have been more changes than the one that was seen.
    const perExpected = changed && all > 0 ? 1 / -Math.expm1(-all) : 0;
    for (let part = 0; part <= FADING_DAYS.length; part++) {
      const expected = part === 0 ? steady : inInterval(bursts, part - 1, days);
      this.#seen[part] = this.#seen[part] * keep + perExpected * this.#share(part) * expected;
      this.#expected[part] = this.#expected[part] * keep + expected;
    }
  }

  toJSON(): PopulationSnapshot {
    return {
      changes: this.#changes,
      days: this.#days,
      squares: this.#squares,
      products: this.#products,
      daySquares: this.#daySquares,
      seen: this.#seen,
      expected: this.#expected,
    };
  }

  /** No part foretells more changes than were seen; while rates are still found too low, it would seem so. */
  #share(part: number): number {
    return Math.min(1, this.#seen[part] / this.#expected[part]);
  }
}

function inInterval(bursts: readonly number[], part: number, days: number): number {
  return bursts[part] > 0 ? -bursts[part] * Math.expm1(-days / FADING_DAYS[part]) : 0;
}
