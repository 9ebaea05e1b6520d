import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { UNKNOWN_END } from '../sqlite/rows/lease-rows.ts';
import { AUTOMATIC_CHECKPOINT_PAGES, createStateFile, STATE_VERSION } from '../sqlite/state-database.ts';
import { markWorkingCopy } from '../sqlite/working-copy-mark.ts';
import type { ColumnValue } from './binary-array.ts';
import { ChangeRecord, type RowChange } from './change-record.ts';
import { type Column, TABLES, type Table } from './tables.ts';

/** Rows of one table that a partition has to follow. */
export interface TableChanges {
  readonly table: Table;
  readonly inserted: readonly (readonly ColumnValue[])[];
  readonly updated: readonly (readonly ColumnValue[])[];
  /** Keys. */
  readonly removed: readonly (readonly ColumnValue[])[];
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Times of the last writer, by its own clock and machine: they say nothing to the next. */
const ITS_OWN_TIMES = { savedAt: 0, uptime: 0 };

/**
 * The rows of one partition beside its owner, as a state of SQLite that can be made again at any time: nothing in it is
 * ever read back. Records what changes, for PostgreSQL to follow. Times are by the clock of the node here, and by that of
 * the store there.
 */
export class WorkingCopy implements Disposable {
  readonly db: DatabaseSync;
  readonly #shiftMs: number;
  readonly #errorMs: number;
  #isAbandoned = false;
  #records: readonly (readonly [Table, ChangeRecord])[] = [];
  /** Places of the records that have something. */
  #changed: () => readonly number[] = () => [];

  /**
   * `store`: what it is a copy of. `shiftMs`: what the clock of the store is ahead of that of the node; `errorMs`: by how much that may
   * be too much.
   */
  constructor(path: string, store: string, shiftMs: number, errorMs = 0) {
    this.#shiftMs = shiftMs;
    this.#errorMs = errorMs;
    this.db = path !== ':memory:' && existsSync(path) ? reopened(path) : emptied(createStateFile(path));
    markWorkingCopy(this.db, store);
  }

  /** How many of its pages stay in memory. */
  keepInMemory(cacheKb: number): void {
    this.db.exec(`PRAGMA cache_size = -${cacheKb}`);
  }

  /** There is a newer one of its partition, maybe in the same file: nothing is written here any more. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Gives up what was changed and not taken, which would keep a newer one from its file. What is there can still be read. */
  abandon(): void {
    this.#isAbandoned = true;
    if (this.db.isTransaction) this.db.exec('ROLLBACK');
  }

  /** Takes in rows as PostgreSQL has them, before `record`. */
  fill(table: Table, rows: readonly (readonly ColumnValue[])[]): void {
    if (rows.length === 0) return;
    const insert = this.db.prepare(`INSERT INTO ${table.name} VALUES (${table.columns.map(() => '?').join(', ')})`);
    for (const row of rows)
      insert.run(
        ...table.columns.map((column, at) =>
          shifted(column, ownValue(table, row, at), -this.#shiftMs + (isRest(table, column) ? this.#errorMs : 0)),
        ),
      );
  }

  /** The owner before was asking these hosts, and may be asking them still. They rest when the frontier is opened. */
  markBusy(hosts: readonly number[]): void {
    const insert = this.db.prepare('INSERT INTO lease VALUES (?, 0, 0, ?)');
    for (const host of hosts) insert.run(host, UNKNOWN_END);
  }

  /** It is complete. From now on changes are recorded. */
  record(): void {
    this.db.exec('COMMIT');
    ChangeRecord.prepare(this.db);
    // Tables that are not among them, such as leases, end with their owner.
    this.#records = TABLES.map((table) => [table, new ChangeRecord(this.db, table)]);
    this.#changed = ChangeRecord.changedAmong(this.db, TABLES);
  }

  /** What has changed since the last call. */
  takeChanges(): TableChanges[] {
    return this.#changed().flatMap((place) => {
      const [table, record] = this.#records[place];
      const changes = record.take();
      if (changes.length === 0) return [];
      const { columns, keyAt } = table;
      const rowsOf = (wanted: RowChange['kind'], places: readonly number[]): ColumnValue[][] =>
        changes
          .filter(({ kind }) => kind === wanted)
          .map(({ values }) => places.map((at) => shifted(columns[at], values[at] ?? null, this.#shiftMs)));
      const all = [...columns.keys()];
      return [
        { table, inserted: rowsOf('insert', all), updated: rowsOf('update', all), removed: rowsOf('delete', keyAt) },
      ];
    });
  }

  [Symbol.dispose](): void {
    this.#records = [];
    this.#changed = () => [];
    this.db.close();
  }
}

/** One of an earlier version gets no upgrade, and a damaged one no repair: it can be made again. */
function reopened(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  try {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version === STATE_VERSION) return emptied(db);
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
  }
  db.close();
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
  return emptied(createStateFile(path));
}

/** Emptied rather than made anew, in the transaction that fills it: who reads beside it goes on reading this file. */
function emptied(db: DatabaseSync): DatabaseSync {
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = ${AUTOMATIC_CHECKPOINT_PAGES}; BEGIN`);
  for (const { name } of TABLES) db.exec(`DELETE FROM ${name}`);
  db.exec('DELETE FROM lease');
  return db;
}

/** Until when a host is not asked. */
function isRest(table: Table, { name }: Column): boolean {
  return table.name === 'host' && (name === 'due_at' || name === 'hold_until');
}

function isDamage(cause: unknown): boolean {
  const { errcode = 0 } = cause as { errcode?: number };
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & 0xff);
}

function shifted({ isTime }: Column, value: ColumnValue, ms: number): ColumnValue {
  return isTime && typeof value === 'number' && value !== 0 ? value + ms : value;
}

function ownValue(table: Table, row: readonly ColumnValue[], at: number): ColumnValue {
  if (table.name !== 'meta' || at !== 1 || row[0] !== 'counters') return row[at];
  return JSON.stringify({ ...JSON.parse(String(row[1])), ...ITS_OWN_TIMES });
}
