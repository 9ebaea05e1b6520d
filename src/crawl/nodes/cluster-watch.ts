import { type Clock, systemClock } from '../../base/clock.ts';
import type { ClusterView } from '../../contracts/state/nodes.ts';
import { openCluster } from './cluster-view.ts';

/** The database is asked no more often, however many want to know. */
const LEAST_AGE_MS = 5000;

type OpenedCluster = Awaited<ReturnType<typeof openCluster>>;

/** The cluster for those who look at it again and again: one connection, which is made again after it was lost. */
export class ClusterWatch implements AsyncDisposable {
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
