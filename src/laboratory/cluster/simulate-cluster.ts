import { fingerprint } from '../../base/fingerprint.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { Message } from '../../contracts/state/exchange.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { type LocalPartitions, openLocalPartitions } from '../../engines/open-local-partitions.ts';
import { noBudgets } from '../../frontier/budgets.ts';
import { createOrder, LANES_OF_SCORED_ORDERS } from '../../rank/orders/create-order.ts';
import type { RecordedGraph } from '../replay/recorded-graph.ts';
import { hostOf, NO_REST } from '../replay/replay-graph.ts';
import { type ClusterMode, ownersOf, spreadOf } from './cluster-mode.ts';
import { type FetchedPage, SimulatedNode } from './simulated-node.ts';

export interface ClusterSimulation {
  readonly graph: RecordedGraph;
  /** Numbers of the pages that it starts from. */
  readonly seeds: readonly number[];
  readonly mode: ClusterMode;
  readonly order: string;
  /** Ends when all nodes together have fetched this many pages; else when nothing is left to do. */
  readonly budget?: number;
  /** Requests that a node has under way at a time; default 64. */
  readonly atOnce?: number;
}

export interface ClusterAnswer {
  /** Pages in the order in which they were fetched, by whatever node; those fetched twice stand there twice. */
  readonly course: readonly number[];
  readonly fetchedBy: readonly number[];
  /** Links and messages that went from one node to another. */
  readonly links: number;
  readonly messages: number;
  /** Messages between partitions of one node: they go through the store as well. */
  readonly ownMessages: number;
  /** As long as a request each. */
  readonly steps: number;
}

const FETCH_MS = 1;
const AT_ONCE = 64;

/** Lets simulated nodes crawl a graph, in steps of one fetch: all fetch at once, and what they send arrives with the next step. */
export async function simulateCluster(simulation: ClusterSimulation): Promise<ClusterAnswer> {
  using run = new ClusterRun(simulation);
  await run.start();
  while (await run.step());
  return run.answer();
}

class ClusterRun implements Disposable {
  readonly #simulation: ClusterSimulation;
  readonly #clock = new VirtualClock();
  readonly #stores = new DisposableStack();
  readonly #shared: readonly LocalPartitions[];
  readonly #owners: readonly number[];
  readonly #nodes: readonly SimulatedNode[];
  readonly #fingerprints: BigUint64Array;
  readonly #pageOf: Map<string, number>;
  readonly #course: number[] = [];
  readonly #fetchedBy: number[];
  #onTheirWay: Message[] = [];
  #steps = 0;
  #counts = { links: 0, messages: 0, ownMessages: 0 };

  constructor(simulation: ClusterSimulation) {
    const { graph, mode } = simulation;
    this.#simulation = simulation;
    this.#fingerprints = BigUint64Array.from(graph.urls, fingerprint);
    this.#pageOf = new Map(graph.urls.map((url, page) => [url, page]));
    this.#fetchedBy = Array(mode.nodes).fill(0);
    const isShared = mode.assignment !== 'independent';
    this.#shared = Array.from({ length: isShared ? 1 : mode.nodes }, () => this.#open(spreadOf(mode)));
    this.#owners = isShared ? ownersOf(mode, this.#shared[0].count) : [];
    this.#nodes = this.#fetchedBy.map((_, number) => this.#makeNode(number));
  }

  async start(): Promise<void> {
    const { seeds, mode } = this.#simulation;
    const tasks = seeds.map((page) => this.#seed(page));
    for (const [number, node] of this.#nodes.entries())
      await node.add(mode.assignment === 'independent' ? tasks.filter((_, at) => at % mode.nodes === number) : tasks);
  }

  /** False at the end. */
  async step(): Promise<boolean> {
    const { budget = Number.POSITIVE_INFINITY } = this.#simulation;
    const arrived = Map.groupBy(this.#onTheirWay, ({ to }) => this.#owners[to]);
    let isAtWork = this.#onTheirWay.length > 0;
    this.#onTheirWay = [];
    for (const [number, node] of this.#nodes.entries()) {
      await node.receive(arrived.get(number) ?? []);
      isAtWork = (await this.#fetch(number, node)) || isAtWork;
    }
    this.#clock.advance(FETCH_MS);
    this.#steps++;
    return isAtWork && this.#course.length < budget;
  }

  answer(): ClusterAnswer {
    return { course: this.#course, fetchedBy: this.#fetchedBy, steps: this.#steps, ...this.#counts };
  }

  [Symbol.dispose](): void {
    this.#stores.dispose();
  }

  async #fetch(number: number, node: SimulatedNode): Promise<boolean> {
    const { mode, atOnce = AT_ONCE } = this.#simulation;
    const { claims, isBeyond } = await node.claim(atOnce);
    for (let at = 0; at < claims.length; at += mode.batch) {
      const settlements = [];
      for (const claim of claims.slice(at, at + mode.batch)) {
        const page = this.#pageOf.get(claim.task.url) as number;
        this.#course.push(page);
        this.#fetchedBy[number]++;
        settlements.push(await node.visit(claim, this.#fetched(page), isBeyond));
      }
      await node.settle(settlements, isBeyond);
      for (const store of this.#shared) this.#send(store.takeMessages());
    }
    return claims.length > 0;
  }

  #send(messages: readonly Message[]): void {
    for (const message of messages) {
      this.#onTheirWay.push(message);
      if (this.#owners[message.from] === this.#owners[message.to]) {
        this.#counts.ownMessages++;
        continue;
      }
      this.#counts.messages++;
      this.#counts.links += message.body.kind === 'links' ? message.body.tasks.length : 0;
    }
  }

  #makeNode(number: number): SimulatedNode {
    const { mode, order: name } = this.#simulation;
    const now = (): number => this.#clock.now();
    const isShared = mode.assignment !== 'independent';
    const store = this.#shared[isShared ? 0 : number];
    const own = isShared ? store.all.filter((_, partition) => this.#owners[partition] === number) : store.all;
    const order = createOrder({ order: name, lanes: LANES_OF_SCORED_ORDERS, now });
    const crosses = mode.leavingLinks === 'cross-over';
    const [beyond] = crosses ? this.#open({ count: 1, byDomain: false, by: 'site' }).all : [];
    return new SimulatedNode({
      ...{ mode, partitions: store, own, order, now },
      ...(beyond === undefined ? {} : { beyond: beyond.frontier }),
    });
  }

  #open(spread: ReturnType<typeof spreadOf>): LocalPartitions {
    const order = createOrder({ order: this.#simulation.order, lanes: LANES_OF_SCORED_ORDERS, now: () => 0 });
    const options: FrontierOptions = {
      ...{ politeness: NO_REST, budgets: noBudgets, leaseMs: 600_000, lanes: LANES_OF_SCORED_ORDERS },
      ...{ laneChoice: 'strict', order: order.within, movable: order.moves, maxRefusals: 0 },
      ...{ addressFirst: false, byAddress: false, byDomain: false },
    };
    return this.#stores.use(openLocalPartitions({ spread, clock: this.#clock, random: () => 0.5, options }));
  }

  #seed(page: number): CrawlTask {
    const url = this.#simulation.graph.urls[page] as CanonicalUrl;
    const place = { depth: 0, redirects: 0, lane: 0 };
    return { url, host: this.#hostOf(page), ...place, discovery: { how: 'seed' }, purpose: 'page' };
  }

  #fetched(page: number): FetchedPage {
    const { starts, targets, urls } = this.#simulation.graph;
    const linked = targets.subarray(starts[page], starts[page + 1]);
    return {
      fingerprint: this.#fingerprints[page],
      links: BigUint64Array.from(linked, (target) => this.#fingerprints[target]),
      hostOf: (place) => this.#hostOf(linked[place]),
      urlOf: (place) => urls[linked[place]] as CanonicalUrl,
    };
  }

  /** Partitioned by URL, a host has no owner: every URL stands for itself. */
  #hostOf(page: number): HostKey {
    const url = this.#simulation.graph.urls[page];
    return this.#simulation.mode.partitionBy === 'url' ? (url as HostKey) : hostOf(url);
  }
}
