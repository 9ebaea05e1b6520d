import { changesPerVisitWorth, type RevisitObjective, worthScale } from './visit-worth.ts';

export interface OptimalFrequencies {
  /** Visits per day of each page. */
  readonly frequencies: Float64Array;
  /** What a visit must be worth: the multiplier of the budget. */
  readonly price: number;
}

/** Pages within a 64th of an octave of each other are as one while the price is sought. */
const BINS_PER_OCTAVE = 64;
const FIRST_STEP = 1e-6;
/** Between two prices as close as this, by what they make the pages take, the best lies evenly. */
const CLOSE = 1e-4;

/**
 * The visits per day that make the weighted freshness greatest, or the weighted age least, with `budget` visits per day in
 * all. At the optimum one more visit is worth the same everywhere (the price), or a page gets none because its visits never
 * are. How often a page is due at a price depends on one number, its scale; so the price is sought among bins of scales, and
 * then corrected over the pages themselves. (Cho & Garcia-Molina; made for millions of pages as in Azar et al.)
 */
export function optimalFrequencies(
  rates: Float64Array,
  weights: Float64Array | undefined,
  budget: number,
  objective: RevisitObjective,
): OptimalFrequencies {
  const frequencies = new Float64Array(rates.length);
  if (!(budget > 0) || rates.length === 0) return { frequencies, price: Number.POSITIVE_INFINITY };
  const scaleOf = (page: number): number => worthScale(objective, rates[page], weights?.[page] ?? 1);
  const bins = binned(rates, scaleOf);
  if (bins.length === 0) return { frequencies: frequencies.fill(budget / rates.length), price: 0 };
  const due = (price: number): number => {
    let total = 0;
    for (const bin of bins) total += bin.rate / changesPerVisitWorth(objective, price * bin.scale);
    return total;
  };
  const fill = (into: Float64Array, price: number): number => {
    let total = 0;
    for (let page = 0; page < rates.length; page++) {
      const scale = scaleOf(page);
      into[page] = usable(rates[page], scale) ? rates[page] / changesPerVisitWorth(objective, price * scale) : 0;
      total += into[page];
    }
    return total;
  };
  const cheaper = new Float64Array(rates.length);
  const bounds = boundsOf((price) => fill(frequencies, price), priceFor(due, budget), budget);
  const over = fill(cheaper, bounds.low);
  const under = fill(frequencies, bounds.high);
  // A page that is only just worth a visit takes what the others leave, which no price is fine enough to tell.
  const share = over > under ? (budget - under) / (over - under) : 0;
  for (let page = 0; page < rates.length; page++) frequencies[page] += share * (cheaper[page] - frequencies[page]);
  return { frequencies: scaledTo(frequencies, budget), price: bounds.high };
}

/** Two prices that lie close together, of which one makes the pages take more than the budget and the other not. */
function boundsOf(due: (price: number) => number, near: number, budget: number): { low: number; high: number } {
  let low = near;
  let high = near;
  let over = due(near);
  let under = over;
  for (let step = FIRST_STEP; over < budget && low > 1e-300; step *= 8) {
    low /= 1 + step;
    over = due(low);
  }
  for (let step = FIRST_STEP; under > budget && high < 1e300; step *= 8) {
    high *= 1 + step;
    under = due(high);
  }
  // Many pages are soon within a hair of the budget; a few may hang on the last digit of the price.
  while (over - under > CLOSE * budget && high / low > 1 + 1e-14) {
    const middle = Math.sqrt(low * high);
    const taken = due(middle);
    if (taken > budget) {
      low = middle;
      over = taken;
    } else {
      high = middle;
      under = taken;
    }
  }
  return { low, high };
}

/** The price at which `due`, which falls with the price, is the budget. */
function priceFor(due: (price: number) => number, budget: number): number {
  let low = 1e-12;
  let high = 1;
  while (due(low) < budget && low > 1e-280) low /= 1e6;
  while (due(high) > budget && high < 1e280) high *= 1e3;
  for (let step = 0; step < 200 && high / low > 1 + 1e-12; step++) {
    const middle = Math.sqrt(low * high);
    if (due(middle) > budget) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}

function usable(rate: number, scale: number): boolean {
  return rate > 0 && Number.isFinite(scale);
}

function binned(rates: Float64Array, scaleOf: (page: number) => number): { rate: number; scale: number }[] {
  const sums = new Map<number, { rate: number; logs: number; pages: number }>();
  for (let page = 0; page < rates.length; page++) {
    const scale = scaleOf(page);
    if (!usable(rates[page], scale)) continue;
    const log = Math.log2(scale);
    const key = Math.round(log * BINS_PER_OCTAVE);
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { rate: rates[page], logs: log, pages: 1 });
    else {
      sum.rate += rates[page];
      sum.logs += log;
      sum.pages++;
    }
  }
  return [...sums.values()].map(({ rate, logs, pages }) => ({ rate, scale: 2 ** (logs / pages) }));
}

/** The budget is used up to the last visit whatever rounding has left. */
function scaledTo(frequencies: Float64Array, budget: number): Float64Array {
  let total = 0;
  for (const frequency of frequencies) total += frequency;
  if (total > 0) for (let page = 0; page < frequencies.length; page++) frequencies[page] *= budget / total;
  return frequencies;
}
