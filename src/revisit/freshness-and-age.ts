/**
 * What regular visits give, if a page changes at random at a constant rate (a Poisson process). Rates and frequencies are per
 * day, ages in days; any other unit of time does as well, if it is the same throughout.
 */

/** Below this many changes per interval the formulas lose digits, and their series are exact. */
const FEW = 1e-3;

/** Share of the time in which the copy is as the page is, visited `frequency` times a day. */
export function freshnessOf(rate: number, frequency: number): number {
  if (rate <= 0) return 1;
  if (frequency <= 0) return 0;
  const perVisit = rate / frequency;
  return perVisit < FEW ? 1 - perVisit / 2 + (perVisit * perVisit) / 6 : -Math.expm1(-perVisit) / perVisit;
}

/** Mean time since the copy ceased to be as the page is (0 while it still is). */
export function ageOf(rate: number, frequency: number): number {
  if (rate <= 0) return 0;
  if (frequency <= 0) return Number.POSITIVE_INFINITY;
  const perVisit = rate / frequency;
  const share =
    perVisit < FEW
      ? perVisit / 6 - (perVisit * perVisit) / 24
      : 0.5 - 1 / perVisit - Math.expm1(-perVisit) / (perVisit * perVisit);
  return share / frequency;
}

/** Expected time since a copy ceased to be as the page is, `days` after it was taken: the integral of rate e^(-rate x) (days - x). */
export function ageAfter(rate: number, days: number): number {
  if (rate <= 0 || days <= 0) return 0;
  const changes = rate * days;
  return changes < FEW ? days * (changes / 2 - (changes * changes) / 6) : days + Math.expm1(-changes) / rate;
}
