import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprint } from '../../base/fingerprint.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { Claim, CrawlTask, Settlement } from '../../contracts/crawl-task.ts';
import type { Frontier } from '../../contracts/frontier.ts';
import type { PolitenessPolicy } from '../../contracts/state/frontier-options.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { openCrawlState, openOnlyPartition } from '../../engines/open-state.ts';
import { noBudgets } from '../../frontier/budgets.ts';
import type { LaneChoice } from '../../frontier/front-queues.ts';
import { defaultPoliteness } from '../../frontier/politeness.ts';
import { LinkGraphBuilder } from '../../rank/graph/link-graph.ts';
import { pageRank } from '../../rank/graph/page-rank.ts';
import { createOrder, LANES_OF_SCORED_ORDERS } from '../../rank/orders/create-order.ts';
import type { RecordedGraph } from './recorded-graph.ts';

export interface GraphReplay {
  readonly graph: RecordedGraph;
  /** Numbers of the pages that it starts from. */
  readonly seeds: readonly number[];
  readonly order: string | CrawlOrder;
  /** Pages to fetch at most; all of them if absent. */
  readonly budget?: number;
  /** Numbers of pages, ascending, after which it is measured. */
  readonly checkpoints: readonly number[];
  /** PageRank of the whole graph, where it is known already. */
  readonly ranks?: Float64Array;
  readonly lanes?: number;
  /** Fetches under way at the same time. Default 1: every decision is made with all that is known by then. */
  readonly atOnce?: number;
  /** Default: no rest between the requests to a host. */
  readonly politeness?: PolitenessPolicy;
  /** How a front queue is chosen; strictly by default. `random` draws where it is biased. */
  readonly choice?: LaneChoice;
  readonly random?: () => number;
  /** Default: the embedded engine in a folder that is removed afterwards. */
  readonly openFrontier?: (needs: ReplayedFrontierNeeds) => ReplayedFrontier & AsyncDisposable;
}

export interface ReplayedFrontierNeeds {
  readonly clock: VirtualClock;
  readonly lanes: number;
  readonly within: 'fifo' | 'lifo';
  readonly movable: boolean;
  readonly politeness: PolitenessPolicy;
  readonly choice: LaneChoice;
  readonly random: () => number;
}

/** What a replay asks of a frontier. */
export type ReplayedFrontier = Pick<Frontier, 'unknown' | 'add' | 'claim' | 'settle' | 'nextDue'>;

export interface GraphReplayAnswer {
  readonly fetched: number;
  /** Share of all PageRank in the pages fetched by each checkpoint; shorter where the graph ends before. */
  readonly pageRankShares: readonly number[];
  /** Pages in the order in which they were fetched. */
  readonly course: Uint32Array;
  /** How often a waiting URL was given another place. */
  readonly moves: number;
  /** Virtual time from the first fetch to the last. */
  readonly tookMs: number;
}

export const NO_REST: PolitenessPolicy = { ...defaultPoliteness, minimumDelayMs: 0, delayFactor: 0 };
/** How long every fetch takes. */
export const FETCH_MS = 1;

/** Crawls a graph with the frontier and the order that a crawl uses; only the fetches are made up. */
export async function replayGraph(replay: GraphReplay): Promise<GraphReplayAnswer> {
  const clock = new VirtualClock();
  const { order, lanes } = orderOf(replay, clock);
  const needs: ReplayedFrontierNeeds = {
    clock,
    lanes,
    within: order.within,
    movable: order.moves,
    politeness: replay.politeness ?? NO_REST,
    choice: replay.choice ?? 'strict',
    random: replay.random ?? (() => 0.5),
  };
  await using frontier = await (replay.openFrontier ?? openDefaultFrontier)(needs);
  const run = new ReplayRun(replay, order, frontier, clock);
  await run.start();
  while (await run.step());
  return run.answer();
}

class ReplayRun {
  readonly #graph: RecordedGraph;
  readonly #replay: GraphReplay;
  readonly #order: CrawlOrder;
  readonly #frontier: ReplayedFrontier;
  readonly #clock: VirtualClock;
  readonly #fingerprints: BigUint64Array;
  readonly #pageOf: Map<string, number>;
  readonly #course: Uint32Array;
  readonly #startedAt: number;
  #fetched = 0;
  #moves = 0;

  constructor(replay: GraphReplay, order: CrawlOrder, frontier: ReplayedFrontier, clock: VirtualClock) {
    this.#graph = replay.graph;
    this.#replay = replay;
    this.#order = order;
    this.#frontier = frontier;
    this.#clock = clock;
    this.#startedAt = clock.now();
    const pages = this.#graph.urls.length;
    this.#fingerprints = BigUint64Array.from(this.#graph.urls, fingerprint);
    this.#pageOf = new Map(this.#graph.urls.map((url, page) => [url, page]));
    this.#course = new Uint32Array(Math.min(pages, replay.budget ?? pages));
  }

  async start(): Promise<void> {
    const seeds = this.#replay.seeds.map((page) => this.#task(page, 0, undefined));
    await this.#frontier.add(seeds);
  }

  /** False at the end. */
  async step(): Promise<boolean> {
    const room = this.#course.length - this.#fetched;
    if (room === 0) return false;
    const claims = await this.#frontier.claim(Math.min(room, this.#replay.atOnce ?? 1));
    if (claims.length === 0) {
      const due = await this.#frontier.nextDue();
      if (due === undefined) return false;
      this.#clock.advanceTo(due);
      return true;
    }
    this.#clock.advance(FETCH_MS);
    const settlements: Settlement[] = [];
    for (const claim of claims) settlements.push(await this.#visit(claim));
    await this.#frontier.settle(settlements);
    return true;
  }

  answer(): GraphReplayAnswer {
    const ranks = this.#replay.ranks ?? ranksOf(this.#graph);
    const course = this.#course.subarray(0, this.#fetched);
    return {
      fetched: this.#fetched,
      pageRankShares: sharesAt(course, ranks, this.#replay.checkpoints),
      course,
      moves: this.#moves,
      tookMs: this.#clock.now() - this.#startedAt,
    };
  }

  async #visit(claim: Claim): Promise<Settlement> {
    const { task } = claim;
    const page = this.#pageOf.get(task.url) as number;
    this.#course[this.#fetched++] = page;
    const { starts, targets } = this.#graph;
    const linked = targets.subarray(starts[page], starts[page + 1]);
    const links = new BigUint64Array(linked.length);
    for (let at = 0; at < linked.length; at++) links[at] = this.#fingerprints[linked[at]];
    const [{ unknown }] = await this.#frontier.unknown([
      { fingerprints: links, host: (at) => hostOf(this.#graph.urls[linked[at]]) },
    ]);
    const at = this.#clock.now();
    const moves = this.#order.visited({
      task,
      fingerprint: this.#fingerprints[page],
      at,
      found: true,
      links,
      unknown,
    });
    this.#moves += moves.length;
    return {
      claim,
      outcome: OUTCOME,
      use: { fetchMs: FETCH_MS, bytes: 0, endedAt: at },
      moves,
      links: unknown.map((place) => this.#task(linked[place], task.depth + 1, task.url)),
    };
  }

  #task(page: number, depth: number, from: CanonicalUrl | undefined): CrawlTask {
    const url = this.#graph.urls[page] as CanonicalUrl;
    const task: CrawlTask = {
      url,
      fingerprint: this.#fingerprints[page],
      host: hostOf(url),
      depth,
      redirects: 0,
      lane: 0,
      discovery: from === undefined ? { how: 'seed' } : { how: 'link', from },
      purpose: 'page',
    };
    return { ...task, ...this.#order.place(task) };
  }
}

/** A page with content of which nothing else is kept: a replay is about the way, not about what lies on it. */
const OUTCOME: Settlement['outcome'] = { kind: 'stored' };

function orderOf({ order, lanes }: GraphReplay, clock: VirtualClock): { order: CrawlOrder; lanes: number } {
  const count = lanes ?? LANES_OF_SCORED_ORDERS;
  if (typeof order !== 'string') return { order, lanes: count };
  return { order: createOrder({ order, lanes: count, now: () => clock.now() }), lanes: count };
}

async function openDefaultFrontier(needs: ReplayedFrontierNeeds): Promise<ReplayedFrontier & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-replay-'));
  const state = openCrawlState({
    ...{ folder, clock: needs.clock, random: needs.random },
    options: {
      cacheBytes: 256 * 2 ** 20,
      politeness: needs.politeness,
      budgets: noBudgets,
      leaseMs: 600_000,
      lanes: needs.lanes,
      laneChoice: needs.choice,
      order: needs.within,
      movable: needs.movable,
      addressFirst: false,
      byAddress: false,
      byDomain: false,
      maxRefusals: 0,
    },
  });
  const { frontier } = await openOnlyPartition(state);
  return Object.assign(frontier, {
    [Symbol.asyncDispose]: async () => {
      await state[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** PageRank of every page of the graph. */
export function ranksOf(graph: RecordedGraph): Float64Array {
  const builder = new LinkGraphBuilder({ nodes: graph.urls.length });
  for (let page = 0; page < graph.urls.length; page++) {
    for (let at = graph.starts[page]; at < graph.starts[page + 1]; at++) builder.add(page, graph.targets[at]);
  }
  return pageRank(builder.build()).ranks;
}

function sharesAt(course: Uint32Array, ranks: Float64Array, checkpoints: readonly number[]): number[] {
  const shares: number[] = [];
  let sum = 0;
  for (let at = 0; at < course.length && shares.length < checkpoints.length; at++) {
    sum += ranks[course[at]];
    while (checkpoints[shares.length] === at + 1) shares.push(sum);
  }
  return shares;
}

export function hostOf(url: string): HostKey {
  const start = url.indexOf('://') + 3;
  const end = url.indexOf('/', start);
  return (end < 0 ? url.slice(start) : url.slice(start, end)) as HostKey;
}
