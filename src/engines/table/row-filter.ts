import { setImmediate as nextTurn } from 'node:timers/promises';
import { OrbweaverError } from '../../base/errors.ts';
import type { ColumnSpec, TableFilter } from '../../contracts/site-report.ts';
import { RowSet } from './row-set.ts';
import type { TableArrays } from './table-arrays.ts';
import { BLOCK_ROWS, FLAGS, MISSING } from './table-file.ts';
import { eachLineWith, foldedText, keptText, needleOf } from './text-parts.ts';
import { compareTexts } from './word-numbers.ts';

/** So long other work of the thread waits at most. */
const SLICE_MS = 8;

/** Which rows meet what is asked for. Each condition goes once through the values of its column; what it gave is held. */
export class RowFilter {
  readonly #arrays: TableArrays;

  constructor(arrays: TableArrays) {
    this.#arrays = arrays;
  }

  /** Undefined where all do. */
  async of(flag: string | undefined, filters: readonly TableFilter[]): Promise<RowSet | undefined> {
    const sets: RowSet[] = [];
    if (flag !== undefined) sets.push(this.#flagged(flag));
    for (const filter of filters) sets.push(await this.#matching(filter));
    return sets.reduce<RowSet | undefined>((both, set) => (both === undefined ? set : both.and(set)), undefined);
  }

  #flagged(name: string): RowSet {
    const { rows, flagNames } = this.#arrays.meta;
    const bit = flagNames.indexOf(name);
    if (bit < 0) throw new OrbweaverError('USAGE', `There is no view ${name}.`);
    return this.#arrays.held.get(
      `flag ${name}`,
      () => {
        const flags = this.#arrays.numbers(FLAGS);
        return RowSet.of(rows, (row) => (flags[row] & (1 << bit)) !== 0);
      },
      ({ bytes }) => bytes,
    );
  }

  async #matching(filter: TableFilter): Promise<RowSet> {
    const { not = false, ...plain } = filter;
    const key = JSON.stringify(plain);
    const held = this.#arrays.held.peek<RowSet>(key);
    const set = held ?? (await this.#evaluate(filter, this.#arrays.column(filter.column)));
    if (held === undefined) this.#arrays.held.put(key, set, set.bytes);
    return not ? set.not() : set;
  }

  async #evaluate(filter: TableFilter, column: ColumnSpec): Promise<RowSet> {
    const { rows } = this.#arrays.meta;
    if (filter.is === 'missing') return this.#missing(column);
    if (filter.is === 'between') {
      const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
      if (column.kind === 'time') {
        const times = this.#arrays.times(column.name);
        // Kept to the second: a time within one is at its beginning.
        const least = Math.floor(from / 1000) * 1000;
        return RowSet.of(rows, (row) => times[row] >= least && times[row] <= to);
      }
      if (column.kind !== 'number') throw wrongKind(column, 'a number');
      const numbers = this.#arrays.numbers(column.name);
      return RowSet.of(rows, (row) => numbers[row] >= from && numbers[row] <= to && numbers[row] !== MISSING);
    }
    const text = filter.is === 'equal' ? filter.value : filter.text;
    if (column.kind === 'word') return this.#words(column, filter.is, text);
    if (column.kind !== 'text') throw wrongKind(column, 'a text');
    // The first column is sorted with regard to case.
    if (filter.is === 'containing' || this.#arrays.numberOf(column.name) === 0)
      return this.#texts(column, needleOf(filter.is, text));
    return this.#range(column, filter.is, foldedText(keptText(text)));
  }

  #missing({ name, kind }: ColumnSpec): RowSet {
    const { rows } = this.#arrays.meta;
    if (kind === 'time') {
      const times = this.#arrays.times(name);
      return RowSet.of(rows, (row) => Number.isNaN(times[row]));
    }
    if (kind !== 'text') {
      const numbers = this.#arrays.numbers(name);
      return RowSet.of(rows, (row) => numbers[row] === MISSING);
    }
    const { order, present } = this.#arrays.order(name);
    const set = new RowSet(rows);
    for (let at = present; at < rows; at++) set.add(order[at]);
    return set;
  }

  #words({ name }: ColumnSpec, is: 'equal' | 'beginning' | 'containing', text: string): RowSet {
    const asked = foldedText(keptText(text));
    const fits = this.#arrays.words(name).map((word) => {
      const folded = foldedText(word);
      if (is === 'equal') return folded === asked;
      return is === 'beginning' ? folded.startsWith(asked) : folded.includes(asked);
    });
    const numbers = this.#arrays.numbers(name);
    return RowSet.of(this.#arrays.meta.rows, (row) => fits[numbers[row]] === true);
  }

  async #texts({ name }: ColumnSpec, needle: Buffer): Promise<RowSet> {
    const { rows } = this.#arrays.meta;
    const set = new RowSet(rows);
    let since = performance.now();
    for (let block = 0; block * BLOCK_ROWS < rows; block++) {
      eachLineWith(this.#arrays.block(name, block), needle, (line) => set.add(block * BLOCK_ROWS + line));
      if (performance.now() - since < SLICE_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    return set;
  }

  /** Rows that are equal, or begin alike, stand together in the order of the column. */
  #range({ name }: ColumnSpec, is: 'equal' | 'beginning', asked: string): RowSet {
    const { order, present } = this.#arrays.order(name);
    const compare = (at: number): number => {
      const text = foldedText(this.#arrays.text(name, order[at]));
      return is === 'beginning' && text.startsWith(asked) ? 0 : compareTexts(text, asked);
    };
    const placeOf = (isBefore: (compared: number) => boolean): number => {
      let [low, high] = [0, present];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (isBefore(compare(middle))) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    const set = new RowSet(this.#arrays.meta.rows);
    const end = placeOf((compared) => compared <= 0);
    for (let at = placeOf((compared) => compared < 0); at < end; at++) set.add(order[at]);
    return set;
  }
}

function wrongKind({ name, kind }: ColumnSpec, wanted: string): OrbweaverError {
  return new OrbweaverError('USAGE', `The column ${name} holds a ${kind}, and cannot be compared with ${wanted}.`);
}
