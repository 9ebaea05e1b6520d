import { hash32 } from '../../simulate/model/seeded-hash.ts';
import type { RecordedGraph } from '../replay/recorded-graph.ts';
import { ranksOf } from '../replay/replay-graph.ts';
import type { ClusterMeasures } from '../report/laboratory-report.ts';
import type { ClusterMode } from './cluster-mode.ts';
import { type ClusterAnswer, simulateCluster } from './simulate-cluster.ts';

export interface ModeComparison {
  readonly nodes: number;
  readonly seed: number;
  /** For each node. */
  readonly partitions?: number;
  /** Numbers of the pages that all start from; a few for each node, drawn by the seed, where none are given. */
  readonly start?: readonly number[];
  /** The orders that the quality is measured with. */
  readonly orders?: readonly string[];
  readonly onDone?: (what: string) => void;
}

export interface ComparedModes {
  readonly modes: readonly ClusterMeasures[];
  readonly exchange: readonly ClusterMeasures[];
  readonly notes: readonly string[];
}

const SEEDS_PER_NODE = 4;
const SEED_DRAW = 1;
const QUALITY_SHARE = 0.25;
const QUALITY_ORDERS = ['breadth-first', 'in-degree'];
const PARTITIONS = 16;
const BATCH = 64;
const POPULAR = [0.001, 0.01, 0.1] as const;

/** The modes of the textbook over the same graph, from the same pages. */
export async function compareModes(graph: RecordedGraph, comparison: ModeComparison): Promise<ComparedModes> {
  const { nodes, partitions = PARTITIONS, orders = QUALITY_ORDERS, start = seedsOf(graph, comparison) } = comparison;
  const web = new ComparedWeb(graph, start);
  const base: ClusterMode = {
    ...{ nodes, assignment: 'dynamic', leavingLinks: 'exchange', partitionBy: 'site', partitions },
    ...{ batch: BATCH, popularLinks: graph.urls.length },
  };
  const modes: readonly (readonly [string, ClusterMode])[] = [
    ['one node', { ...base, nodes: 1 }],
    ['exchange, by site', base],
    ['exchange, by hierarchy', { ...base, partitionBy: 'hierarchy' }],
    ['exchange, by URL hash', { ...base, partitionBy: 'url' }],
    ['firewall, by site', { ...base, assignment: 'static', leavingLinks: 'firewall' }],
    ['cross-over, by site', { ...base, assignment: 'static', leavingLinks: 'cross-over' }],
    ['independent', { ...base, assignment: 'independent' }],
  ];
  const plain = { ...base, popularLinks: 0 };
  const variants: readonly (readonly [string, ClusterMode])[] = [
    ['each page by itself', { ...plain, batch: 1 }],
    ['in batches', plain],
    ['each page by itself', { ...plain, batch: 1, partitions: 1 }],
    ['in batches', { ...plain, partitions: 1 }],
    ...POPULAR.map((share): [string, ClusterMode] => [
      `in batches, ${100 * share} % of URLs not again`,
      { ...base, popularLinks: Math.ceil(share * graph.urls.length) },
    ]),
    ['in batches, none again', base],
  ];
  const measured: ClusterMeasures[] = [];
  for (const [name, mode] of modes) {
    const answer = await simulateCluster({ graph, seeds: start, mode, order: 'breadth-first' });
    const quality: Record<string, number> = {};
    for (const order of orders) {
      const budget = Math.ceil(QUALITY_SHARE * web.reachable);
      const early = await simulateCluster({ graph, seeds: start, mode, order, budget });
      quality[order] = web.quality(early.course.slice(0, budget));
    }
    measured.push(web.measures(name, mode, answer, quality));
    comparison.onDone?.(name);
  }
  const exchange: ClusterMeasures[] = [];
  for (const [name, mode] of variants) {
    const answer = await simulateCluster({ graph, seeds: start, mode, order: 'breadth-first' });
    exchange.push(web.measures(name, mode, answer, {}));
    comparison.onDone?.(`${name}, partitions: ${mode.partitions}`);
  }
  const pages = graph.urls.length;
  const from = `From ${start.length} pages links lead to ${web.reachable} of ${pages}.`;
  return { modes: measured, exchange, notes: [from] };
}

/** A graph and the pages that links lead to from where a crawl starts. */
class ComparedWeb {
  readonly reachable: number;
  readonly #important: Set<number>;

  constructor(graph: RecordedGraph, start: readonly number[]) {
    const reached = reachedFrom(graph, start);
    const ranks = ranksOf(graph);
    this.reachable = reached.length;
    this.#important = new Set(
      reached.sort((a, b) => ranks[b] - ranks[a]).slice(0, Math.ceil(QUALITY_SHARE * reached.length)),
    );
  }

  quality(course: readonly number[]): number {
    return [...new Set(course)].filter((page) => this.#important.has(page)).length / this.#important.size;
  }

  measures(
    name: string,
    mode: ClusterMode,
    { course, fetchedBy, links, messages }: ClusterAnswer,
    quality: Readonly<Record<string, number>>,
  ): ClusterMeasures {
    const atCost = course.slice(0, this.reachable);
    const [different, differentAtLast] = [new Set(atCost).size, new Set(course).size];
    return {
      ...{ name, mode, quality },
      coverage: different / this.reachable,
      overlap: atCost.length / different - 1,
      finalCoverage: differentAtLast / this.reachable,
      finalOverlap: course.length / differentAtLast - 1,
      linksPerPage: links / course.length,
      messagesPerPage: messages / course.length,
      largestShare: Math.max(...fetchedBy) / course.length,
    };
  }
}

function reachedFrom({ starts, targets, urls }: RecordedGraph, start: readonly number[]): number[] {
  const isReached = new Uint8Array(urls.length);
  const reached: number[] = [];
  const reach = (page: number): void => {
    if (isReached[page] === 0) reached.push(page);
    isReached[page] = 1;
  };
  start.forEach(reach);
  // Grows while it is gone through.
  for (const page of reached) targets.subarray(starts[page], starts[page + 1]).forEach(reach);
  return reached;
}

function seedsOf({ urls }: RecordedGraph, { nodes, seed }: ModeComparison): number[] {
  const drawn = Array.from({ length: SEEDS_PER_NODE * nodes }, (_, at) => hash32(seed, at, 0, SEED_DRAW) % urls.length);
  return [...new Set(drawn)];
}
