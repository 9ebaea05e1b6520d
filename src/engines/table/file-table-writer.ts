import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import type { ColumnSpec, ReportValue, TableRow, TableWriter } from '../../contracts/site-report.ts';
import { lockFolder } from '../folder-lock.ts';
import { UrlKey } from '../links/url-key.ts';
import { UrlNumbers } from '../links/url-numbers.ts';
import { storageError } from '../storage-error.ts';
import { GrowingArray } from './growing-array.ts';
import { sortRows } from './sort-rows.ts';
import {
  BLOCK_ROWS,
  createTableFile,
  draftPath,
  FLAGS,
  MISSING,
  PART_ROWS,
  partId,
  removeDrafts,
  type TableMeta,
} from './table-file.ts';
import { foldedText, keptText, packTexts, sortedText } from './text-parts.ts';
import { keyOfTime, WordNumbers } from './word-numbers.ts';

/** Memory for sorting texts; beyond it they are sorted on disk. */
const SORT_KB = 64_000;
const ROWS_PER_TRANSACTION = 20_000;

interface ColumnDraft extends ColumnSpec {
  readonly number: number;
  /** Of numbers and words. */
  readonly values?: GrowingArray<Uint32Array>;
  /** Of times, ms; NaN where missing. */
  readonly times?: GrowingArray<Float64Array>;
  readonly words?: WordNumbers;
  /** Texts of the part and of the block that are not full yet. */
  readonly part: string[];
  readonly block: string[];
}

/** Makes a table beside the one that is there, in a draft that takes its place at the end. One at a time. */
export class FileTableWriter implements TableWriter {
  readonly #path: string;
  readonly #lock: Disposable;
  readonly #db: DatabaseSync;
  /** Texts to be sorted; beside the draft. */
  readonly #staging: DatabaseSync;
  readonly #columns: readonly ColumnDraft[];
  readonly #byName: ReadonlyMap<string, ColumnDraft>;
  readonly #flagNames: readonly string[];
  readonly #flags = new GrowingArray((length) => new Uint32Array(length));
  readonly #stage: ReadonlyMap<string, StatementSync>;
  readonly #part: StatementSync;
  readonly #block: StatementSync;
  /** Rows by their texts in the first column. */
  readonly #numbers = new UrlNumbers();
  readonly #key = new UrlKey();
  /** Orders of texts that were made already. */
  readonly #orders = new Map<string, TextOrder>();
  #rows = 0;
  #isClosed = false;

  constructor(path: string, columns: readonly ColumnSpec[], flagNames: readonly string[]) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#lock = lockFolder(dirname(path));
    removeDrafts(path);
    this.#flagNames = flagNames;
    this.#columns = columns.map(draftOf);
    this.#byName = new Map(this.#columns.map((column) => [column.name, column]));
    try {
      this.#db = createTableFile(draftPath(path));
      this.#staging = new DatabaseSync(`${draftPath(path)}.texts`);
      this.#staging.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -${SORT_KB};`);
      const texts = this.#columns.filter(({ kind }) => kind === 'text');
      for (const { number } of texts)
        this.#staging.exec(`CREATE TABLE text_${number} (row INTEGER PRIMARY KEY, text TEXT NOT NULL)`);
      this.#stage = new Map(
        texts.map(({ name, number }) => [name, this.#staging.prepare(`INSERT INTO text_${number} VALUES (?, ?)`)]),
      );
      this.#part = this.#db.prepare('INSERT INTO text_part VALUES (?, ?)');
      this.#block = this.#db.prepare('INSERT INTO text_block VALUES (?, ?)');
      this.#begin();
    } catch (cause) {
      this.#lock[Symbol.dispose]();
      throw storageError(cause, dirname(path));
    }
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: TableRow): number {
    return this.#guard(() => {
      for (const column of this.#columns) this.#take(column, row[column.name]);
      this.#flags.push(0);
      const { hi, lo } = this.#key.set(String(row[this.#columns[0].name] ?? ''));
      this.#numbers.add(hi, lo);
      if (++this.#rows % ROWS_PER_TRANSACTION === 0) {
        this.#commit();
        this.#begin();
      }
      return this.#rows - 1;
    });
  }

  rowOf(text: string): number | undefined {
    const { hi, lo } = this.#key.set(text);
    return this.rowAt(hi, lo);
  }

  rowAt(hi: number, lo: number): number | undefined {
    const row = this.#numbers.find(hi, lo);
    return row < 0 ? undefined : row;
  }

  set(row: number, name: string, value: ReportValue): void {
    const { values, words, kind } = this.#column(name);
    if (values === undefined) throw new OrbweaverError('INTERNAL', `${name} is of the kind ${kind}: it cannot be set.`);
    values.values[row] = words === undefined ? wholeNumber(value) : words.numberOf(String(value));
  }

  get(row: number, name: string): number | undefined {
    const value = this.#column(name).values?.values[row];
    return value === undefined || value === MISSING ? undefined : value;
  }

  flag(row: number, name: string): void {
    const bit = this.#flagNames.indexOf(name);
    if (bit < 0) throw new OrbweaverError('INTERNAL', `The table has no flag ${name}.`);
    this.#flags.values[row] |= 1 << bit;
  }

  *sameTexts(name: string, counts: (row: number) => boolean): Generator<readonly number[]> {
    const { rows, starts } = this.#orderOf(this.#column(name));
    for (let group = 0; group < starts.length; group++) {
      const members = rows.subarray(starts[group], starts[group + 1] ?? rows.length);
      if (members.length < 2) continue;
      const counted = Array.from(members).filter(counts);
      if (counted.length >= 2) yield counted;
    }
  }

  publish(about: unknown): void {
    this.#guard(() => {
      for (const { number, part, block } of this.#columns) {
        this.#writeTexts(number, part, PART_ROWS, this.#part);
        this.#writeTexts(number, block, BLOCK_ROWS, this.#block);
      }
      const [first] = this.#columns;
      const all = Uint32Array.from({ length: this.#rows }, (_, row) => row);
      const byFirst = first.kind === 'text' ? this.#withMissing(this.#orderOf(first).rows) : { rows: all, present: 0 };
      this.#commit();
      this.#begin();
      for (const column of this.#columns) this.#writeColumn(column, byFirst.rows);
      const flags = this.#flags.values;
      this.#writeArray(FLAGS, flags);
      const meta: TableMeta = {
        ...{ rows: this.#rows, columns: this.#columns.map(({ name, kind }) => ({ name, kind })) },
        words: Object.fromEntries(this.#columns.flatMap(({ name, words }) => (words ? [[name, words.all]] : []))),
        flagNames: this.#flagNames,
        flagCounts: this.#flagNames.map((_, bit) => flags.reduce((sum, bits) => sum + ((bits >>> bit) & 1), 0)),
        about,
      };
      this.#db.prepare('INSERT INTO meta VALUES (?)').run(JSON.stringify(meta));
      this.#commit();
      this.#db.close();
      this.#staging.close();
      const draft = draftPath(this.#path);
      flush(draft);
      rmSync(`${draft}.texts`, { force: true });
      renameSync(draft, this.#path);
      flush(dirname(this.#path));
      this.#isClosed = true;
    });
    this.#lock[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#db.close();
    this.#staging.close();
    removeDrafts(this.#path);
    this.#lock[Symbol.dispose]();
  }

  #take(column: ColumnDraft, value: ReportValue | undefined): void {
    switch (column.kind) {
      case 'number':
        column.values?.push(wholeNumber(value));
        break;
      case 'time':
        column.times?.push(typeof value === 'number' ? Math.floor(value / 1000) * 1000 : Number.NaN);
        break;
      case 'word':
        column.values?.push(column.words?.numberOf(value === undefined ? '' : String(value)) ?? MISSING);
        break;
      case 'text': {
        const text = value === undefined ? '' : keptText(String(value));
        column.part.push(text);
        column.block.push(foldedText(text));
        if (text !== '') this.#stage.get(column.name)?.run(this.#rows, sortedText(text, column.number));
        if (column.part.length === PART_ROWS) this.#writeTexts(column.number, column.part, PART_ROWS, this.#part);
        if (column.block.length === BLOCK_ROWS) this.#writeTexts(column.number, column.block, BLOCK_ROWS, this.#block);
      }
    }
  }

  /** To be called with the last row of `texts` being added, or after the last row of all. */
  #writeTexts(column: number, texts: string[], most: number, statement: StatementSync): void {
    if (texts.length === 0) return;
    const last = texts.length === most ? this.#rows : this.#rows - 1;
    statement.run(partId(column, Math.floor(last / most)), packTexts(texts));
    texts.length = 0;
  }

  #writeColumn(column: ColumnDraft, byFirst: Uint32Array): void {
    const { name, kind, values, times, words } = column;
    if (kind === 'text') {
      const { rows, present } = this.#withMissing(this.#orderOf(column).rows);
      this.#writeOrder(name, rows, present);
      return;
    }
    const array = times?.values ?? values!.values;
    this.#writeArray(name, array);
    const has = (row: number): boolean => (times === undefined ? array[row] !== MISSING : !Number.isNaN(array[row]));
    const ranks = words?.ranks();
    const keyOf = (row: number): number =>
      times !== undefined ? keyOfTime(array[row]) : ranks !== undefined ? ranks[array[row]] : array[row];
    const present = sortRows(byFirst.filter(has), keyOf);
    const order = new Uint32Array(this.#rows);
    order.set(present);
    order.set(
      byFirst.filter((row) => !has(row)),
      present.length,
    );
    this.#writeOrder(name, order, present.length);
  }

  /** Rows that have a text, in its order and then in that of the first column. */
  #orderOf(column: ColumnDraft): TextOrder {
    const known = this.#orders.get(column.name);
    if (known !== undefined) return known;
    const [first] = this.#columns;
    const ranks = column === first ? undefined : ranksOf(this.#orderOf(first).rows, this.#rows);
    const order = this.#guard(() => this.#sortTexts(column, ranks));
    this.#orders.set(column.name, order);
    return order;
  }

  #sortTexts({ number }: ColumnDraft, ranks: Uint32Array | undefined): TextOrder {
    this.#commit();
    const { count } = this.#staging.prepare(`SELECT count(*) AS count FROM text_${number}`).get() as { count: number };
    const rows = new Uint32Array(count);
    const starts = new GrowingArray((length) => new Uint32Array(length));
    let at = 0;
    let begin = 0;
    let last: string | undefined;
    const close = (): void => {
      if (ranks !== undefined && at - begin > 1) rows.subarray(begin, at).sort((a, b) => ranks[a] - ranks[b]);
    };
    const sorted = this.#staging.prepare(`SELECT row, text FROM text_${number} ORDER BY text`);
    for (const entry of sorted.iterate() as Iterable<unknown>) {
      const { row, text } = entry as { row: number; text: string };
      if (text !== last) {
        close();
        begin = at;
        starts.push(at);
        last = text;
      }
      rows[at++] = row;
    }
    close();
    this.#begin();
    return { rows, starts: starts.values };
  }

  #withMissing(rows: Uint32Array): { readonly rows: Uint32Array; readonly present: number } {
    if (rows.length === this.#rows) return { rows, present: rows.length };
    const [first] = this.#columns;
    const has = new Uint8Array(this.#rows);
    for (const row of rows) has[row] = 1;
    const byFirst = first.kind === 'text' ? this.#orderOf(first).rows : Uint32Array.from(has.keys());
    const order = new Uint32Array(this.#rows);
    order.set(rows);
    let at = rows.length;
    for (const row of byFirst) {
      if (has[row] === 1) continue;
      has[row] = 1;
      order[at++] = row;
    }
    // Rows without even the first column.
    for (let row = 0; row < this.#rows; row++) if (has[row] === 0) order[at++] = row;
    return { rows: order, present: rows.length };
  }

  #writeArray(name: string, values: Uint32Array | Float64Array): void {
    this.#db.prepare('INSERT INTO array VALUES (?, ?)').run(name, bytesOf(values));
  }

  #writeOrder(name: string, rows: Uint32Array, present: number): void {
    this.#db.prepare('INSERT INTO row_order VALUES (?, ?, ?)').run(name, present, bytesOf(rows));
  }

  #column(name: string): ColumnDraft {
    const column = this.#byName.get(name);
    if (column === undefined) throw new OrbweaverError('INTERNAL', `The table has no column ${name}.`);
    return column;
  }

  #begin(): void {
    this.#db.exec('BEGIN');
    this.#staging.exec('BEGIN');
  }

  #commit(): void {
    this.#db.exec('COMMIT');
    this.#staging.exec('COMMIT');
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw storageError(cause, dirname(this.#path));
    }
  }
}

interface TextOrder {
  readonly rows: Uint32Array;
  /** Where each text begins in `rows`. */
  readonly starts: Uint32Array;
}

function draftOf({ name, kind }: ColumnSpec, number: number): ColumnDraft {
  const numbers = { values: new GrowingArray((length) => new Uint32Array(length)) };
  const of = {
    text: {},
    number: numbers,
    word: { ...numbers, words: new WordNumbers() },
    time: { times: new GrowingArray((length) => new Float64Array(length)) },
  };
  return { name, kind, number, part: [], block: [], ...of[kind] };
}

function ranksOf(rows: Uint32Array, length: number): Uint32Array {
  const ranks = new Uint32Array(length);
  for (let rank = 0; rank < rows.length; rank++) ranks[rows[rank]] = rank;
  return ranks;
}

function wholeNumber(value: ReportValue | undefined): number {
  return typeof value !== 'number' || !(value >= 0) ? MISSING : Math.min(Math.floor(value), MISSING - 1);
}

function bytesOf(values: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** On the device before the name is: after a power cut an empty file must not stand where a table was. */
function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
