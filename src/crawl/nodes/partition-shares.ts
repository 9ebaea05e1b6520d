import { fingerprint } from '../../base/fingerprint.ts';

/** A node that partitions can be given to. */
export interface CandidateNode {
  readonly name: string;
  /** Relative to the others; 0 takes nothing. */
  readonly weight: number;
}

/** Whole shares by weight: what is left over goes to the largest remainders. */
export function sharesOf(count: number, nodes: readonly CandidateNode[]): Map<string, number> {
  const able = nodes.filter(({ weight }) => weight > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
  const total = able.reduce((sum, { weight }) => sum + weight, 0);
  const exact = able.map(({ name, weight }) => ({ name, share: (count * weight) / total }));
  const shares = new Map(exact.map(({ name, share }) => [name, Math.floor(share)]));
  const left = count - [...shares.values()].reduce((sum, share) => sum + share, 0);
  const byRemainder = exact.toSorted((a, b) => (b.share % 1) - (a.share % 1) || (a.name < b.name ? -1 : 1));
  for (const { name } of byRemainder.slice(0, able.length === 0 ? 0 : left))
    shares.set(name, (shares.get(name) ?? 0) + 1);
  return shares;
}

/** Spreads partitions over nodes alike wherever it is reckoned. */
export function affinity(name: string, partition: number): number {
  return Number(fingerprint(`${name} ${partition}`) >> 11n);
}
