import { type Clock, systemClock } from '../../../base/clock.ts';
import type { ClusterView } from '../../../contracts/state/nodes.ts';
import type { ClusterWatch } from '../../../crawl/nodes/cluster-watch.ts';
import type { SearchThreads } from '../../../search/threads/search-threads.ts';
import type { AskedNodes } from '../../arguments/asked-crawl.ts';
import type { FoundPlaces } from '../../arguments/searched-places.ts';

export interface FollowedNodes extends Pick<AskedNodes, 'placesOf'> {
  readonly cluster: { view(): Promise<ClusterView> };
  readonly search: Pick<SearchThreads, 'moveTo'>;
  /** What is searched, and what is not, when it begins. */
  readonly found: FoundPlaces;
  readonly clock: Clock;
  readonly tell: (line: string) => void;
}

/** The cluster is looked at this often, whatever is searched. */
const LOOK_EVERY_MS = 5000;

/** Lets a search follow the nodes of its crawl until it is disposed of: those that come are searched, those that have gone are not. */
export class NodeFollower implements AsyncDisposable {
  readonly #followed: FollowedNodes;
  readonly #stopped = new AbortController();
  readonly #loop: Promise<void>;
  #searched: string;
  /** Nodes that it was said of that they are not searched. */
  #missing: ReadonlySet<string>;
  /** Said once, not with every look. */
  #fault: string | undefined;

  constructor(followed: FollowedNodes) {
    this.#followed = followed;
    this.#searched = JSON.stringify(followed.found.places);
    this.#missing = new Set(followed.found.missing.keys());
    this.#loop = this.#follow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
  }

  async #follow(): Promise<void> {
    const { clock, tell } = this.#followed;
    const { signal } = this.#stopped;
    // A database that does not answer keeps nobody from ending.
    const ended = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal);
      try {
        const view = signal.aborted ? undefined : await Promise.race([this.#followed.cluster.view(), ended]);
        if (view !== undefined) await this.#take(view);
        this.#fault = undefined;
      } catch (error) {
        const { message } = error as Error;
        if (message !== this.#fault && !signal.aborted) tell(`The search stays with the nodes that it has: ${message}`);
        this.#fault = message;
      }
    }
  }

  async #take({ nodes }: ClusterView): Promise<void> {
    const { placesOf, search, tell } = this.#followed;
    const { places, missing } = placesOf(nodes);
    const searched = JSON.stringify(places);
    if (searched !== this.#searched) await search.moveTo(places);
    this.#searched = searched;
    for (const [name, line] of missing) if (!this.#missing.has(name)) tell(line);
    this.#missing = new Set(missing.keys());
  }
}

/** Lets a search follow the nodes that it was opened with; it ends with the stack. */
export async function followNodes(
  { store, placesOf, found }: AskedNodes,
  search: SearchThreads,
  opened: AsyncDisposableStack,
): Promise<ClusterWatch> {
  const { ClusterWatch } = await import('../../../crawl/nodes/cluster-watch.ts');
  const cluster = opened.use(new ClusterWatch(store));
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  opened.use(new NodeFollower({ cluster, placesOf, found, search, clock: systemClock, tell }));
  return cluster;
}
