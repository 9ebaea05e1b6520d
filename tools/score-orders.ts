/**
 * Which order finds the important pages first: the share of all PageRank after 1, 5, 10 and 25 % of the pages.
 * `npx node tools/score-orders.ts [--json] [--graph hollins|mdn|synthetic] [--pages N] [--order ORDER]… [--queue frontier|lanes]`
 *
 * Over the web graphs of the data set with the real frontier, and over a synthetic web of a million pages with bare queues
 * (`--queue` sets one for all; the frontier takes about a millisecond for each page). `omniscient` takes the best pages of
 * the whole graph, whether a link leads there or not; `reachable` the best of all pages that links are known to, by
 * their true PageRank. No order can pass the first; only one that guesses what lies behind a page can pass the second.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { BinaryHeap } from '../src/base/binary-heap.ts';
import { generateGraph, startOfGenerated } from '../src/laboratory/generated-graph.ts';
import { LaneQueue } from '../src/laboratory/lane-queue.ts';
import { type RecordedGraph, RecordedGraphBuilder } from '../src/laboratory/recorded-graph.ts';
import { ranksOf, replayGraph } from '../src/laboratory/replay-graph.ts';
import { corpus } from '../test/corpora.ts';

export const SHARES = [0.01, 0.05, 0.1, 0.25] as const;
export const ORDERS = [
  'breadth-first',
  'depth-first',
  'in-degree',
  'opic',
  'pagerank',
  'host-rank',
  'best-first',
] as const;

export interface OrderScore {
  readonly graph: string;
  readonly order: string;
  /** Share of all PageRank after each of `SHARES`. */
  readonly shares: readonly number[];
  /** Places given to waiting URLs for each fetch. */
  readonly movesPerFetch?: number;
  readonly seconds: number;
}

export interface NamedGraph {
  readonly name: string;
  readonly graph: RecordedGraph;
  readonly start: number;
}

export function webGraph(folder: string, name: 'hollins' | 'mdn'): NamedGraph {
  const urls =
    name === 'hollins'
      ? linesOf(join(folder, 'hollins-nodes.txt.gz')).map((line) => line.trim())
      : linesOf(join(folder, 'mdn-nodes.jsonl.gz')).map((line) => (JSON.parse(line) as { url: string }).url);
  const builder = new RecordedGraphBuilder();
  for (const line of linesOf(join(folder, `${name}-edges.tsv.gz`))) {
    // An anchor text may go on in lines of its own.
    const edge = /^(\d+)\t(\d+)(?:\t|$)/.exec(line);
    if (edge !== null) builder.add(Number(edge[1]), Number(edge[2]));
  }
  const start = name === 'hollins' ? 'http://www.hollins.edu/' : 'https://developer.mozilla.org/en-US/docs/Web';
  return { name, graph: builder.build(urls), start: urls.indexOf(start) };
}

export function syntheticGraph(pages: number, seed = 1): NamedGraph {
  const options = { pages, seed };
  const graph = generateGraph(options);
  return { name: `synthetic ${pages}`, graph, start: startOfGenerated(graph, options) };
}

export async function scoreOrders(
  { name, graph, start }: NamedGraph,
  orders: readonly string[],
  queue: 'frontier' | 'lanes',
): Promise<OrderScore[]> {
  const ranks = ranksOf(graph);
  const pages = graph.urls.length;
  const checkpoints = SHARES.map((share) => Math.round(share * pages));
  const budget = checkpoints[checkpoints.length - 1];
  const scores: OrderScore[] = [];
  for (const order of orders) {
    const began = performance.now();
    const answer = await replayGraph({
      graph,
      seeds: [start],
      order,
      budget,
      checkpoints,
      ranks,
      atOnce: Math.max(1, Math.round(pages / 50_000)),
      openFrontier: queue === 'lanes' ? (needs) => new LaneQueue(needs) : undefined,
    });
    const seconds = (performance.now() - began) / 1000;
    const movesPerFetch = answer.moves / answer.fetched;
    scores.push({ graph: name, order, shares: answer.pageRankShares, movesPerFetch, seconds });
  }
  const bound = (order: string, course: Uint32Array): OrderScore => ({
    graph: name,
    order,
    shares: checkpoints.map((count) => course.subarray(0, count).reduce((sum, page) => sum + ranks[page], 0)),
    seconds: 0,
  });
  return [
    ...scores,
    bound('(reachable)', bestReachable(graph, start, ranks, budget)),
    bound(
      '(omniscient)',
      Uint32Array.from(ranks.keys()).sort((a, b) => ranks[b] - ranks[a]),
    ),
  ];
}

function bestReachable(graph: RecordedGraph, start: number, ranks: Float64Array, budget: number): Uint32Array {
  const known = new Uint8Array(graph.urls.length);
  const waiting = new BinaryHeap<number>((one, other) => ranks[one] > ranks[other]);
  const course: number[] = [];
  known[start] = 1;
  waiting.push(start);
  for (let page = waiting.pop(); page !== undefined && course.length < budget; page = waiting.pop()) {
    course.push(page);
    for (let at = graph.starts[page]; at < graph.starts[page + 1]; at++) {
      const target = graph.targets[at];
      if (known[target] === 1) continue;
      known[target] = 1;
      waiting.push(target);
    }
  }
  return Uint32Array.from(course);
}

function linesOf(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
}

function print(scores: readonly OrderScore[]): void {
  const breadth = scores.find(({ order }) => order === 'breadth-first')?.shares[2];
  console.log(`\n${scores[0].graph}: share of PageRank after ${SHARES.map((share) => `${100 * share} %`).join(', ')}`);
  for (const { order, shares, movesPerFetch, seconds } of scores) {
    const times = breadth === undefined ? '' : `${(shares[2] / breadth).toFixed(2)} x breadth-first at 10 %`;
    const cost =
      movesPerFetch === undefined ? '' : `${movesPerFetch.toFixed(1)} moves a fetch, ${seconds.toFixed(1)} s`;
    console.log(`  ${order.padEnd(28)} ${shares.map((share) => share.toFixed(3)).join('  ')}   ${times}   ${cost}`);
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      graph: { type: 'string', multiple: true, default: ['hollins', 'mdn', 'synthetic'] },
      pages: { type: 'string', default: '1000000' },
      order: { type: 'string', multiple: true, default: [...ORDERS] },
      queue: { type: 'string' },
    },
  });
  const all: OrderScore[] = [];
  for (const name of values.graph) {
    const folder = corpus('web-graph');
    if (name !== 'synthetic' && folder === undefined) continue;
    const graph =
      name === 'synthetic'
        ? syntheticGraph(Number(values.pages))
        : webGraph(folder as string, name as 'hollins' | 'mdn');
    const queue = (values.queue ?? (name === 'synthetic' ? 'lanes' : 'frontier')) === 'lanes' ? 'lanes' : 'frontier';
    const scores = await scoreOrders(graph, values.order, queue);
    all.push(...scores);
    if (!values.json) print(scores);
  }
  if (values.json) console.log(JSON.stringify(all));
}
