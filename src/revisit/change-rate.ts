/**
 * Estimates of how often a page changes from what visits have shown. A visit sees that a page has changed since the one
 * before, never how often; so the plain ratio of changes to time is too low, the more so the faster the page changes. Times
 * are in days and rates per day.
 */

/** Ten changes in a second. Visits cannot tell it from any faster. */
const FASTEST = 864_000;

/** What is known of a page whose visits came at uneven intervals. */
export interface ChangeEvidence {
  /** Intervals at whose end the page had changed, once or more. */
  readonly changedAfter: readonly number[];
  /** Time in which it is known not to have changed. */
  readonly unchangedDays: number;
  /** Changes whose times are known, or older ones of which the sum is left, and the time in which they happened. */
  readonly knownChanges?: number;
  readonly knownDays?: number;
  /** What pages at large are like. */
  readonly prior?: RatePrior;
}

/**
 * Rates of pages at large. Near the mean it is the gamma distribution of that mean and shape; above it the density falls as a
 * power of the rate (a gamma distribution whose scale is uncertain). A gamma distribution alone falls exponentially: a page a
 * thousand times as fast as the others would be held to be slow however many visits found it changed.
 */
export interface RatePrior {
  readonly meanRate: number;
  /** Of the gamma distribution: how many changes it counts for. */
  readonly shape: number;
  /** The power: this many changes in a row, at whatever intervals, outweigh the pages at large. */
  readonly tail: number;
}

/**
 * Most likely rate for uneven intervals: the root of
 *   known / rate + sum over changed intervals of I / (e^(rate I) - 1) = unchanged and known time,
 * where a prior counts as `shape` known changes in (shape + tail) / (scale + rate) days, its mean rate being the root of its own.
 * Infinite if every visit found a change and nothing else is known; a prior keeps it finite.
 */
export function likeliestRate(evidence: ChangeEvidence, near?: number): number {
  const { changedAfter, unchangedDays, knownChanges = 0, knownDays = 0, prior } = evidence;
  const quiet = unchangedDays + knownDays;
  const known = knownChanges + (prior?.shape ?? 0);
  if (changedAfter.length === 0 && known <= 0) return 0;
  const weight = prior === undefined ? 0 : prior.shape + prior.tail;
  const scale = prior === undefined ? 1 : (prior.tail * prior.meanRate) / prior.shape;
  const slowest = quiet + weight / scale;
  if (slowest <= 0) return Number.POSITIVE_INFINITY;
  let low = known / slowest;
  let high = Number.POSITIVE_INFINITY;
  let rate = near !== undefined && near > low ? near : (known + changedAfter.length) / slowest;
  for (let step = 0; step < 100; step++) {
    const priorDays = weight / (scale + rate);
    let off = known / rate - quiet - priorDays;
    let slope = -known / (rate * rate) + priorDays / (scale + rate);
    for (const interval of changedAfter) {
      const growth = Math.expm1(Math.min(rate * interval, 500));
      const term = interval / growth;
      off += term;
      slope -= term * term * (growth + 1);
    }
    if (off > 0) low = rate;
    else high = rate;
    let next = slope < 0 ? rate - off / slope : Number.POSITIVE_INFINITY;
    // The bounds may be orders of magnitude apart.
    if (!(next > low && next < high))
      next = high === Number.POSITIVE_INFINITY ? low * 4 : low > 0 ? Math.sqrt(low * high) : high / 4;
    if (Math.abs(next - rate) <= 1e-9 * rate) return next;
    if (next > FASTEST) return FASTEST;
    rate = next;
  }
  return rate;
}
