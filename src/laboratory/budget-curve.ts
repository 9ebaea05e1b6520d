import type { RevisitPolicyName } from '../contracts/revisit.ts';
import { ageOf, freshnessOf } from '../revisit/freshness-and-age.ts';
import { optimalFrequencies } from '../revisit/optimal-frequencies.ts';
import type { RevisitMeasures } from './report/laboratory-report.ts';

/** What a policy would give at a price, if the pages change at these rates by chance. */
export type BudgetPoint = Pick<RevisitMeasures, 'policy' | 'requestsPerDay' | 'freshness' | 'ageDays'>;

/** From the point of view of someone who asks what freshness costs. `rates`: changes per day of each page. */
export function forecastAt(rates: Float64Array, policy: RevisitPolicyName, requestsPerDay: number): BudgetPoint {
  const frequencies = frequenciesOf(rates, policy, requestsPerDay);
  let freshness = 0;
  let ageDays = 0;
  for (let page = 0; page < rates.length; page++) {
    freshness += freshnessOf(rates[page], frequencies[page]);
    ageDays += ageOf(rates[page], frequencies[page]);
  }
  const pages = Math.max(1, rates.length);
  return { policy, requestsPerDay, freshness: freshness / pages, ageDays: ageDays / pages };
}

/** Visits per day of each page. */
export function frequenciesOf(rates: Float64Array, policy: RevisitPolicyName, requestsPerDay: number): Float64Array {
  if (policy === 'freshness' || policy === 'age') {
    return optimalFrequencies(rates, undefined, requestsPerDay, policy).frequencies;
  }
  let total = 0;
  for (const rate of rates) total += rate;
  if (policy === 'uniform' || total === 0) return new Float64Array(rates.length).fill(requestsPerDay / rates.length);
  return rates.map((rate) => (rate * requestsPerDay) / total);
}
