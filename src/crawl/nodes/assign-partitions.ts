import { affinity, type CandidateNode, sharesOf } from './partition-shares.ts';

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
