import type { SpamScore, SpamSign } from '../../contracts/content/spam.ts';

/** From here on a page or host counts as spam. */
export const SPAM_FROM = 0.5;

/** The honest score: nothing speaks for spam. */
export const NO_SPAM: SpamScore = Object.freeze({ score: 0, signs: Object.freeze([]) });

/** Further signs of a technique say mostly what the strongest one has said. */
const SAME_TECHNIQUE = 0.3;

/**
 * Signs are taken as independent witnesses: the score is the chance that at least one of them is right (noisy or). Those of
 * one technique are not independent, so that all but the strongest count for little. Order of the signs does not matter.
 */
export function combineSigns(signs: readonly SpamSign[]): SpamScore {
  if (signs.length === 0) return NO_SPAM;
  const sorted = [...signs].sort((a, b) => b.weight - a.weight);
  const seen = new Set<string>();
  let honest = 1;
  for (const { technique, weight } of sorted) {
    honest *= 1 - bounded(weight) * (seen.has(technique) ? SAME_TECHNIQUE : 1);
    seen.add(technique);
  }
  return { score: Math.round((1 - honest) * 1000) / 1000, signs: sorted };
}

function bounded(weight: number): number {
  return weight > 0 ? Math.min(1, weight) : 0;
}
