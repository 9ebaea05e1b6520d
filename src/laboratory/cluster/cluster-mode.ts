import { assignPartitions, isInShare } from '../../crawl/nodes/assign-partitions.ts';
import type { HostSpread } from '../../frontier/partition-of.ts';

/** How simulated nodes share a crawl: the settings of a crawl of nodes, and the modes that no crawl may have. */
export interface ClusterMode {
  readonly nodes: number;
  readonly assignment: 'dynamic' | 'static' | 'independent';
  readonly leavingLinks: 'exchange' | 'firewall' | 'cross-over';
  readonly partitionBy: 'site' | 'hierarchy' | 'url';
  /** For each node. */
  readonly partitions: number;
  /** Pages of a node that are settled together. */
  readonly batch: number;
  readonly popularLinks: number;
}

/** Each node of independent ones has a crawl of its own. Where the URL decides, the key of a host is the URL. */
export function spreadOf({ nodes, assignment, partitionBy, partitions }: ClusterMode): HostSpread {
  const count = assignment === 'independent' ? 1 : nodes * partitions;
  return { count, byDomain: false, by: partitionBy === 'hierarchy' ? 'hierarchy' : 'site' };
}

/** The node of each partition, by the rules of real nodes. */
export function ownersOf({ nodes, assignment }: ClusterMode, partitions: number): number[] {
  const numbers = [...Array(nodes).keys()];
  if (assignment === 'static')
    return Array.from({ length: partitions }, (_, partition) =>
      numbers.findIndex((at) => isInShare(partition, { nodes, number: at + 1 })),
    );
  const candidates = numbers.map((at) => ({ name: String(at), weight: 1 }));
  return assignPartitions(Array(partitions).fill(undefined), candidates).map(Number);
}
