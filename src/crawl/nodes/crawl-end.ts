import type { ClusterView } from '../../contracts/state/nodes.ts';

/**
 * Whether nothing is left to do anywhere: every partition has an owner that lives, each of these had nothing to do and has committed
 * nothing since, no message is on its way, and nothing was committed while all that was read.
 */
export function isCrawlOver({ nodes, partitions, pending, isStill }: ClusterView): boolean {
  if (!isStill || pending > 0) return false;
  const commits = new Map<string, number>();
  for (const { node, commits: count, hasLapsed } of partitions) {
    if (node === undefined || hasLapsed) return false;
    commits.set(node, (commits.get(node) ?? 0) + count);
  }
  return [...commits].every(([owner, count]) => {
    const node = nodes.find(({ name }) => name === owner);
    return node?.isAlive === true && node.idleCommits === count;
  });
}
