import type { PolitenessPolicy } from '../contracts/state/frontier-options.ts';

// Pure functions: the frontier keeps the numbers, these say what follows from them.

export const defaultPoliteness: PolitenessPolicy = {
  minimumDelayMs: 1000,
  delayFactor: 5,
  maxAdaptiveDelayMs: 30_000,
  backoffStartMs: 60_000,
  backoffMaxMs: 86_400_000,
  backoffJitter: 0.1,
  forgivenessMs: 1_800_000,
  unreachableLimit: 3,
  neverReachedLimit: Number.POSITIVE_INFINITY,
};

/**
 * Delay = max(minimum, factor x last fetch time (bounded), Crawl-delay). The bound never makes the rest shorter than the fetch
 * that it follows: a server that needed a minute would else be at work for us most of the time.
 */
export function hostDelay(
  policy: Pick<PolitenessPolicy, 'minimumDelayMs' | 'delayFactor' | 'maxAdaptiveDelayMs'>,
  lastFetchMs: number,
  crawlDelayMs: number,
): number {
  const adaptive = policy.delayFactor * lastFetchMs;
  const bound = Math.max(policy.maxAdaptiveDelayMs, lastFetchMs);
  return Math.max(policy.minimumDelayMs, Math.min(adaptive, bound), crawlDelayMs);
}

/** Failures in a row after which a host is parked. */
export function unreachableLimitOf(policy: PolitenessPolicy, everReached: boolean): number {
  return everReached ? policy.unreachableLimit : Math.min(policy.unreachableLimit, policy.neverReachedLimit);
}

/** How long to hold a host that asked for less: its Retry-After, else doubling with `pushbacks` (1, 2, 3 ...). */
export function backoff(
  policy: PolitenessPolicy,
  pushbacks: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  const doubled = policy.backoffStartMs * 2 ** Math.min(pushbacks - 1, 40);
  return Math.min(doubled * (1 + policy.backoffJitter * random()), policy.backoffMaxMs);
}
