import type { LinkGraph } from './link-graph.ts';

export interface PageRankOptions {
  /** Chance that the surfer follows a link. Default 0.85. */
  readonly damping?: number;
  /** Ends when all ranks together move by no more than this in a round. Default 1e-10. */
  readonly tolerance?: number;
  readonly maxIterations?: number;
  /** Where the surfer goes from a page without links: to any page. There is no other way yet. */
  readonly dangling?: 'even';
}

export interface PageRanks {
  /** They sum to 1. */
  readonly ranks: Float64Array;
  readonly iterations: number;
}

/**
 * PageRank. Pages without links spread their rank evenly, which is the same as solving y = 1 + d·Σ y(u)/out(u) without
 * them and scaling y to a sum of 1: the mass that they hand out reaches all pages alike, as the random jump does. Without a
 * sum over the whole graph in each round, a node can use what was computed earlier in the same round (Gauss-Seidel), which
 * halves the rounds.
 */
export function pageRank(graph: LinkGraph, options: PageRankOptions = {}): PageRanks {
  const { damping = 0.85, tolerance = 1e-10, maxIterations = 1000 } = options;
  const { nodes, outDegrees } = graph;
  const ranks = new Float64Array(nodes).fill(1);
  const passed = new Float64Array(nodes);
  const shares = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) {
    shares[node] = outDegrees[node] === 0 ? 0 : damping / outDegrees[node];
    passed[node] = shares[node];
  }
  let iterations = 0;
  let sum = nodes;
  while (iterations < maxIterations && nodes > 0) {
    iterations++;
    const round = pull(graph, shares, passed, ranks);
    sum = round.sum;
    if (round.moved <= tolerance * sum) break;
  }
  for (let node = 0; node < nodes; node++) ranks[node] /= sum;
  return { ranks, iterations };
}

/** One round over all nodes. `passed` is what a node gives to each of those that it links to. */
function pull(
  { nodes, starts, sources }: LinkGraph,
  shares: Float64Array,
  passed: Float64Array,
  ranks: Float64Array,
): { moved: number; sum: number } {
  let moved = 0;
  let sum = 0;
  let end = starts[0];
  for (let node = 0; node < nodes; node++) {
    let at = end;
    end = starts[node + 1];
    let rank = 1;
    // Two sums, so that an addition need not wait for the one before it.
    let other = 0;
    for (; at + 1 < end; at += 2) {
      rank += passed[sources[at]];
      other += passed[sources[at + 1]];
    }
    if (at < end) rank += passed[sources[at]];
    rank += other;
    moved += Math.abs(rank - ranks[node]);
    sum += rank;
    ranks[node] = rank;
    passed[node] = rank * shares[node];
  }
  return { moved, sum };
}
