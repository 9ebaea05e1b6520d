import { BinaryHeap } from '../src/base/binary-heap.ts';
import type { RecordedGraph } from '../src/laboratory/replay/recorded-graph.ts';

/** New pages on a way that is looked along. */
const AHEAD = 8;

/** Takes the best of all pages that links are known to, by their true rank. */
export function bestReachable(graph: RecordedGraph, start: number, ranks: Float64Array, budget: number): Uint32Array {
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

/** Takes again and again the way of at most eight new pages whose mean rank is best: what one could do who knew the graph. */
export function bestWithLookAhead(
  graph: RecordedGraph,
  start: number,
  ranks: Float64Array,
  budget: number,
): Uint32Array {
  const ways = new Ways(graph, ranks);
  const course = [start];
  ways.take(start);
  while (course.length < budget) {
    const way = ways.best(Math.min(AHEAD, budget - course.length));
    if (way.length === 0) break;
    for (const page of way) ways.take(page);
    course.push(...way);
  }
  return Uint32Array.from(course);
}

/** Ways from the pages taken into those that are not; of those that end at a page after so many steps the best one is kept. */
class Ways {
  readonly #graph: RecordedGraph;
  readonly #ranks: Float64Array;
  readonly #taken: Uint8Array;
  readonly #known: Uint8Array;
  #edge: number[] = [];
  /** For each length, of the way to each page: the sum of its ranks, and the page before. */
  readonly #sums: readonly Float64Array[];
  readonly #before: readonly Int32Array[];

  constructor(graph: RecordedGraph, ranks: Float64Array) {
    const pages = graph.urls.length;
    this.#graph = graph;
    this.#ranks = ranks;
    this.#taken = new Uint8Array(pages);
    this.#known = new Uint8Array(pages);
    this.#sums = Array.from({ length: AHEAD + 1 }, () => new Float64Array(pages));
    this.#before = Array.from({ length: AHEAD + 1 }, () => new Int32Array(pages));
  }

  take(page: number): void {
    this.#taken[page] = 1;
    this.#known[page] = 1;
    const { starts, targets } = this.#graph;
    for (let at = starts[page]; at < starts[page + 1]; at++) {
      if (this.#known[targets[at]] === 0) this.#edge.push(targets[at]);
      this.#known[targets[at]] = 1;
    }
  }

  best(longest: number): number[] {
    this.#edge = this.#edge.filter((page) => this.#taken[page] === 0);
    let layer = this.#edge;
    for (const page of layer) {
      this.#sums[1][page] = this.#ranks[page];
      this.#before[1][page] = -1;
    }
    let best = { mean: -1, page: -1, length: 0 };
    for (let length = 1; length <= longest && layer.length > 0; length++) {
      for (const page of layer) {
        const mean = this.#sums[length][page] / length;
        if (mean > best.mean) best = { mean, page, length };
      }
      if (length < longest) layer = this.#further(layer, length);
    }
    return best.length === 0 ? [] : this.#wayTo(best.page, best.length);
  }

  #further(layer: readonly number[], length: number): number[] {
    const { starts, targets } = this.#graph;
    const sums = this.#sums[length + 1].fill(0);
    const next: number[] = [];
    for (const page of layer) {
      const sum = this.#sums[length][page];
      for (let at = starts[page]; at < starts[page + 1]; at++) {
        const target = targets[at];
        const longer = sum + this.#ranks[target];
        if (this.#taken[target] === 1 || longer <= sums[target] || this.#isOnWay(target, page, length)) continue;
        if (sums[target] === 0) next.push(target);
        sums[target] = longer;
        this.#before[length + 1][target] = page;
      }
    }
    return next;
  }

  #isOnWay(target: number, end: number, length: number): boolean {
    let page = end;
    for (let at = length; at >= 1; at--) {
      if (page === target) return true;
      page = this.#before[at][page];
    }
    return false;
  }

  #wayTo(end: number, length: number): number[] {
    const way: number[] = [];
    let page = end;
    for (let at = length; at >= 1; at--) {
      way.unshift(page);
      page = this.#before[at][page];
    }
    return way;
  }
}
