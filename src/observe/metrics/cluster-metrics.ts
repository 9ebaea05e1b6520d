import { type Clock, systemClock } from '../../base/clock.ts';
import type { ClusterView, NodeRecord } from '../../contracts/state/nodes.ts';
import { openCluster } from '../../crawl/nodes/cluster-view.ts';
import { boundedSamples } from './label-counts.ts';
import type { MetricFamily, MetricSource } from './metric.ts';

/** The database is asked no more often, however many scrape. */
const LEAST_AGE_MS = 5000;

type OpenedCluster = Awaited<ReturnType<typeof openCluster>>;

/** The nodes of a crawl that several share, as the database has them: what `orbweaver cluster` shows. */
export class ClusterMetrics implements MetricSource, AsyncDisposable {
  readonly #store: string;
  readonly #clock: Clock;
  #cluster: Promise<OpenedCluster> | undefined;
  #last: { readonly view: Promise<ClusterView>; readonly at: number } | undefined;

  constructor(store: string, clock: Clock = systemClock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Not older than a few seconds. Rejects where the database cannot be reached. */
  view(): Promise<ClusterView> {
    const now = this.#clock.now();
    if (this.#last !== undefined && now - this.#last.at < LEAST_AGE_MS) return this.#last.view;
    const view = this.#look();
    this.#last = { view, at: now };
    // Whoever asked is told; here it only must not be an unhandled rejection.
    view.catch(() => {});
    return view;
  }

  async families(): Promise<MetricFamily[]> {
    const { nodes, partitions, pending } = await this.view();
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

  async [Symbol.asyncDispose](): Promise<void> {
    const cluster = await this.#cluster?.catch(() => undefined);
    await cluster?.[Symbol.asyncDispose]();
  }

  async #look(): Promise<ClusterView> {
    this.#cluster ??= openCluster(this.#store);
    try {
      return await (await this.#cluster).nodes.view();
    } catch (error) {
      const broken = this.#cluster;
      this.#cluster = undefined;
      await (await broken?.catch(() => undefined))?.[Symbol.asyncDispose]();
      throw error;
    }
  }
}

function stateOf({ isAlive, isDraining, idleState }: NodeRecord): 'busy' | 'idle' | 'draining' | 'gone' {
  if (!isAlive) return 'gone';
  if (isDraining) return 'draining';
  return idleState === undefined ? 'busy' : 'idle';
}
