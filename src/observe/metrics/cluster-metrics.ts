import type { ClusterView, NodeRecord } from '../../contracts/state/nodes.ts';
import { boundedSamples } from './label-counts.ts';
import type { MetricFamily, MetricSource } from './metric.ts';

/** The nodes of a crawl that several share, as the database has them: what `orbweaver cluster` shows. */
export class ClusterMetrics implements MetricSource {
  readonly #cluster: { view(): Promise<ClusterView> };

  constructor(cluster: { view(): Promise<ClusterView> }) {
    this.#cluster = cluster;
  }

  async families(): Promise<MetricFamily[]> {
    const { nodes, partitions, pending } = await this.#cluster.view();
    const states = { busy: 0, idle: 0, draining: 0, gone: 0 };
    for (const node of nodes) states[stateOf(node)]++;
    const free = partitions.filter(({ node, hasLapsed }) => node === undefined || hasLapsed).length;
    return [
      { name: 'orbweaver_cluster_nodes', samples: boundedSamples('state', states) },
      {
        name: 'orbweaver_cluster_partitions',
        samples: boundedSamples('state', { owned: partitions.length - free, free }),
      },
      { name: 'orbweaver_cluster_messages', samples: [{ value: pending }] },
      { name: 'orbweaver_cluster_pages', samples: [{ value: nodes.reduce((sum, { pages }) => sum + pages, 0) }] },
    ];
  }
}

function stateOf({ isAlive, isDraining, idleState }: NodeRecord): 'busy' | 'idle' | 'draining' | 'gone' {
  if (!isAlive) return 'gone';
  if (isDraining) return 'draining';
  return idleState === undefined ? 'busy' : 'idle';
}
