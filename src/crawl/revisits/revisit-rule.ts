import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { Claim, Outcome, Settlement } from '../../contracts/crawl-task.ts';

/** What follows from a visit for the next one. */
export type VisitPlan = Pick<
  Settlement,
  'at' | 'nextVisit' | 'planned' | 'nextVisitLane' | 'nextVisitWhy' | 'change' | 'history'
>;

/** An ending as the rule sees it. */
export interface EndedVisit {
  readonly claim: Claim;
  readonly outcome: Outcome;
  readonly facts?: PageFacts;
  /** Items of a feed that were not known, and all of them; of a feed only. */
  readonly feedItems?: { readonly fresh: number; readonly listed: number };
  readonly now: number;
}

/** Asked about endings only: retries after failures are decided by the class of the failure. */
export interface RevisitRule {
  after(visit: EndedVisit): VisitPlan;
}

/** A crawl that ends: no URL is visited again once its visit has ended, well or badly. */
export const neverAgain: RevisitRule = { after: () => ({}) };
