import type { ClusterView } from '../../contracts/state/nodes.ts';
import { assignNearest } from './assign-nearest.ts';
import { assignPartitions, isInShare, type StaticShare } from './assign-partitions.ts';

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
  // Those that reckon in different ways would leave partitions to each other.
  if (share === undefined && able.every(({ answerTimes }) => answerTimes !== undefined))
    return assignNearest(owners, able);
  if (share === undefined) return assignPartitions(owners, able);
  const isDraining = nodes.some((node) => node.name === name && node.isDraining);
  return owners.map((_, partition) => (isInShare(partition, share) && !isDraining ? name : undefined));
}
