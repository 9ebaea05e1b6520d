import { type LinkGraph, LinkGraphBuilder } from './link-graph.ts';
import { type PageRankOptions, type PageRanks, pageRank } from './page-rank.ts';

/** The host graph: one edge from host to host however many pages make it, so bulk does not count. `hostOf[page]`. */
export function hostGraph(pages: LinkGraph, hostOf: Uint32Array, hosts: number): LinkGraph {
  const builder = new LinkGraphBuilder({ nodes: hosts, duplicates: 'once' });
  const order = byHost(hostOf, hosts, pages.nodes);
  // The host that was last told of a source host: with the targets host by host, every edge is told once.
  const toldOf = new Int32Array(hosts).fill(-1);
  for (let at = 0; at < order.length; at++) tellSources(pages, order[at], hostOf, toldOf, builder);
  return builder.build();
}

/** A function of its own: as the inner of two loops it is optimised, and given up again, hundreds of times. */
function tellSources(
  { starts, sources }: LinkGraph,
  node: number,
  hostOf: Uint32Array,
  toldOf: Int32Array,
  builder: LinkGraphBuilder,
): void {
  const target = hostOf[node];
  const end = starts[node + 1];
  for (let at = starts[node]; at < end; at++) {
    const source = hostOf[sources[at]];
    if (source === target || toldOf[source] === target) continue;
    toldOf[source] = target;
    builder.add(source, target);
  }
}

/** PageRank of the hosts. */
export function hostRank(pages: LinkGraph, hostOf: Uint32Array, hosts: number, options?: PageRankOptions): PageRanks {
  return pageRank(hostGraph(pages, hostOf, hosts), options);
}

function byHost(hostOf: Uint32Array, hosts: number, nodes: number): Uint32Array {
  const next = new Uint32Array(hosts + 1);
  for (let node = 0; node < nodes; node++) next[hostOf[node] + 1]++;
  for (let host = 0; host < hosts; host++) next[host + 1] += next[host];
  const order = new Uint32Array(nodes);
  for (let node = 0; node < nodes; node++) order[next[hostOf[node]]++] = node;
  return order;
}
