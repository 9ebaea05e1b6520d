/**
 * A graph of links, stored by target: the sources of node v are `sources[starts[v]] … sources[starts[v + 1] - 1]`, in
 * ascending order. That is the order in which ranks are computed: every node pulls from the nodes that link to it.
 */
export interface LinkGraph {
  readonly nodes: number;
  readonly edges: number;
  /** `nodes + 1` places in `sources`. */
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
  /** Links that leave a node, as they are counted in this graph. */
  readonly outDegrees: Uint32Array;
}

export interface LinkGraphOptions {
  /** Several links from one page to another: one vote, or as many as there are. Default: one. */
  readonly duplicates?: 'once' | 'keep';
  /** Links from a page to itself. Default: dropped. */
  readonly selfLinks?: 'drop' | 'keep';
  /** This many nodes at least, with links or without. */
  readonly nodes?: number;
}

const FIRST_CHUNK = 1 << 10;
const LARGEST_CHUNK = 1 << 20;

/**
 * Takes edges in any order, one by one, and makes a graph of them. Until then an edge costs 8 bytes; `build` gives back
 * each chunk as soon as its edges are placed, so that the peak is 12 bytes for an edge and 12 for a node.
 */
export class LinkGraphBuilder {
  readonly #duplicates: 'once' | 'keep';
  readonly #keepsSelfLinks: boolean;
  #chunks: Uint32Array[] = [];
  #open = new Uint32Array(2 * FIRST_CHUNK);
  #filled = 0;
  #nodes: number;

  constructor({ duplicates = 'once', selfLinks = 'drop', nodes = 0 }: LinkGraphOptions = {}) {
    this.#duplicates = duplicates;
    this.#keepsSelfLinks = selfLinks === 'keep';
    this.#nodes = nodes;
  }

  add(from: number, to: number): void {
    if (from >= this.#nodes) this.#nodes = from + 1;
    if (to >= this.#nodes) this.#nodes = to + 1;
    if (from === to && !this.#keepsSelfLinks) return;
    if (this.#filled === this.#open.length) {
      this.#chunks.push(this.#open);
      this.#open = new Uint32Array(Math.min(2 * this.#filled, 2 * LARGEST_CHUNK));
      this.#filled = 0;
    }
    this.#open[this.#filled++] = from;
    this.#open[this.#filled++] = to;
  }

  /** Pairs of the source of an edge and its target. */
  addAll(edges: Uint32Array): void {
    for (let at = 0; at < edges.length; at += 2) this.add(edges[at], edges[at + 1]);
  }

  /** The builder is empty afterwards. */
  build(): LinkGraph {
    const nodes = this.#nodes;
    const chunks = [...this.#chunks, this.#open.subarray(0, this.#filled)];
    this.#chunks = [];
    this.#open = new Uint32Array(0);
    this.#filled = 0;
    const { starts, sources } = bySource(nodes, chunks);
    const edges = this.#duplicates === 'once' ? dropRepeated(starts, sources) : sources.length;
    const kept = edges === sources.length ? sources : sources.slice(0, edges);
    return { nodes, edges, starts, sources: kept, outDegrees: outDegreesOf(nodes, kept) };
  }
}

function bySource(nodes: number, chunks: (Uint32Array | undefined)[]): { starts: Uint32Array; sources: Uint32Array } {
  const starts = new Uint32Array(nodes + 1);
  for (const chunk of chunks) countTargets(chunk!, starts);
  for (let node = 0; node < nodes; node++) starts[node + 1] += starts[node];
  const sources = new Uint32Array(starts[nodes]);
  const next = starts.slice(0, nodes);
  for (let c = 0; c < chunks.length; c++) {
    placeEdges(chunks[c]!, next, sources);
    chunks[c] = undefined;
  }
  for (let node = 0; node < nodes; node++) sortPart(sources, starts[node], starts[node + 1]);
  return { starts, sources };
}

function countTargets(chunk: Uint32Array, starts: Uint32Array): void {
  for (let at = 1; at < chunk.length; at += 2) starts[chunk[at] + 1]++;
}

function placeEdges(chunk: Uint32Array, next: Uint32Array, sources: Uint32Array): void {
  for (let at = 0; at < chunk.length; at += 2) sources[next[chunk[at + 1]]++] = chunk[at];
}

/** Edges that came source by source are in order already, so that looking is all it takes. */
function sortPart(sources: Uint32Array, start: number, end: number): void {
  for (let at = start + 1; at < end; at++) {
    if (sources[at] < sources[at - 1]) {
      sources.subarray(start, end).sort();
      return;
    }
  }
}

function dropRepeated(starts: Uint32Array, sources: Uint32Array): number {
  let kept = 0;
  let start = 0;
  for (let node = 0; node + 1 < starts.length; node++) {
    const end = starts[node + 1];
    starts[node] = kept;
    kept = keepOnce(sources, start, end, kept);
    start = end;
  }
  starts[starts.length - 1] = kept;
  return kept;
}

/** A function of its own: as the inner of two loops it was optimised, and given up again, two hundred times in a crawl. */
function keepOnce(sources: Uint32Array, start: number, end: number, from: number): number {
  let kept = from;
  for (let at = start; at < end; at++) {
    if (at === start || sources[at] !== sources[at - 1]) sources[kept++] = sources[at];
  }
  return kept;
}

function outDegreesOf(nodes: number, sources: Uint32Array): Uint32Array {
  const degrees = new Uint32Array(nodes);
  for (let at = 0; at < sources.length; at++) degrees[sources[at]]++;
  return degrees;
}
