import type { Evidence, NumberedVisit } from './evidence.ts';
import { type Column, type PageNumber, PageState, type PageTable } from './page-table.ts';
import { timesTheMean } from './times-the-mean.ts';

/** What a page keeps for the virtual page that every page links to. */
const TO_VIRTUAL = 0.15;

/**
 * Online page importance: every page that is met gets a coin; a visited page hands its cash to those it links to, and a
 * part to the virtual page, which deals it out evenly to all that wait. A page without links gives all to the virtual
 * page. No graph is needed: what has come to a page since its visit waits for its next one.
 */
export class OpicCash implements Evidence {
  readonly #table: PageTable;
  /** Cash less what the virtual page had dealt to each by the time the page was met. */
  readonly #cash: Column<Float32Array>;
  #dealt = 0;
  #waiting = 0;
  #mean = 1;

  constructor(table: PageTable) {
    this.#table = table;
    this.#cash = table.column(Float32Array, 1);
  }

  worth(page: PageNumber): number {
    return Math.log2(Math.max(1e-6, this.#cash.values[page] + this.#dealt));
  }

  say(page: PageNumber): string {
    return `OPIC ${timesTheMean(this.#cash.values[page] + this.#dealt, this.#mean)}`;
  }

  entered(page: PageNumber): void {
    this.#cash.values[page] -= this.#dealt;
    this.#waiting++;
  }

  left(page: PageNumber): void {
    this.#cash.values[page] += this.#dealt;
    this.#waiting--;
  }

  visited({ page, targets, count, visit }: NumberedVisit): void {
    // A redirect takes its cash along; that of a page that is gone goes nowhere.
    if (!visit.found) return;
    const cash = this.#cash.values;
    const all = cash[page];
    cash[page] = 0;
    const given = count === 0 ? 0 : (1 - TO_VIRTUAL) * all;
    for (let at = 0; at < count; at++) if (targets[at] >= 0) cash[targets[at]] += given / visit.links.length;
    this.#dealt += (all - given) / Math.max(1, this.#waiting);
  }

  redirected(from: PageNumber, to: PageNumber): void {
    this.#cash.values[to] += this.#cash.values[from];
    this.#cash.values[from] = 0;
  }

  refresh(): void {
    const state = this.#table.state.values;
    let sum = 0;
    for (let page = 0; page < this.#table.end; page++) {
      if (state[page] === PageState.waiting) sum += this.#cash.values[page] + this.#dealt;
    }
    this.#mean = this.#waiting === 0 ? 1 : sum / this.#waiting;
  }
}
