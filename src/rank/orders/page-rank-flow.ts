import { type Evidence, isNewLink, type NumberedVisit } from './evidence.ts';
import { type Column, type PageNumber, PageState, type PageTable } from './page-table.ts';
import { timesTheMean } from './times-the-mean.ts';

const DAMPING = 0.85;
/** A page hands on what it has got since the last time when that is more than this share of what it handed on before. */
const WORTH_PASSING = 0.02;
const MAX_ROUNDS = 4;

/**
 * PageRank of the graph seen so far, kept while it grows: y = 1 + d * sum of y(u) / out(u) over the visited pages u. A new
 * page with its links can only raise ranks, so that instead of computing all afresh every page hands on what it has got
 * since it last did. The work is in proportion to what changes, and the ranks are those of the whole graph but for the
 * few per cent that nobody has handed on yet.
 *
 * Beyond `maxEdges` links of further pages are not kept: such a page hands on its rank at its visit, and never again.
 */
export class PageRankFlow implements Evidence {
  readonly #table: PageTable;
  readonly #maxEdges: number;
  readonly #rank: Column<Float32Array>;
  readonly #passed: Column<Float32Array>;
  /** The part of the rank that other hosts have given. */
  readonly #fromOutside: { readonly hostOf: Column<Uint32Array>; readonly rank: Column<Float32Array> } | undefined;
  /** For each visited page its number, the count of all its links, of those that follow, and these. */
  #edges = new Uint32Array(4096);
  #filled = 0;
  #links = 0;
  #mean = 1;

  /** `hostOf`: numbers of hosts, where votes of other hosts are to be told apart. */
  constructor(table: PageTable, maxEdges: number, hostOf?: Column<Uint32Array>) {
    this.#table = table;
    this.#maxEdges = maxEdges;
    if (hostOf !== undefined) this.#fromOutside = { hostOf, rank: table.column(Float32Array) };
    this.#rank = table.column(Float32Array, 1);
    this.#passed = table.column(Float32Array);
  }

  /** 1 is the least. */
  rankOf(page: PageNumber): number {
    return this.#rank.values[page];
  }

  /** What other hosts have given of it. */
  outsideRankOf(page: PageNumber): number {
    return this.#fromOutside?.rank.values[page] ?? 0;
  }

  /** Until the host of a page is known, all votes for it seem to come from others; `within`: they come from its own. */
  settleOutside(page: PageNumber, within: boolean): void {
    if (this.#fromOutside !== undefined) this.#fromOutside.rank.values[page] = within ? 0 : this.#rank.values[page] - 1;
  }

  worth(page: PageNumber): number {
    return Math.log2(this.#rank.values[page]);
  }

  say(page: PageNumber): string {
    return `PageRank ${timesTheMean(this.#rank.values[page], this.#mean)}`;
  }

  visited(visit: NumberedVisit): void {
    const { page, targets, count } = visit;
    if (count === 0) return;
    const rank = this.#rank.values;
    const outDegree = visit.visit.links.length;
    const share = (DAMPING * rank[page]) / outDegree;
    for (let at = 0; at < count; at++) {
      if (!isNewLink(visit, at)) continue;
      rank[targets[at]] += share;
      this.#addOutside(page, targets[at], share);
    }
    if (visit.again || this.#links + count > this.#maxEdges) return;
    this.#passed.values[page] = rank[page];
    this.#keep(page, outDegree, targets, count);
  }

  redirected(from: PageNumber, to: PageNumber): void {
    this.#rank.values[to] += this.#rank.values[from] - 1;
    if (this.#fromOutside !== undefined) this.#fromOutside.rank.values[to] += this.outsideRankOf(from);
  }

  refresh(): void {
    for (let round = 0; round < MAX_ROUNDS; round++) if (!this.#passOn()) break;
    const state = this.#table.state.values;
    let sum = 0;
    let waiting = 0;
    for (let page = 0; page < this.#table.end; page++) {
      if (state[page] !== PageState.waiting) continue;
      sum += this.#rank.values[page];
      waiting++;
    }
    this.#mean = waiting === 0 ? 1 : sum / waiting;
  }

  #passOn(): boolean {
    const edges = this.#edges;
    const rank = this.#rank.values;
    const passed = this.#passed.values;
    let any = false;
    for (let at = 0; at < this.#filled; ) {
      const page = edges[at];
      const end = at + 3 + edges[at + 2];
      const more = rank[page] - passed[page];
      if (more > WORTH_PASSING * passed[page]) {
        const share = (DAMPING * more) / edges[at + 1];
        for (let link = at + 3; link < end; link++) {
          rank[edges[link]] += share;
          this.#addOutside(page, edges[link], share);
        }
        passed[page] += more;
        any = true;
      }
      at = end;
    }
    return any;
  }

  #addOutside(from: PageNumber, to: PageNumber, share: number): void {
    if (this.#fromOutside === undefined) return;
    const host = this.#fromOutside.hostOf.values;
    if (host[from] !== host[to]) this.#fromOutside.rank.values[to] += share;
  }

  #keep(page: PageNumber, outDegree: number, targets: Int32Array, count: number): void {
    while (this.#filled + 3 + count > this.#edges.length) {
      const larger = new Uint32Array(2 * this.#edges.length);
      larger.set(this.#edges);
      this.#edges = larger;
    }
    const head = this.#filled;
    let at = head + 3;
    for (let link = 0; link < count; link++) if (targets[link] >= 0) this.#edges[at++] = targets[link];
    this.#edges[head] = page;
    this.#edges[head + 1] = outDegree;
    this.#edges[head + 2] = at - head - 3;
    this.#links += at - head - 3;
    this.#filled = at;
  }
}
