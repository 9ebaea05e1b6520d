import { fingerprint } from '../../base/fingerprint.ts';
import type { ClusterView } from '../../contracts/state/nodes.ts';

/** A node that partitions can be given to. */
export interface CandidateNode {
  readonly name: string;
  /** Relative to the others; 0 takes nothing. */
  readonly weight: number;
}

/**
 * Which node is to have which partition. Every node reckons it by itself from what the store says, and comes to the same result.
 * Nodes get partitions by their weights, to within one. A node keeps what it has as long as that is not more than its share,
 * so that a node that joins moves its own share and nothing else.
 *
 * `owners`: the node that has each partition now, if any. Answers undefined for partitions that nobody can take.
 */
export function assignPartitions(
  owners: readonly (string | undefined)[],
  nodes: readonly CandidateNode[],
): (string | undefined)[] {
  const shares = sharesOf(owners.length, nodes);
  const room = new Map(shares);
  const assigned: (string | undefined)[] = owners.map(() => undefined);
  for (const [name, share] of shares) {
    const own = [...owners.keys()].filter((partition) => owners[partition] === name);
    for (const partition of own.sort((a, b) => affinity(name, b) - affinity(name, a)).slice(0, share)) {
      assigned[partition] = name;
      room.set(name, (room.get(name) ?? 0) - 1);
    }
  }
  for (const [partition, taken] of assigned.entries()) {
    if (taken !== undefined) continue;
    const best = [...room]
      .filter(([, left]) => left > 0)
      .map(([name]) => ({ name, affinity: affinity(name, partition) }))
      .sort((a, b) => b.affinity - a.affinity)[0];
    if (best === undefined) continue;
    assigned[partition] = best.name;
    room.set(best.name, (room.get(best.name) ?? 0) - 1);
  }
  return assigned;
}

/** A share of the partitions that follows from the number of a node alone. */
export interface StaticShare {
  readonly nodes: number;
  /** Of the node, from 1. */
  readonly number: number;
}

/** Whether a partition is of the share of a node with a fixed number. */
export function isInShare(partition: number, { nodes, number }: StaticShare): boolean {
  return partition % nodes === number - 1;
}

/** Whole shares by weight: what is left over goes to the largest remainders. */
function sharesOf(count: number, nodes: readonly CandidateNode[]): Map<string, number> {
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
function affinity(name: string, partition: number): number {
  return Number(fingerprint(`${name} ${partition}`) >> 11n);
}

/**
 * Who is to have each partition, as one node sees it by what the store says of all. By a fixed share, nobody takes over what is
 * another's, and nobody has that of a node which is not there.
 */
export function assignByView(
  { nodes, partitions }: Pick<ClusterView, 'nodes' | 'partitions'>,
  { name, share }: { readonly name: string; readonly share?: StaticShare },
): (string | undefined)[] {
  const able = nodes.filter(({ isAlive, isDraining }) => isAlive && !isDraining);
  const owners = partitions.map(({ node, hasLapsed }) => (hasLapsed ? undefined : node));
  if (share === undefined) return assignPartitions(owners, able);
  const isDraining = nodes.some((node) => node.name === name && node.isDraining);
  return owners.map((_, partition) => (isInShare(partition, share) && !isDraining ? name : undefined));
}
