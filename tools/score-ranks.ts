/**
 * PageRank and HITS against the values of the web-graph data set: `npx node tools/score-ranks.ts [--json]`.
 * Ends with 1 where a value differs by more than 1e-8, or, where the data set writes fewer digits, by more than its
 * rounding.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hits } from '../src/rank/graph/hits.ts';
import { type LinkGraph, LinkGraphBuilder } from '../src/rank/graph/link-graph.ts';
import { pageRank } from '../src/rank/graph/page-rank.ts';
import { corpus } from '../test/corpora.ts';

const BAR = 1e-8;

export interface RankScore {
  readonly name: string;
  readonly values: number;
  /** The largest difference beyond what the rounding of the written value explains. */
  readonly error: number;
  /** Pages whose place in the list is not that of the data set, ties aside. */
  readonly misplaced: number;
  readonly iterations: number;
  readonly passed: boolean;
}

interface Expected {
  readonly node: number;
  readonly value: number;
}

export function scoreRanks(folder: string): RankScore[] {
  const listed = JSON.parse(readFileSync(join(folder, 'hollins-ranks.json'), 'utf8')) as Record<string, unknown>;
  const expected = (name: string): Expected[] =>
    (listed[name] as { id: number; value: number }[]).map(({ id, value }) => ({ node: id, value }));
  const hollins = readGraph(join(folder, 'hollins-edges.tsv.gz'), linesOf(join(folder, 'hollins-nodes.txt.gz')).length);
  const { ranks, iterations } = pageRank(hollins);
  const found = hits(hollins);
  return [
    judge('hollins PageRank', expected('pagerank_top50'), ranks, iterations),
    judge('hollins authorities', expected('hits_authority_top20'), found.authorities, found.iterations),
    judge('hollins hubs', expected('hits_hub_top20'), found.hubs, found.iterations),
    scoreMdn(folder),
  ];
}

function scoreMdn(folder: string): RankScore {
  const pages = linesOf(join(folder, 'mdn-nodes.jsonl.gz')).map((line) => (JSON.parse(line) as { url: string }).url);
  const numbers = new Map(pages.map((url, node) => [url.replace(/^.*\/docs\//, ''), node]));
  const listed = JSON.parse(readFileSync(join(folder, 'mdn-pagerank-top50.json'), 'utf8')) as {
    url: string;
    pagerank: number;
  }[];
  const graph = readGraph(join(folder, 'mdn-edges.tsv.gz'), pages.length);
  const { ranks, iterations } = pageRank(graph);
  const expected = listed.map(({ url, pagerank }) => ({ node: numbers.get(url) ?? -1, value: pagerank }));
  return judge('mdn PageRank', expected, ranks, iterations);
}

function judge(name: string, expected: readonly Expected[], values: Float64Array, iterations: number): RankScore {
  const digits = Math.max(...expected.map(({ value }) => digitsOf(value)));
  let error = 0;
  for (const { node, value } of expected) {
    const beyond = Math.max(0, Math.abs((values[node] ?? Number.NaN) - value) - roundingOf(value, digits));
    error = Math.max(error, Number.isNaN(beyond) ? Number.POSITIVE_INFINITY : beyond);
  }
  const best = [...values.keys()].sort((a, b) => values[b] - values[a]).slice(0, expected.length);
  const misplaced = expected.filter(({ node }, at) => Math.abs(values[best[at]] - values[node]) > BAR).length;
  return { name, values: expected.length, error, misplaced, iterations, passed: error <= BAR && misplaced === 0 };
}

/** Half a unit of the last of so many digits, if that is more than what is asked for. */
function roundingOf(value: number, digits: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) + 1 - digits);
  return unit / 2 > BAR ? unit / 2 : 0;
}

/** 0.0882975 is written with six. */
function digitsOf(value: number): number {
  return `${value}`.replace(/^0\.0*/, '').length;
}

function readGraph(file: string, nodes: number): LinkGraph {
  const builder = new LinkGraphBuilder({ nodes });
  for (const line of linesOf(file)) {
    // An anchor text may go on in lines of its own.
    const edge = /^(\d+)\t(\d+)(?:\t|$)/.exec(line);
    if (edge !== null) builder.add(Number(edge[1]), Number(edge[2]));
  }
  return builder.build();
}

function linesOf(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
}

if (import.meta.main) {
  const folder = corpus('web-graph');
  if (folder === undefined) throw new Error('The data set web-graph is not beside the checkout (../shared/corpora).');
  const scores = scoreRanks(folder);
  if (process.argv.includes('--json')) console.log(JSON.stringify(scores));
  else {
    for (const { name, values, error, misplaced, iterations, passed } of scores) {
      const verdict = passed ? 'equal' : 'DIFFERENT';
      console.log(
        `${name.padEnd(20)} ${verdict}: ${values} values, error ${error.toExponential(1)}, ${misplaced} misplaced, ${iterations} rounds`,
      );
    }
  }
  process.exitCode = scores.every(({ passed }) => passed) ? 0 : 1;
}
