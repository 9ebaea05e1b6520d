import type { ChangeHistory, ChangeObservation } from '../contracts/revisit.ts';
import { FADING_DAYS } from './change-forecast.ts';
import type { ChangePopulation, PageEvidence } from './change-population.ts';
import { likeliestRate, type RatePrior } from './change-rate.ts';

const DAY = 86_400_000;
/** Intervals kept one by one. */
const KEPT_INTERVALS = 8;
/** Evidence as old as this weighs a third. */
const MEMORY_DAYS = 1000;
/** However many changes were seen, a page that has found other habits is believed after about as many visits. */
const MEMORY_CHANGES = 25;
/** From this many visits on the population hardly matters for what is known of a page. */
const FIRM_EVIDENCE = 6;
/**
 * Rates of pages differ by orders of magnitude: beyond this many times the mean rate of pages at large, their distribution falls as
 * a power. The power is bounded, so that what is kept of one page can outweigh them.
 */
const TAIL_BEGINS = 10;
const LEAST_TAIL = 5;
/** No interval is shorter, were the clock set back. */
const MIN_DAYS = 1 / 86_400_000;
/** The last of the fading parts is a page's youth: it begins with the first visit and is not set off by changes. */
const YOUTH = FADING_DAYS.length - 1;

/** The figures of the estimator that are kept with a history. */
interface Figures extends PageEvidence {
  /** Steady rate. */
  readonly steady: number;
  /** Changes whose times are known, and older evidence than the intervals kept, as if it were of that kind. */
  readonly oldChanges: number;
  readonly oldDays: number;
  /** The whole evidence, faded: the page's share in the population. */
  readonly changes: number;
  readonly days: number;
  readonly burst0: number;
  readonly burst1: number;
  readonly burst2: number;
  readonly burst3: number;
}

/** What a page teaches the population; nothing if the history is of another kind. */
export function evidenceOf(history: ChangeHistory): PageEvidence {
  return { changes: history.more?.changes ?? 0, days: history.more?.days ?? 0 };
}

function steadyRateOf(history: ChangeHistory): number {
  return history.more?.steady ?? history.rate;
}

/** How many changes the steady rate rests on, the population being some. */
export function surenessOf(history: ChangeHistory, population: ChangePopulation): number {
  let changed = 0;
  for (const interval of history.intervals) if (interval < 0) changed++;
  return population.shape + (history.more?.oldChanges ?? 0) + changed;
}

/** The same in the light of what is known of the population by now, where it rests on that. */
export function presentSteadyRateOf(history: ChangeHistory, population: ChangePopulation): number {
  const { more } = history;
  if (more === undefined || history.evidence > FIRM_EVIDENCE) return steadyRateOf(history);
  return steadyRate(history.intervals, more.oldChanges, more.oldDays, population, more.steady);
}

/** The bursts as they were at the last visit. */
export function burstsOf(history: ChangeHistory): number[] {
  const more = history.more;
  return [more?.burst0 ?? 0, more?.burst1 ?? 0, more?.burst2 ?? 0, more?.burst3 ?? 0];
}

/** It was seen once, and its server did not tell since when it is as it is. */
export function isUntried({ visits, changedAt, more }: ChangeHistory): boolean {
  return visits <= 1 && changedAt === undefined && more !== undefined;
}

/** What a page of which nothing is known is taken for now. */
export function untriedRate(population: ChangePopulation, rateOf: ExpectedRate): number {
  const bursts = FADING_DAYS.map((_, part) => (part === YOUTH ? 1 : 0));
  return rateOf(population.meanRate, population.shape, bursts);
}

/** Expected changes per day until the next visit, of a page's steady rate and of its bursts. */
type ExpectedRate = (steady: number, sureness: number, bursts: readonly number[]) => number;

/** The history of a page after its first visit. */
export function newHistory(seen: ChangeObservation, population: ChangePopulation, rateOf: ExpectedRate): ChangeHistory {
  const modified = known(seen.lastModified, Number.NEGATIVE_INFINITY, seen.at);
  const youth = modified === undefined ? 1 : Math.exp((modified - seen.at) / DAY / FADING_DAYS[YOUTH]);
  const bursts = FADING_DAYS.map((days, part) =>
    part === YOUTH ? youth : modified === undefined ? 0 : Math.exp((modified - seen.at) / DAY / days),
  );
  // Looking back from the visit there was quiet for so long, and then a change (or the page's beginning).
  const oldDays = modified === undefined ? 0 : (seen.at - modified) / DAY;
  const oldChanges = modified === undefined ? 0 : 1;
  const steady = steadyRate([], oldChanges, oldDays, population);
  return {
    since: seen.at,
    visitedAt: seen.at,
    visits: 1,
    changes: 0,
    ...(modified === undefined ? {} : { changedAt: modified }),
    intervals: [],
    rate: rateOf(steady, oldChanges + population.shape, bursts),
    evidence: 1,
    more: figures(steady, oldChanges, oldDays, oldChanges, oldDays, bursts),
  };
}

/** The history with one more visit. */
export function nextHistory(
  before: ChangeHistory,
  seen: ChangeObservation,
  population: ChangePopulation,
  rateOf: ExpectedRate,
): ChangeHistory {
  const changed = seen.changed === true;
  const days = Math.max(MIN_DAYS, (seen.at - before.visitedAt) / DAY);
  const modified = changed ? known(seen.lastModified, before.visitedAt, seen.at) : undefined;
  const keep = Math.exp(-days / MEMORY_DAYS);
  let oldChanges = (before.more?.oldChanges ?? 0) * keep;
  let oldDays = (before.more?.oldDays ?? 0) * keep;
  const steadyBefore = steadyRateOf(before);
  const intervals = before.intervals.slice(before.intervals.length >= KEPT_INTERVALS ? 1 : 0);
  if (modified !== undefined) {
    oldChanges++;
    oldDays += (seen.at - modified) / DAY;
  } else intervals.push(changed ? -days * DAY : days * DAY);
  if (before.intervals.length >= KEPT_INTERVALS) {
    const oldest = before.intervals[0] / DAY;
    const told = oldest > 0 ? { changes: 0, days: oldest } : changedLook(-oldest, steadyBefore);
    oldChanges += told.changes;
    oldDays += told.days;
  }
  const excess = MEMORY_CHANGES / Math.max(MEMORY_CHANGES, oldChanges);
  oldChanges *= excess;
  oldDays *= excess;
  let found = 0;
  for (const interval of intervals) if (interval < 0) found++;
  const steady = steadyRate(intervals, oldChanges, oldDays, population, steadyBefore);
  const daysSeen = (before.more?.days ?? 0) * keep + (modified === undefined ? days : (seen.at - modified) / DAY);
  const bursts = burstsOf(before);
  for (let part = 0; part < bursts.length; part++) {
    bursts[part] = bursts[part] < 1e-6 ? 0 : bursts[part] * Math.exp(-days / FADING_DAYS[part]);
    if (changed && part !== YOUTH) bursts[part] += newBurst(FADING_DAYS[part], days, modified, seen.at);
  }
  const changedAt = modified ?? (changed ? seen.at : before.changedAt);
  return {
    since: before.since,
    visitedAt: seen.at,
    visits: before.visits + 1,
    changes: before.changes + (changed ? 1 : 0),
    ...(changedAt === undefined ? {} : { changedAt }),
    intervals,
    rate: rateOf(steady, oldChanges + found + population.shape, bursts),
    evidence: before.evidence * keep + 1,
    more: figures(
      steady,
      oldChanges,
      oldDays,
      observedRate(intervals, oldChanges, oldDays, steady) * daysSeen,
      daysSeen,
      bursts,
    ),
  };
}

/**
 * What a visit after `days` that found a change tells, as changes at known times: as many, in as many days, as make the same
 * difference to the rate with the same certainty. Of a page that changes much oftener than that it tells nothing.
 */
function changedLook(days: number, rate: number): PageEvidence {
  const expected = Math.max(1e-4, Math.min(500, rate * days));
  const growth = Math.expm1(expected);
  const changes = ((expected / growth) * expected * (growth + 1)) / growth;
  return { changes, days: days * (changes / expected - 1 / growth) };
}

/** Changes per day by the page's own evidence alone, with those that no visit saw as its rate has them. */
function observedRate(intervals: readonly number[], oldChanges: number, oldDays: number, steady: number): number {
  let changes = oldChanges;
  let days = oldDays;
  for (const interval of intervals) {
    days += Math.abs(interval) / DAY;
    if (interval < 0) changes += likelyChanges((-interval / DAY) * steady);
  }
  return days > 0 ? changes / days : 0;
}

/** Of an interval that ended with a change: how many there were, if `expected` were to be expected. */
function likelyChanges(expected: number): number {
  return expected < 1e-6 ? 1 : expected / -Math.expm1(-expected);
}

/** The likeliest rate, the population being so much evidence of its own. */
function steadyRate(
  intervals: readonly number[],
  oldChanges: number,
  oldDays: number,
  population: ChangePopulation,
  near?: number,
): number {
  const changedAfter: number[] = [];
  let unchangedDays = 0;
  for (const interval of intervals) {
    if (interval < 0) changedAfter.push(-interval / DAY);
    else unchangedDays += interval / DAY;
  }
  return likeliestRate(
    {
      changedAfter,
      unchangedDays,
      knownChanges: oldChanges,
      knownDays: oldDays,
      prior: priorOf(population),
    },
    near,
  );
}

function priorOf({ meanRate, shape }: ChangePopulation): RatePrior {
  return { meanRate, shape, tail: Math.min(MEMORY_CHANGES, Math.max(LEAST_TAIL, TAIL_BEGINS * shape)) };
}

/** What is left at the visit of the burst that a change has set off: at a known time, or at any within the interval. */
function newBurst(fadingDays: number, days: number, modified: number | undefined, at: number): number {
  if (modified !== undefined) return Math.exp((modified - at) / DAY / fadingDays);
  return (-Math.expm1(-days / fadingDays) * fadingDays) / days;
}

/** A Last-Modified that can be true: after the visit before and not in the future. */
function known(lastModified: number | undefined, after: number, at: number): number | undefined {
  return lastModified !== undefined && lastModified > after && lastModified <= at ? lastModified : undefined;
}

function figures(
  steady: number,
  oldChanges: number,
  oldDays: number,
  changes: number,
  days: number,
  bursts: readonly number[],
): Readonly<Record<string, number>> {
  const made: Figures = {
    steady,
    oldChanges,
    oldDays,
    changes,
    days,
    burst0: bursts[0],
    burst1: bursts[1],
    burst2: bursts[2],
    burst3: bursts[3],
  };
  return made as unknown as Readonly<Record<string, number>>;
}
