import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { Claim, CrawlTask, Settlement } from '../../contracts/crawl-task.ts';
import type { Frontier } from '../../contracts/frontier.ts';
import type { Message } from '../../contracts/state/exchange.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { Partitions } from '../../contracts/state/partitions.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { NodeFrontier } from '../../crawl/nodes/node-frontier.ts';
import { NodePartitions } from '../../crawl/nodes/node-partitions.ts';
import type { ClusterMode } from './cluster-mode.ts';

export interface SimulatedNodeParts {
  readonly mode: ClusterMode;
  readonly partitions: Pick<Partitions, 'count' | 'partitionOf'>;
  readonly own: readonly OwnedPartition[];
  /** Holds what it finds of the shares of others, for when it has nothing else to do: cross-over. */
  readonly beyond?: Frontier;
  readonly order: CrawlOrder;
  readonly now: () => number;
}

/** A page as a node has fetched it. */
export interface FetchedPage {
  readonly fingerprint: bigint;
  readonly links: BigUint64Array;
  /** The key of the host that the link at a place leads to. */
  hostOf(place: number): HostKey;
  urlOf(place: number): CanonicalUrl;
}

const FETCH_MS = 1;
/** A page of which nothing else is kept: this is about the way, not about what lies on it. */
const STORED: Settlement['outcome'] = { kind: 'stored' };

/** A node with the frontier that real nodes have; only what is fetched is made up. */
export class SimulatedNode {
  readonly #parts: SimulatedNodeParts;
  readonly #frontier: NodeFrontier;

  constructor(parts: SimulatedNodeParts) {
    const { mode, own, now } = parts;
    this.#parts = parts;
    const partitions = new NodePartitions(parts.partitions, () => {});
    for (const partition of own) partitions.attach(partition);
    const numbers = new Set(own.map(({ lease }) => lease.partition));
    this.#frontier = new NodeFrontier({
      ...{ partitions, now, check: () => {}, keepLearnt: async () => {}, popularLinks: mode.popularLinks },
      ...(mode.leavingLinks === 'firewall' ? { follows: (number: number) => numbers.has(number) } : {}),
    });
  }

  async add(tasks: readonly CrawlTask[]): Promise<void> {
    await this.#frontier.add(tasks.map((task) => ({ ...task, ...this.#parts.order.place(task) })));
  }

  async receive(messages: readonly Message[]): Promise<void> {
    await this.#frontier.acceptEach(messages);
  }

  /** The next pages of its share; where there are none at all, of those of others that it knows. */
  async claim(max: number): Promise<{ readonly claims: readonly Claim[]; readonly isBeyond: boolean }> {
    const claims = await this.#frontier.claim(max);
    const { beyond } = this.#parts;
    if (claims.length > 0 || beyond === undefined || (await this.#frontier.nextDue()) !== undefined)
      return { claims, isBeyond: false };
    return { claims: await beyond.claim(max), isBeyond: true };
  }

  async visit(claim: Claim, page: FetchedPage, isBeyond: boolean): Promise<Settlement> {
    const { order, beyond, now } = this.#parts;
    const { links, hostOf, urlOf } = page;
    const [{ unknown, foreign }] = await this.#frontier.unknown([{ fingerprints: links, host: hostOf }]);
    const wanted = [...unknown, ...foreign].sort((a, b) => a - b);
    const visit = { task: claim.task, fingerprint: page.fingerprint, at: now(), found: true, links, unknown: wanted };
    const moves = order.visited(visit);
    const taskOf = (place: number): CrawlTask => {
      const discovery = { how: 'link', from: claim.task.url } as const;
      const plain = { url: urlOf(place), fingerprint: links[place], host: hostOf(place), redirects: 0, lane: 0 };
      const task: CrawlTask = { ...plain, depth: claim.task.depth + 1, discovery, purpose: 'page' };
      return { ...task, ...order.place(task) };
    };
    const settlement = { claim, outcome: STORED, use: { fetchMs: FETCH_MS, bytes: 0, endedAt: now() }, moves };
    if (beyond === undefined) return { ...settlement, links: wanted.map(taskOf) };
    // What it finds is its own, or waits for when it has nothing else to do; nobody is told.
    await beyond.add(foreign.map(taskOf));
    if (!isBeyond) return { ...settlement, links: unknown.map(taskOf) };
    await this.#frontier.add(unknown.map(taskOf));
    return settlement;
  }

  async settle(settlements: readonly Settlement[], isBeyond: boolean): Promise<void> {
    await (isBeyond ? this.#parts.beyond : this.#frontier)?.settle(settlements);
  }
}
