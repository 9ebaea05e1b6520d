import type { Budget } from './budget.ts';
import { visitsPerPageAndDay } from './budget.ts';
import { compareRevisits, costsOfGoal, type RevisitComparison } from './compare-revisits.ts';
import { type ChangeRecord, DAY_MS, meanPages } from './replay/change-record.ts';
import type { GoalMeasures, RevisitMeasures } from './report/laboratory-report.ts';

/** One policy at one budget, or the cost of one goal by one policy: each is measured by itself, whatever the others are. */
export type RevisitJob = Pick<RevisitComparison, 'policies'> &
  ({ readonly budget: Budget } | { readonly goal: number });

export interface RevisitResults {
  readonly revisits: RevisitMeasures[];
  readonly goals: GoalMeasures[];
}

/** Replays to find the cost of a goal, about. */
const REPLAYS_OF_GOAL = 12;
const USUAL_GOAL_BUDGET = 0.1;

export function revisitJobs(
  budgets: readonly Budget[],
  goal: number | undefined,
  { policies }: Pick<RevisitComparison, 'policies'>,
): RevisitJob[] {
  return [
    ...budgets.flatMap((budget) => policies.map((policy) => ({ policies: [policy], budget }))),
    ...(goal === undefined ? [] : policies.map((policy) => ({ policies: [policy], goal }))),
  ];
}

export function runRevisitJob(record: ChangeRecord, job: RevisitJob, comparison: RevisitComparison): RevisitResults {
  const own = { ...comparison, policies: job.policies };
  return 'budget' in job
    ? { revisits: compareRevisits(record, [job.budget], own), goals: [] }
    : { revisits: [], goals: costsOfGoal(record, job.goal, own) };
}

/** Visits to be replayed, about: what the time it takes depends on. */
export function visitsOf(record: ChangeRecord, jobs: readonly RevisitJob[]): number {
  const pages = meanPages(record);
  const days = (record.to - record.from) / DAY_MS;
  return jobs.reduce((sum, job) => {
    const perPage = 'budget' in job ? visitsPerPageAndDay(job.budget, pages) : REPLAYS_OF_GOAL * USUAL_GOAL_BUDGET;
    return sum + perPage * pages * days;
  }, 0);
}
