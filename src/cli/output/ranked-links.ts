import type { LinkEdges, LinkReader } from '../../contracts/state/link-store.ts';
import { hostRank } from '../../rank/graph/host-rank.ts';
import type { LinkGraph } from '../../rank/graph/link-graph.ts';
import { pageRank } from '../../rank/graph/page-rank.ts';
import { readLinkGraph } from '../../rank/graph/read-link-graph.ts';

/** The links of a crawl as a graph, with the ranks of its pages and hosts. */
export interface RankedLinks {
  readonly links: LinkEdges;
  readonly graph: LinkGraph;
  readonly ranks: Float64Array;
  readonly hostRanks: Float64Array;
}

export async function rankLinks(store: LinkReader): Promise<RankedLinks> {
  const links = store.edges();
  const graph = await readLinkGraph(links);
  const { ranks } = pageRank(graph);
  const { ranks: hostRanks } = hostRank(graph, links.hostOf, links.hosts.length);
  return { links, graph, ranks, hostRanks };
}

export interface RankPosition {
  readonly value: number;
  /** How many times the average. */
  readonly timesAverage: number;
  /** From 1. */
  readonly place: number;
  readonly of: number;
}

/** Where a value stands among all. */
export function rankPosition(values: Float64Array, at: number): RankPosition {
  const value = values[at];
  let place = 1;
  for (const other of values) if (other > value) place++;
  return { value, timesAverage: value * values.length, place, of: values.length };
}

/** The places of the highest values, highest first. */
export function highest(values: Float64Array, limit: number): number[] {
  const best: number[] = [];
  for (let at = 0; at < values.length; at++) {
    if (best.length === limit && values[at] <= values[best[best.length - 1]]) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (values[best[middle]] >= values[at]) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, at);
    if (best.length > limit) best.pop();
  }
  return best;
}
