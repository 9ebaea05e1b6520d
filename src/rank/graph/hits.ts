import type { LinkGraph } from './link-graph.ts';

export interface HitsOptions {
  /** Ends when all authorities together move by no more than this in a round. Default 1e-10. */
  readonly tolerance?: number;
  readonly maxIterations?: number;
}

export interface HubsAndAuthorities {
  /** Squares sum to 1. */
  readonly hubs: Float64Array;
  /** Squares sum to 1. */
  readonly authorities: Float64Array;
  readonly iterations: number;
}

/** Kleinberg's hubs and authorities: who links to good authorities is a good hub, and the other way round. */
export function hits(
  graph: LinkGraph,
  { tolerance = 1e-10, maxIterations = 1000 }: HitsOptions = {},
): HubsAndAuthorities {
  const hubs = new Float64Array(graph.nodes).fill(1);
  const authorities = new Float64Array(graph.nodes);
  let iterations = 0;
  while (iterations < maxIterations && graph.nodes > 0) {
    iterations++;
    const moved = takeFromHubs(graph, hubs, authorities);
    giveToHubs(graph, hubs, authorities);
    if (moved <= tolerance) break;
  }
  return { hubs, authorities, iterations };
}

function takeFromHubs({ nodes, starts, sources }: LinkGraph, hubs: Float64Array, authorities: Float64Array): number {
  const before = authorities.slice();
  for (let node = 0; node < nodes; node++) {
    let sum = 0;
    for (let at = starts[node]; at < starts[node + 1]; at++) sum += hubs[sources[at]];
    authorities[node] = sum;
  }
  toUnitLength(authorities);
  let moved = 0;
  for (let node = 0; node < nodes; node++) moved += Math.abs(authorities[node] - before[node]);
  return moved;
}

function giveToHubs({ nodes, starts, sources }: LinkGraph, hubs: Float64Array, authorities: Float64Array): void {
  hubs.fill(0);
  for (let node = 0; node < nodes; node++) {
    const worth = authorities[node];
    for (let at = starts[node]; at < starts[node + 1]; at++) hubs[sources[at]] += worth;
  }
  toUnitLength(hubs);
}

function toUnitLength(values: Float64Array): void {
  let squares = 0;
  for (let at = 0; at < values.length; at++) squares += values[at] * values[at];
  if (squares === 0) return;
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < values.length; at++) values[at] *= scale;
}
