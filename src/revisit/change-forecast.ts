import type { RevisitObjective } from './visit-worth.ts';

/**
 * The changes to come as seen from the last visit: a steady part, and parts that fade because edits come in bursts. Rates per
 * day; `fading[i]` are the changes expected in all of part i, of which the share 1 - e^(-x / FADING_DAYS[i]) falls within x
 * days.
 */
export interface ChangeForecast {
  readonly steady: number;
  /**
   * How many changes' worth of evidence the steady rate rests on. Of a page that might be fast or slow one that has not
   * changed for long is probably slow: the less is known, the sooner the chance of a change falls.
   */
  readonly sureness: number;
  readonly fading: readonly number[];
}

/** Time constants of the bursts: an edit and its corrections, a piece of work, a season of interest; and of a page's youth. */
export const FADING_DAYS: readonly number[] = [1.5, 12, 90, 45];

/** Steps of the interval, each a quarter longer than the one before, from a quarter of an hour to about 30 years. */
const GRID_START = 0.01;
const GRID_RATIO = 1.25;
const GRID_STEPS = 62;
const GRID = Float64Array.from({ length: GRID_STEPS }, (_, step) => GRID_START * GRID_RATIO ** step);
const FADED = FADING_DAYS.map((days) => GRID.map((x) => -Math.expm1(-x / days)));

/** Changes expected within `days` of the last visit. */
export function expectedChanges(forecast: ChangeForecast, days: number): number {
  let sum = steadyChanges(forecast.steady, forecast.sureness, days);
  for (let part = 0; part < FADING_DAYS.length; part++) {
    const changes = forecast.fading[part];
    if (changes > 0) sum -= changes * Math.expm1(-days / FADING_DAYS[part]);
  }
  return sum;
}

/** Changes expected of the steady part: the rate itself has a gamma distribution of shape `sureness`. */
export function steadyChanges(steady: number, sureness: number, days: number): number {
  return sureness * Math.log1p((steady * days) / sureness);
}

/**
 * The constant rate that would bring the next visit at the same time as this forecast does, at a price for a visit. The worth
 * of a visit after x days is the sum of y dC(y) up to x, where C(y) is the cost of a copy y days old: the chance that it is
 * stale, or its age. It is the same quantity as that of the textbook, for a chance of change that fades.
 */
export function equivalentRate(forecast: ChangeForecast, objective: RevisitObjective, price: number): number {
  const { steady, sureness, fading } = forecast;
  if (!(price > 0) || !Number.isFinite(price)) return steady;
  let worth = 0;
  let from = 0;
  let survivalBefore = 1;
  for (let step = 0; step < GRID_STEPS; step++) {
    const to = GRID[step];
    let changes = steadyChanges(steady, sureness, to);
    for (let part = 0; part < fading.length; part++) changes += fading[part] * FADED[part][step];
    const survival = Math.exp(-changes);
    const added =
      objective === 'freshness'
        ? ((from + to) / 2) * (survivalBefore - survival)
        : ((from + to) / 2) * (to - from) * (1 - (survivalBefore + survival) / 2);
    if (worth + added >= price) {
      // The worth grows about as a power of the time.
      const days = worth > 0 ? from * (price / worth) ** (Math.log(to / from) / Math.log1p(added / worth)) : to;
      return rateVisitedAfter(days, price, objective);
    }
    worth += added;
    from = to;
    survivalBefore = survival;
  }
  // Never worth it: hopelessly fast if it is sure to change, else so slow that its bursts do not matter.
  return survivalBefore < 0.05 ? 1 / worth : expectedChanges(forecast, from) / from;
}

/** The lower of the constant rates whose worth reaches the price after just that many days. */
function rateVisitedAfter(days: number, price: number, objective: RevisitObjective): number {
  let low = 1e-9;
  // Beyond this a faster page is worth less, not more.
  let high = objective === 'freshness' ? 1.7932821 / days : 1e4;
  for (let step = 0; step < 50 && high / low > 1.0005; step++) {
    const rate = Math.sqrt(low * high);
    if (constantWorth(rate, days, objective) < price) low = rate;
    else high = rate;
  }
  return Math.sqrt(low * high);
}

function constantWorth(rate: number, days: number, objective: RevisitObjective): number {
  const r = rate * days;
  const stale = r < 0.01 ? (r * r) / 2 - (r * r * r) / 3 : 1 - (1 + r) * Math.exp(-r);
  if (objective === 'freshness') return stale / rate;
  return r < 0.05 ? (r * days * days) / 3 - (r * r * days * days) / 8 : (days * days) / 2 - stale / (rate * rate);
}
