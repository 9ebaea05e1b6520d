import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  ColumnSpec,
  FoundRow,
  TablePage,
  TableQuery,
  TableReader,
  TableRow,
} from '../../contracts/site-report.ts';
import { RowFilter } from './row-filter.ts';
import { SortedRows } from './row-keys.ts';
import type { RowSet } from './row-set.ts';
import { TableArrays } from './table-arrays.ts';
import { MISSING, type TableMeta } from './table-file.ts';

const SCANNED_AT_A_TIME = 50_000;

/** Answers from the arrays of a table file. The file may be replaced meanwhile: what is open stays as it was. */
export class FileTableReader implements TableReader {
  readonly #db: DatabaseSync;
  readonly #arrays: TableArrays;
  readonly #filter: RowFilter;

  constructor({ db, meta }: { readonly db: DatabaseSync; readonly meta: TableMeta }) {
    this.#db = db;
    this.#arrays = new TableArrays(db, meta);
    this.#filter = new RowFilter(this.#arrays);
  }

  get rows(): number {
    return this.#arrays.meta.rows;
  }

  get columns(): readonly ColumnSpec[] {
    return this.#arrays.meta.columns;
  }

  get flags(): Readonly<Record<string, number>> {
    const { flagNames, flagCounts } = this.#arrays.meta;
    return Object.fromEntries(flagNames.map((name, at) => [name, flagCounts[at]]));
  }

  get about(): unknown {
    return this.#arrays.meta.about;
  }

  async find({ flag, filters = [], sort, after, before, limit }: TableQuery): Promise<TablePage> {
    const sorted = new SortedRows(this.#arrays, sort);
    const set = await this.#filter.of(flag, filters);
    const total = set === undefined ? this.rows : set.count;
    const end = before === undefined ? this.rows : sorted.placeOf(before, false);
    const start = after === undefined ? 0 : sorted.placeOf(after, true);
    const found =
      before === undefined
        ? take(sorted, set, start, this.rows, 1, limit)
        : take(sorted, set, end - 1, -1, -1, limit).reverse();
    const skipped = countBefore(sorted, set, found[0]?.place ?? (before === undefined ? this.rows : 0));
    return { rows: found.map(({ row }): FoundRow => ({ row, key: sorted.keyOf(row) })), total, skipped };
  }

  read(rows: readonly number[], columns: readonly string[]): TableRow[] {
    const specs = columns.map((name) => this.#arrays.column(name));
    const parts = new Map<number, Uint8Array>();
    return rows.map((row) =>
      Object.fromEntries(specs.map((column) => [column.name, this.#value(column, row, parts)] as const)),
    );
  }

  async *scan({ flag, filters = [], sort }: Omit<TableQuery, 'after' | 'before' | 'limit'>): AsyncGenerator<number> {
    const sorted = new SortedRows(this.#arrays, sort);
    const set = await this.#filter.of(flag, filters);
    for (let place = 0; place < this.rows; place++) {
      const row = sorted.at(place);
      if (set === undefined || set.has(row)) yield row;
      else if (place % SCANNED_AT_A_TIME === 0) await nextTurn();
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #value({ name, kind }: ColumnSpec, row: number, parts: Map<number, Uint8Array>): TableRow[string] {
    if (kind === 'text') return this.#arrays.text(name, row, parts) || undefined;
    if (kind === 'time') {
      const time = this.#arrays.times(name)[row];
      return Number.isNaN(time) ? undefined : time;
    }
    const number = this.#arrays.numbers(name)[row];
    if (number === MISSING) return undefined;
    return kind === 'number' ? number : this.#arrays.words(name)[number];
  }
}

interface Place {
  readonly row: number;
  readonly place: number;
}

function take(
  sorted: SortedRows,
  set: RowSet | undefined,
  from: number,
  to: number,
  step: 1 | -1,
  limit: number,
): Place[] {
  const found: Place[] = [];
  for (let place = from; place !== to && found.length < limit; place += step) {
    const row = sorted.at(place);
    if (set === undefined || set.has(row)) found.push({ row, place });
  }
  return found;
}

function countBefore(sorted: SortedRows, set: RowSet | undefined, end: number): number {
  if (set === undefined) return end;
  let count = 0;
  for (let place = 0; place < end; place++) if (set.has(sorted.at(place))) count++;
  return count;
}
