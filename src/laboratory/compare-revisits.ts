import type { RevisitPolicyName } from '../contracts/revisit.ts';
import { type Budget, visitsPerPageAndDay } from './budget.ts';
import { forecastAt } from './budget-curve.ts';
import { budgetForGoal } from './freshness-goal.ts';
import { type ChangeRecord, DAY_MS, meanPages } from './replay/change-record.ts';
import { type ReplayMeasures, replayChanges } from './replay/replay-changes.ts';
import type { CoursePoint, ForecastMeasures, GoalMeasures, RevisitMeasures } from './report/laboratory-report.ts';

export interface RevisitComparison {
  readonly policies: readonly RevisitPolicyName[];
  readonly seed: number;
  /** The true mean rates are known from the beginning, rather than learnt from what visits see. */
  readonly knownRates?: boolean;
  /** Policies begin with what a crawl of this many days, right before the record, has learnt with the same policy and budget. */
  readonly priorDays?: number;
  /** Told after each replay, for whoever waits. */
  readonly onDone?: (what: string) => void;
}

const COURSE_POINTS = 120;

/** Every policy at every budget over the same changes. */
export function compareRevisits(
  record: ChangeRecord,
  budgets: readonly Budget[],
  comparison: RevisitComparison,
): RevisitMeasures[] {
  const pages = meanPages(record);
  return budgets.flatMap((budget) => {
    const perPage = visitsPerPageAndDay(budget, pages);
    return comparison.policies.map((policy): RevisitMeasures => {
      const { freshness, ageDays, visits, byDay } = replay(record, policy, perPage, comparison);
      const given = { visitsPerPageAndDay: perPage, requestsPerDay: perPage * pages };
      return { policy, ...given, requests: visits, freshness, ageDays, course: courseOf(byDay) };
    });
  });
}

/** The budget by which each policy reaches a goal: by formula first, then by replays from there. */
export function costsOfGoal(record: ChangeRecord, goal: number, comparison: RevisitComparison): GoalMeasures[] {
  const pages = meanPages(record);
  const rates = ratesOf(record);
  return comparison.policies.map((policy): GoalMeasures => {
    const byFormula = (budget: number): number => forecastAt(rates, policy, budget * rates.length).freshness;
    const forecast = budgetForGoal(goal, byFormula, { near: 0.1, within: 1.001 });
    const byReplay = (budget: number): number => replay(record, policy, budget, comparison).freshness;
    const found = budgetForGoal(goal, byReplay, { near: Math.min(1, forecast ?? 1), least: 1e-4, most: 100 });
    return {
      policy,
      goal,
      ...(found === undefined ? {} : { visitsPerPageAndDay: found, requestsPerDay: found * pages }),
      ...(forecast === undefined ? {} : { forecastRequestsPerDay: forecast * pages }),
    };
  });
}

function replay(
  { pages, from, to }: ChangeRecord,
  policy: RevisitPolicyName,
  visits: number,
  { seed, knownRates = false, priorDays = 0, onDone }: RevisitComparison,
): ReplayMeasures {
  const first = from - priorDays * DAY_MS;
  const request = {
    pages: pages.map(({ url, created = first, changes }) => ({ url, created, changes })),
    ...{ policy, visitsPerPageAndDay: visits, learn: !knownRates, seed },
  };
  const priors = priorDays > 0 ? { priors: replayChanges({ ...request, from: first, to: from }).histories } : {};
  const replayed = replayChanges({ ...request, ...priors, from, to });
  const freshness = (100 * replayed.freshness).toFixed(2);
  onDone?.(`${policy}, ${Number(visits.toPrecision(3))} visits per page and day: ${freshness} % fresh`);
  return replayed;
}

/** Few enough points to be drawn, each the mean of its days. */
function courseOf(byDay: ReplayMeasures['byDay']): CoursePoint[] {
  const width = Math.ceil(byDay.length / COURSE_POINTS);
  const course: CoursePoint[] = [];
  for (let first = 0; first < byDay.length; first += width) {
    const days = byDay.slice(first, first + width);
    let pages = 0;
    let fresh = 0;
    let requests = 0;
    for (const day of days) {
      pages += day.pages;
      fresh += day.pages * day.freshness;
      requests += day.visits;
    }
    course.push({ day: first + days.length, freshness: pages === 0 ? 1 : fresh / pages, requests });
  }
  return course;
}

/** Cost and freshness by the formulas, over four orders of magnitude around one visit in ten days. */
export function forecastCurve(record: ChangeRecord, policies: readonly RevisitPolicyName[]): ForecastMeasures[] {
  const pages = meanPages(record);
  const rates = ratesOf(record);
  const budgets = Array.from({ length: 17 }, (_, at) => 10 ** (-3 + at / 4));
  return policies.flatMap((policy) =>
    budgets.map((budget): ForecastMeasures => {
      const { freshness, ageDays } = forecastAt(rates, policy, budget * rates.length);
      const age = Number.isFinite(ageDays) ? { ageDays } : {};
      return { policy, visitsPerPageAndDay: budget, requestsPerDay: budget * pages, freshness, ...age };
    }),
  );
}

/** Changes per day of each page, in hindsight. */
function ratesOf({ pages, from, to }: ChangeRecord): Float64Array {
  return Float64Array.from(pages, ({ created = from, changes }) => {
    const since = Math.max(from, created);
    const days = (to - since) / DAY_MS;
    let seen = 0;
    for (const change of changes) if (change >= since && change < to) seen++;
    return days > 0 ? seen / days : 0;
  });
}
