/** Freshness at a budget; it must not fall as the budget grows, or hardly so. */
export type FreshnessMeasure = (visitsPerPageAndDay: number) => number;

export interface GoalOptions {
  /** Where the search begins: one answer costs one measure less for each factor of two that it is nearer. */
  readonly near: number;
  /** Budgets beyond which nobody would go. */
  readonly least?: number;
  readonly most?: number;
  /** How near the answer must come, as a factor. */
  readonly within?: number;
}

/** The smallest budget, in visits per page and day, that reaches a goal of freshness; undefined where none does. */
export function budgetForGoal(goal: number, measure: FreshnessMeasure, options: GoalOptions): number | undefined {
  const { near, least = 1e-5, most = 1000, within = 1.03 } = options;
  let high = Math.min(most, Math.max(least, near));
  let low = high;
  if (measure(high) >= goal) {
    do {
      if (low === least) return least;
      high = low;
      low = Math.max(least, low / 2);
    } while (measure(low) >= goal);
  } else {
    do {
      if (high === most) return undefined;
      low = high;
      high = Math.min(most, high * 2);
    } while (measure(high) < goal);
  }
  while (high / low > within) {
    const middle = Math.sqrt(low * high);
    if (measure(middle) >= goal) high = middle;
    else low = middle;
  }
  return high;
}
