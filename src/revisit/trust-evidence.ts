const DAY = 86_400_000;

/** How often a claim held and did not, faded: the two counts of a Beta distribution. Plain data. */
export interface Evidence {
  readonly held: number;
  readonly failed: number;
  readonly at: number;
}

/** Half of what was seen so long ago is forgotten: sites change their software. */
const HALF_LIFE = 60 * DAY;
/** More than this is never held against something new. */
const MAX_WEIGHT = 100;

/** One more observation, of at most weight 1. */
export function withObservation(evidence: Evidence, held: boolean, at: number, weight = 1): Evidence {
  const keep = fading(evidence, at);
  const total = (evidence.held + evidence.failed) * keep + weight;
  const scale = total > MAX_WEIGHT ? MAX_WEIGHT / total : 1;
  return {
    held: (evidence.held * keep + (held ? weight : 0)) * scale,
    failed: (evidence.failed * keep + (held ? 0 : weight)) * scale,
    at: Math.max(at, evidence.at),
  };
}

/** The expected share of claims that hold; `prior` counts as `priorWeight` observations. */
export function shareHeld(evidence: Evidence, prior: number, priorWeight = 2): number {
  return (evidence.held + prior * priorWeight) / (evidence.held + evidence.failed + priorWeight);
}

/** How much was seen. */
export function weightOf(evidence: Evidence): number {
  return evidence.held + evidence.failed;
}

/** Evidence from anywhere (a file, an older version), made sound. */
export function soundEvidence(value: unknown): Evidence {
  const { held, failed, at } = (value ?? {}) as Record<string, unknown>;
  return { held: count(held), failed: count(failed), at: typeof at === 'number' && Number.isFinite(at) ? at : 0 };
}

function fading(evidence: Evidence, at: number): number {
  return evidence.at === 0 ? 1 : 2 ** (-Math.max(0, at - evidence.at) / HALF_LIFE);
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, MAX_WEIGHT) : 0;
}
