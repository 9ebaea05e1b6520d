import { hostnameIn, isAddress, isVariantName } from './name-kinship.ts';

/** What speaks for an origin. */
export interface OriginStanding {
  readonly origin: string;
  /** Pages of either that name this origin in their canonical link. */
  readonly canonicalVotes: number;
  /** Links from other origins. */
  readonly inlinks: number;
  /** ms since the epoch. */
  readonly firstSeen: number;
}

/** More links by chance alone do not decide. */
const CLEAR_LEAD = 2;

/**
 * Which of two origins with the same pages is the original: the one that the pages themselves name, that others link to
 * clearly more, that is https, that has a name, a plain name, a shorter name, that was seen first. Does not depend on the
 * order of the arguments.
 */
export function chooseOriginal(a: OriginStanding, b: OriginStanding): OriginStanding {
  for (const measure of MEASURES) {
    const lead = measure(a, b) - measure(b, a);
    if (lead !== 0) return lead > 0 ? a : b;
  }
  return a.origin <= b.origin ? a : b;
}

/** What speaks for the first against the second; the higher wins. */
const MEASURES: readonly ((own: OriginStanding, other: OriginStanding) => number)[] = [
  ({ canonicalVotes }, other) => (canonicalVotes >= CLEAR_LEAD * Math.max(1, other.canonicalVotes) ? 1 : 0),
  ({ inlinks }, other) => (inlinks >= CLEAR_LEAD * (other.inlinks + 1) ? 1 : 0),
  ({ origin }) => (origin.startsWith('https:') ? 1 : 0),
  ({ origin }) => (isAddress(hostnameIn(origin)) ? 0 : 1),
  ({ origin }) => (isVariantName(hostnameIn(origin)) ? 0 : 1),
  ({ origin }) => -origin.length,
  ({ firstSeen }) => -firstSeen,
];
