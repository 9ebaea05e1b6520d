import { fingerprint } from '../../base/fingerprint.ts';
import type { ClusterView, HeldPartition } from '../../contracts/state/nodes.ts';

/** What a node has, and what it knows of the seeds, as a short text: as long as that is the same, nothing has changed. */
export function idleState(recordVersion: number, held: readonly HeldPartition[]): string {
  const parts = held
    .toSorted((a, b) => a.partition - b.partition)
    .map(({ partition, epoch, commits }) => `${partition}.${epoch}.${commits}`);
  return `${recordVersion}-${fingerprint(parts.join(' ')).toString(36)}`;
}

/**
 * Whether nothing is left to do anywhere: every partition has an owner that lives, each of these knew the seeds of this version of the record,
 * had nothing to do in exactly these partitions and has committed nothing since, no message is on its way, and nothing was committed while all that was read.
 */
export function isCrawlOver({ nodes, partitions, pending, isStill }: ClusterView, recordVersion: number): boolean {
  if (!isStill || pending > 0) return false;
  if (partitions.some(({ node, hasLapsed }) => node === undefined || hasLapsed)) return false;
  return [...Map.groupBy(partitions, ({ node }) => node)].every(([owner, held]) => {
    const node = nodes.find(({ name }) => name === owner);
    return node?.isAlive === true && node.idleState === idleState(recordVersion, held);
  });
}
