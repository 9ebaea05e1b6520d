/**
 * How long a host must rest. Pure functions: the frontier keeps the numbers, these say what follows from them.
 * The delay rule and its sources are in docs/politeness.md.
 */
export interface PolitenessPolicy {
  /** Least rest between the end of one request and the start of the next. */
  readonly minimumDelayMs: number;
  /** The adaptive part: this many times the last fetch time ... */
  readonly delayFactor: number;
  /** ... but no more than this. A Crawl-delay is never cut. */
  readonly maxAdaptiveDelayMs: number;
  readonly backoffStartMs: number;
  readonly backoffMaxMs: number;
  /** Share of the wait by which it may grow at random, so that hosts do not come back in step. */
  readonly backoffJitter: number;
  /** A host that gave no reason for a back-off for so long starts afresh. */
  readonly forgivenessMs: number;
  /** A host that could not be reached so often in a row is parked: its URLs are kept and tried in the next run. */
  readonly unreachableLimit: number;
  /** The same for a host that has never sent anything, where that is less. */
  readonly neverReachedLimit: number;
}

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

/** Delay = max(minimum, factor x last fetch time (bounded), Crawl-delay). */
export function hostDelay(policy: PolitenessPolicy, lastFetchMs: number, crawlDelayMs: number): number {
  const adaptive = Math.min(policy.delayFactor * lastFetchMs, policy.maxAdaptiveDelayMs);
  return Math.max(policy.minimumDelayMs, adaptive, crawlDelayMs);
}

/** Failures in a row after which a host is parked. */
export function unreachableLimitOf(policy: PolitenessPolicy, everReached: boolean): number {
  return everReached ? policy.unreachableLimit : Math.min(policy.unreachableLimit, policy.neverReachedLimit);
}

/**
 * How long to hold a host that asked for less. `pushbacks` counts this one: 1, 2, 3 ...
 * The server's own word (Retry-After) wins; a missing one is replaced by a doubling wait.
 */
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
