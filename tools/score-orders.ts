/**
 * Which order finds the important pages first: the share of all PageRank after 1, 5, 10 and 25 % of the pages.
 * `npx node tools/score-orders.ts [--json] [--graph hollins|mdn|synthetic|own]… [--pages N] [--pages-per-host N] [--starts N]
 * [--order ORDER]… [--queue frontier|lanes]`
 *
 * Over the web graphs of the data set with the real frontier, and over webs that are made up with bare queues (`--queue` sets
 * one for all; the frontier takes about a millisecond for each page): `synthetic`, grown by the rules of the web, and `own`, the
 * links of the web that `simulate serve` serves. From the front page and, with `--starts N`, from N pages drawn by chance, the
 * same ones every time, as a mean.
 *
 * Bounds: `greedy` takes the best of all pages that links are known to, by their true PageRank; `look-ahead` the
 * way of at most eight new pages with the best mean (from one start, below 20,000 pages); `omniscient` the best pages, whether a link
 * leads there or not. No order can pass the last; what lies between the first and the second is for those who guess what
 * lies behind a page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { generateGraph, startOfGenerated } from '../src/laboratory/generated-graph.ts';
import { type RecordedGraph, RecordedGraphBuilder } from '../src/laboratory/replay/recorded-graph.ts';
import { ranksOf, replayGraph } from '../src/laboratory/replay/replay-graph.ts';
import { graphOfWeb } from '../src/laboratory/synthetic-record.ts';
import { hash32, pick } from '../src/simulate/model/seeded-hash.ts';
import { SyntheticWeb } from '../src/simulate/model/synthetic-web.ts';
import { webSpec } from '../src/simulate/model/web-spec.ts';
import { corpus } from '../test/corpora.ts';
import { LaneQueue } from './lane-queue.ts';
import { bestReachable, bestWithLookAhead } from './order-bounds.ts';

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
  /** What is measured is the mean over crawls from each of them. */
  readonly starts: readonly number[];
}

/** Look-ahead over larger graphs, or from many starts, takes minutes. */
const MOST_FOR_LOOK_AHEAD = 20_000;
const PAGES_PER_HOST = 100;

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
  return { name, graph: builder.build(urls), starts: [urls.indexOf(start)] };
}

export function syntheticGraph(pages: number, pagesPerHost = PAGES_PER_HOST, seed = 1): NamedGraph {
  const options = { pages, pagesPerHost, seed };
  const graph = generateGraph(options);
  return { name: `synthetic ${pages}, ${pagesPerHost} a host`, graph, starts: [startOfGenerated(graph, options)] };
}

/** The links of the synthetic web, without a request. */
export function ownGraph(pages: number, pagesPerHost = PAGES_PER_HOST, seed = 1): NamedGraph {
  const hosts = Math.max(1, Math.round(pages / pagesPerHost));
  const spec = webSpec({ hosts, pagesPerHost, seed });
  const graph = graphOfWeb(new SyntheticWeb(spec, { mode: 'names', port: 80, hostsPerAddress: 0 }));
  return { name: `own ${graph.urls.length}, ${pagesPerHost} a host`, graph, starts: [0] };
}

/** The same graph from pages drawn by chance, of those from which enough can be reached. */
export function fromRandomPages({ name, graph }: NamedGraph, count: number): NamedGraph {
  const pages = graph.urls.length;
  const starts: number[] = [];
  for (let draw = 0; starts.length < count && draw < 1000 * count; draw++) {
    const start = pick(hash32(1, draw, 0, 0), pages);
    if (!starts.includes(start) && reaches(graph, start, SHARES[SHARES.length - 1] * pages)) starts.push(start);
  }
  return { name: `${name} from ${starts.length} random pages`, graph, starts };
}

function reaches(graph: RecordedGraph, start: number, wanted: number): boolean {
  const known = new Uint8Array(graph.urls.length);
  const reached = [start];
  known[start] = 1;
  for (let at = 0; at < reached.length && reached.length < wanted; at++) {
    for (let link = graph.starts[reached[at]]; link < graph.starts[reached[at] + 1]; link++) {
      const target = graph.targets[link];
      if (known[target] === 0) reached.push(target);
      known[target] = 1;
    }
  }
  return reached.length >= wanted;
}

export async function scoreOrders(
  { name, graph, starts }: NamedGraph,
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
    const answers = [];
    for (const start of starts) {
      answers.push(
        await replayGraph({
          graph,
          seeds: [start],
          order,
          budget,
          checkpoints,
          ranks,
          atOnce: Math.max(1, Math.round(pages / 50_000)),
          openFrontier: queue === 'lanes' ? (needs) => new LaneQueue(needs) : undefined,
        }),
      );
    }
    const seconds = (performance.now() - began) / 1000 / starts.length;
    const movesPerFetch = mean(answers.map(({ moves, fetched }) => moves / fetched));
    const shares = meanShares(answers.map(({ pageRankShares }) => pageRankShares));
    scores.push({ graph: name, order, shares, movesPerFetch, seconds });
  }
  const bound = (order: string, courseFrom: (start: number) => Uint32Array): OrderScore => ({
    graph: name,
    order,
    shares: meanShares(starts.map((start) => sharesOf(courseFrom(start), ranks, checkpoints))),
    seconds: 0,
  });
  const best = Uint32Array.from(ranks.keys()).sort((a, b) => ranks[b] - ranks[a]);
  // It takes long, and what matters is the tenth.
  const ahead = (start: number): Uint32Array => bestWithLookAhead(graph, start, ranks, checkpoints[2]);
  return [
    ...scores,
    bound('(greedy)', (start) => bestReachable(graph, start, ranks, budget)),
    ...(pages < MOST_FOR_LOOK_AHEAD && starts.length === 1 ? [bound('(look-ahead)', ahead)] : []),
    bound('(omniscient)', () => best),
  ];
}

/** Shares at the checkpoints that the course comes to. */
function sharesOf(course: Uint32Array, ranks: Float64Array, checkpoints: readonly number[]): number[] {
  return checkpoints
    .filter((count) => count <= course.length)
    .map((count) => course.subarray(0, count).reduce((sum, page) => sum + ranks[page], 0));
}

function meanShares(shares: readonly (readonly number[])[]): number[] {
  return shares[0].map((_, at) => mean(shares.map((one) => one[at])));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
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

function graphNamed(name: string, pages: number, pagesPerHost: number): NamedGraph | undefined {
  if (name === 'synthetic') return syntheticGraph(pages, pagesPerHost);
  if (name === 'own') return ownGraph(pages, pagesPerHost);
  const folder = corpus('web-graph');
  return folder === undefined ? undefined : webGraph(folder, name as 'hollins' | 'mdn');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      graph: { type: 'string', multiple: true, default: ['hollins', 'mdn', 'synthetic'] },
      pages: { type: 'string', default: '1000000' },
      'pages-per-host': { type: 'string', default: String(PAGES_PER_HOST) },
      starts: { type: 'string', default: '0' },
      order: { type: 'string', multiple: true, default: [...ORDERS] },
      queue: { type: 'string' },
    },
  });
  const all: OrderScore[] = [];
  for (const name of values.graph) {
    const graph = graphNamed(name, Number(values.pages), Number(values['pages-per-host']));
    if (graph === undefined) continue;
    const isMadeUp = name === 'synthetic' || name === 'own';
    const queue = (values.queue ?? (isMadeUp ? 'lanes' : 'frontier')) === 'lanes' ? 'lanes' : 'frontier';
    const starts = Number(values.starts);
    for (const one of starts > 0 ? [graph, fromRandomPages(graph, starts)] : [graph]) {
      const scores = await scoreOrders(one, values.order, queue);
      all.push(...scores);
      if (!values.json) print(scores);
    }
  }
  if (values.json) console.log(JSON.stringify(all));
}
