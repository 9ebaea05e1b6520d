import type { Range } from './unseen-urls.ts';

/** Two lists of pages of one web. */
export interface Overlap {
  readonly first: number;
  readonly second: number;
  readonly both: number;
}

export interface Recapture extends Range {
  /** Pages that one of the lists holds. */
  readonly either: number;
  /** By the formula of Lincoln and Petersen, for comparison; Infinity where the lists have nothing in common. */
  readonly lincolnPetersen: number;
}

/** Standard normal deviate of a 95 % interval. */
const DEVIATE = 1.96;
/** What is less likely than this is left out of the interval. */
const UNLIKELY = 0.05;

/**
 * How many pages there are, by what two lists have in common: Chapman's estimator, which is finite
 * and hardly biased also where few pages are common, and a 95 % interval over the logarithm of the pages
 * that neither holds, so that it never falls below what was seen. Right only if the lists were drawn independently and every page is
 * as likely to be in them as any other. Without a page in common nothing bounds it from above.
 */
export function recapture({ first, second, both }: Overlap): Recapture {
  const either = first + second - both;
  const lincolnPetersen = both === 0 ? Number.POSITIVE_INFINITY : (first * second) / both;
  const likely = ((first + 1) * (second + 1)) / (both + 1) - 1;
  if (both === 0) return { low: either, likely, high: Number.POSITIVE_INFINITY, either, lincolnPetersen };
  const unseen = likely - either;
  // One list holds all of the other. That happens by chance with (either / all) ^ both, so that a short list bounds little.
  if (first === both || second === both) {
    return { low: either, likely: either, high: either / UNLIKELY ** (1 / both), either, lincolnPetersen };
  }
  const variance = ((first + 1) * (second + 1) * (first - both) * (second - both)) / ((both + 1) ** 2 * (both + 2));
  const factor = Math.exp(DEVIATE * Math.sqrt(Math.log1p(variance / unseen ** 2)));
  return { low: either + unseen / factor, likely, high: either + unseen * factor, either, lincolnPetersen };
}
