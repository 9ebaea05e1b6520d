import type { OrderedVisit } from '../../contracts/crawl-order.ts';
import type { NumberedVisit } from './evidence.ts';
import { type PageNumber, PageState, type PageTable } from './page-table.ts';

/** This many pages that may not be needed any more are kept: the place of a link may be asked for some visits later. */
const KEPT_IN_DOUBT = 65_536;

/** Turns the fingerprints of visits into numbers of pages, and forgets pages that never came to wait. */
export class VisitReader {
  readonly #table: PageTable;
  readonly #keepsAll: boolean;
  readonly #halves = new Uint32Array(2);
  readonly #whole = new BigUint64Array(this.#halves.buffer);
  #targets = new Int32Array(256);
  #fresh = new Uint8Array(256);
  #doubtful: PageNumber[] = [];

  constructor(table: PageTable, keepsAll: boolean) {
    this.#table = table;
    this.#keepsAll = keepsAll;
  }

  /** The number of a page, which enters the table if need be. */
  numberOf(fingerprint: bigint): PageNumber {
    this.#whole[0] = fingerprint;
    const [low, high] = this.#halves;
    const page = this.#table.find(low, high);
    return page >= 0 ? page : this.#table.add(low, high);
  }

  /** What it returns is good until the next call. */
  read(visit: OrderedVisit, page: PageNumber, again: boolean): NumberedVisit {
    const count = visit.links.length;
    if (count > this.#targets.length) {
      this.#targets = new Int32Array(2 * count);
      this.#fresh = new Uint8Array(2 * count);
    }
    this.#fresh.fill(0, 0, count);
    for (const at of visit.unknown) this.#fresh[at] = 1;
    const halves = new Uint32Array(visit.links.buffer, visit.links.byteOffset, 2 * count);
    for (let at = 0; at < count; at++) this.#targets[at] = this.#target(halves[2 * at], halves[2 * at + 1], at);
    return { page, targets: this.#targets, count, again, fresh: this.#fresh, visit };
  }

  /** A page that is not waiting will not be needed, unless it comes to wait again. */
  forgetLater(page: PageNumber): void {
    this.#doubtful.push(page);
    if (this.#doubtful.length >= 2 * KEPT_IN_DOUBT) this.#forget();
  }

  #target(low: number, high: number, at: number): PageNumber {
    const known = this.#table.find(low, high);
    if (known >= 0) return known;
    // A link that is known but not in the table was visited, and only a graph has use for it.
    if (this.#fresh[at] === 0 && !this.#keepsAll) return -1;
    const page = this.#table.add(low, high);
    if (!this.#keepsAll) this.forgetLater(page);
    return page;
  }

  #forget(): void {
    const early = this.#doubtful.slice(0, -KEPT_IN_DOUBT);
    this.#doubtful = this.#doubtful.slice(-KEPT_IN_DOUBT);
    const recent = new Set(this.#doubtful);
    for (const page of new Set(early)) {
      const state = this.#table.state.values[page];
      const isQueued = state === PageState.waiting || state === PageState.first;
      if (!isQueued && !recent.has(page)) this.#table.remove(page);
    }
  }
}
