import { OrbweaverError } from '../../base/errors.ts';
import type { ReportValue, TableQuery } from '../../contracts/site-report.ts';
import type { RowOrder, TableArrays } from './table-arrays.ts';
import { MISSING } from './table-file.ts';
import { foldedText, sortedText } from './text-parts.ts';
import { compareTexts } from './word-numbers.ts';

/** What a row is sorted by: its value in the column, null where missing, and in the first column. */
type Key = readonly [value: ReportValue | null, first: string];

const LONGEST = 20_000;

/** Rows of a table in one order: the first to the last are at 0 to `rows` - 1. */
export class SortedRows {
  readonly #arrays: TableArrays;
  readonly #column: string;
  readonly #number: number;
  readonly #descending: boolean;
  readonly #order: RowOrder;

  constructor(arrays: TableArrays, sort: TableQuery['sort']) {
    this.#arrays = arrays;
    this.#column = arrays.column(sort?.column ?? arrays.meta.columns[0].name).name;
    this.#number = arrays.numberOf(this.#column);
    this.#descending = sort?.descending === true;
    this.#order = arrays.order(this.#column);
  }

  at(place: number): number {
    const { order, present } = this.#order;
    return order[this.#descending && place < present ? present - 1 - place : place];
  }

  keyOf(row: number): string {
    const { name } = this.#arrays.meta.columns[0];
    const key: Key = [this.#valueOf(row) ?? null, this.#arrays.text(name, row)];
    return Buffer.from(JSON.stringify(key)).toString('base64url');
  }

  /** Rows before the one with the key, or where it would be; with it where `including`. */
  placeOf(text: string, including: boolean): number {
    const key = readKey(text);
    const { present, order } = this.#order;
    let low = key[0] === null ? present : 0;
    let high = key[0] === null ? order.length : present;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const compared = this.#compare(this.at(middle), key);
      if (compared < 0 || (including && compared === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Below 0 where the row comes before the key. */
  #compare(row: number, [value, first]: Key): number {
    const own = this.#valueOf(row);
    const byValue = value === null || own === undefined ? 0 : compareValues(own, value);
    const { name } = this.#arrays.meta.columns[0];
    const byFirst = byValue === 0 ? compareTexts(this.#arrays.text(name, row), first) : 0;
    const compared = byValue || byFirst;
    return this.#descending && value !== null ? -compared : compared;
  }

  #valueOf(row: number): ReportValue | undefined {
    const { kind } = this.#arrays.column(this.#column);
    if (kind === 'text') return sortedText(this.#arrays.text(this.#column, row), this.#number) || undefined;
    if (kind === 'time') {
      const time = this.#arrays.times(this.#column)[row];
      return Number.isNaN(time) ? undefined : time;
    }
    const number = this.#arrays.numbers(this.#column)[row];
    if (number === MISSING) return undefined;
    return kind === 'number' ? number : foldedText(this.#arrays.words(this.#column)[number]);
  }
}

function compareValues(a: ReportValue, b: ReportValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareTexts(String(a), String(b));
}

function readKey(text: string): Key {
  try {
    const key: unknown = text.length > LONGEST ? undefined : JSON.parse(Buffer.from(text, 'base64url').toString());
    if (
      Array.isArray(key) &&
      key.length === 2 &&
      (key[0] === null || typeof key[0] === 'string' || Number.isFinite(key[0])) &&
      typeof key[1] === 'string'
    )
      return key as unknown as Key;
  } catch {
    // Told below.
  }
  throw new OrbweaverError('USAGE', 'The key of the page is not one of this report.', {
    remedy: 'Begin with the first page.',
  });
}
