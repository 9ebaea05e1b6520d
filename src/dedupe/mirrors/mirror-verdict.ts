import type { Kinship } from './name-kinship.ts';
import type { EvidenceTally } from './pair-evidence.ts';

/** What two origins must show to be called one. */
export interface Demand {
  /** Pages with contents of their own that both hold at the same paths. */
  readonly pages: number;
  /** The least share of the paths compared that must agree. */
  readonly share: number;
  /** The least share of what was seen of the smaller origin that must have been found on the other. */
  readonly coverage: number;
}

/** The less the names say, the more the pages have to. */
const DEMANDS: Readonly<Record<Kinship, Demand>> = {
  twins: { pages: 3, share: 0.8, coverage: 0.2 },
  variants: { pages: 3, share: 0.85, coverage: 0.3 },
  address: { pages: 5, share: 0.9, coverage: 0.4 },
  relatives: { pages: 6, share: 0.9, coverage: 0.5 },
  strangers: { pages: 8, share: 0.9, coverage: 0.5 },
};

export interface PairFacts {
  readonly kinship: Kinship;
  readonly tally: EvidenceTally;
  readonly front: 'agrees' | 'differs' | 'unknown';
  /** The chance that a page visited on both sides was compared: mismatches are found only by samples. */
  readonly rate: number;
  /** How often a verdict on the two had to be taken back. */
  readonly lost: number;
}

/**
 * Whether the two are mirrors, but for `coverage`, which takes longer to find: what is demanded of it.
 * Front pages that differ, or that nobody has seen, raise the demand, as does every verdict that was taken back.
 */
export function demandOf({ kinship, tally, front, lost }: PairFacts): Demand {
  const { pages, share, coverage } = DEMANDS[kinship];
  // Pages that are only alike may be those of two sites made from one template.
  const mostlyAlike = kinship !== 'twins' && tally.exact * 4 < tally.matches;
  const times = (front === 'agrees' ? 1 : 2) * (mostlyAlike ? 2 : 1) * 2 ** Math.min(lost, 3);
  const rest = front === 'agrees' ? 1 : 1.6;
  // No more than the evidence can hold.
  return { pages: Math.min(24, pages * times), share, coverage: coverage * rest };
}

export function meetsDemand(facts: PairFacts, demand: Demand): boolean {
  return facts.tally.distinct >= demand.pages && agreement(facts) >= demand.share;
}

/** The share of common pages that agree: matches from samples and duplicates, mismatches from samples alone. */
export function agreement({ tally, rate }: PairFacts): number {
  const matches = Math.max(tally.matches, tally.sampledMatches / rate);
  return matches === 0 ? 0 : matches / (matches + tally.mismatches / rate);
}
