import { type RevisitObjective, WORTHIEST_CHANGES } from './visit-worth.ts';

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

/** Steps of the interval, each a quarter longer than the one before, from a second to about 30 years. */
const GRID_START = 1e-5;
const GRID_RATIO = 1.25;
const GRID_STEPS = 93;
const GRID = Float64Array.from({ length: GRID_STEPS }, (_, step) => GRID_START * GRID_RATIO ** step);
const FADED = FADING_DAYS.map((days) => GRID.map((x) => -Math.expm1(-x / days)));

const FEW_CHANGES = 0.1;

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
 * stale, or its age. It is the same quantity as that of the textbook, for a chance of change that fades. Where it is worth its
 * price as soon as a visit is allowed, `soonestDays` after the last, the rate is that of the changes expected by then.
 */
export function equivalentRate(
  forecast: ChangeForecast,
  objective: RevisitObjective,
  price: number,
  soonestDays = 0,
): number {
  const { steady, sureness, fading } = forecast;
  if (!(price > 0) || !Number.isFinite(price)) return steady;
  let fastest = steady;
  for (let part = 0; part < fading.length; part++) fastest += fading[part] / FADING_DAYS[part];
  // A visit is never worth more than the time since the last one, nor than half its square for age; and as long as hardly a
  // change is expected it does not matter when it comes.
  const unworthy = Math.min(FEW_CHANGES / fastest, objective === 'freshness' ? price : Math.sqrt(2 * price));
  let from = Math.min(GRID[GRID_STEPS - 2], Math.max(GRID_START, soonestDays, unworthy));
  let expected = expectedChanges(forecast, from);
  let worth = constantWorth(expected / from, from, objective);
  if (worth >= price) return expected / from;
  let survivalBefore = Math.exp(-expected);
  for (let step = stepAfter(from); step < GRID_STEPS; step++) {
    const to = GRID[step];
    let changes = steadyChanges(steady, sureness, to);
    for (let part = 0; part < fading.length; part++) changes += fading[part] * FADED[part][step];
    const survival = Math.exp(-changes);
    const added =
      objective === 'freshness'
        ? staleDays(from, to, survivalBefore, survival, changes - expected)
        : ((from + to) / 2) * (to - from) * (1 - (survivalBefore + survival) / 2);
    if (worth + added >= price) {
      // The worth grows about as a power of the time.
      const part = worth > 0 ? Math.log(price / worth) / Math.log1p(added / worth) : 1;
      const days = from * (to / from) ** part;
      return rateVisitedAfter(days, price, objective, expected + part * (changes - expected));
    }
    worth += added;
    from = to;
    expected = changes;
    survivalBefore = survival;
  }
  // Never worth it: hopelessly fast if it is sure to change, else so slow that its bursts do not matter.
  return survivalBefore < 0.05 ? 1 / worth : expected / from;
}

/** The first step of the grid that lies beyond this many days. */
function stepAfter(days: number): number {
  const step = Math.max(0, Math.ceil(Math.log(days / GRID_START) / Math.log(GRID_RATIO)));
  return GRID[step] > days ? step : step + 1;
}

/** The sum of y dC(y) over a step within which changes come evenly, if they come. */
function staleDays(from: number, to: number, before: number, after: number, changes: number): number {
  if (changes < 0.05) return ((from + to) / 2) * (before - after);
  const between = (to - from) / changes;
  return (from + between) * before - (to + between) * after;
}

/**
 * The constant rate whose worth reaches the price after just that many days. Of freshness there are two, a slow page and one
 * that is nearly hopeless: it is told by the changes that are `expected` by then which of them is meant.
 */
function rateVisitedAfter(days: number, price: number, objective: RevisitObjective, expected: number): number {
  const worthiest = objective === 'freshness' ? WORTHIEST_CHANGES / days : 1e4;
  const isSlow = objective === 'age' || expected <= WORTHIEST_CHANGES;
  let less = isSlow ? 1e-9 : Math.max(1 / price, worthiest);
  let enough = worthiest;
  for (let step = 0; step < 50 && Math.abs(Math.log(enough / less)) > 5e-4; step++) {
    const rate = Math.sqrt(less * enough);
    if (constantWorth(rate, days, objective) < price) less = rate;
    else enough = rate;
  }
  return Math.sqrt(less * enough);
}

function constantWorth(rate: number, days: number, objective: RevisitObjective): number {
  const r = rate * days;
  const stale = r < 0.01 ? (r * r) / 2 - (r * r * r) / 3 : 1 - (1 + r) * Math.exp(-r);
  if (objective === 'freshness') return stale / rate;
  return r < 0.05 ? (r * days * days) / 3 - (r * r * days * days) / 8 : (days * days) / 2 - stale / (rate * rate);
}
