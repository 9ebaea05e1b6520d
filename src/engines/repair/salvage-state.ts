import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import type { SalvagedTable, SalvageReport } from '../../contracts/state/repair.ts';
import { createStateFile, isStateHeader, STATE_PAGE_BYTES, statePath } from '../sqlite/state-database.ts';
import { DERIVED_TABLES, isSoundRow, type NamedRow } from './sound-row.ts';
import { SqliteFile, type StoredRow, type StoredValue } from './sqlite-file.ts';
import { draftPath } from './state-swap.ts';

/** What was read of one table, and what was not. */
interface TableShape {
  readonly name: string;
  readonly root: number;
  /** In the order of the record. */
  readonly columns: readonly string[];
  /** The column that is the rowid. */
  readonly key: string | undefined;
}

const SCHEMA_ROOT = 1;

/** Makes a new state at the draft path from all rows of the state that can be read. The state itself is only read. */
export function salvageState(folder: string): SalvageReport {
  const source = `${draftPath(folder)}.source`;
  copyFileSync(statePath(folder), source);
  if (existsSync(`${statePath(folder)}-wal`)) copyFileSync(`${statePath(folder)}-wal`, `${source}-wal`);
  const draft = createStateFile(draftPath(folder));
  try {
    replaceDamagedHeader(source, draftPath(folder));
    const logLost = !applyLog(source);
    const tables = copyTables(source, draft);
    if (tables.every(({ rows }) => rows === 0))
      throw new OrbweaverError('FOLDER_CORRUPT', `Nothing of ${statePath(folder)} can be read.`, {
        remedy: 'Put state.db back from a copy, or start a new crawl in another folder; the archive can still be read.',
      });
    return { tables, logLost };
  } finally {
    draft.close();
    for (const end of ['', '-wal', '-shm']) rmSync(source + end, { force: true });
  }
}

/** The first page tells where tables begin. That of a new state serves, unless an earlier version made the folder. */
function replaceDamagedHeader(path: string, fresh: string): void {
  const page = Buffer.alloc(STATE_PAGE_BYTES);
  if (isStateHeader(readPage(path, page))) return;
  readPage(fresh, page);
  const fd = openSync(path, 'r+');
  try {
    // No number of pages, no list of free ones: SQLite then goes by the length of the file.
    page.fill(0, 28, 40);
    page.fill(0, 92, 96);
    writeSync(fd, page, 0, page.length, 0);
  } finally {
    closeSync(fd);
  }
}

function readPage(path: string, page: Buffer): Buffer {
  const fd = openSync(path, 'r');
  try {
    readSync(fd, page, 0, page.length, 0);
    return page;
  } finally {
    closeSync(fd);
  }
}

/** Moves the log into the file, as far as its checksums are right. */
function applyLog(path: string): boolean {
  try {
    const db = new DatabaseSync(path);
    try {
      db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      return true;
    } finally {
      db.close();
    }
  } catch {
    return !existsSync(`${path}-wal`);
  }
}

function copyTables(source: string, draft: DatabaseSync): SalvagedTable[] {
  using file = new SqliteFile(source, STATE_PAGE_BYTES);
  const roots = new Map<string, number>();
  for (const { values } of file.rows(SCHEMA_ROOT, () => {})) {
    const [type, name, , root] = values;
    if (type === 'table' && typeof root === 'number') roots.set(String(name), root);
  }
  draft.exec('BEGIN');
  const copied = shapesOf(draft)
    .filter(({ name }) => !DERIVED_TABLES.has(name))
    .map((shape) => copyTable(file, { ...shape, root: roots.get(shape.name) ?? shape.root }, draft));
  // What is derived is made again at the next start.
  draft.exec("DELETE FROM meta WHERE name = 'places'; COMMIT");
  return copied;
}

function copyTable(file: SqliteFile, shape: TableShape, draft: DatabaseSync): SalvagedTable {
  const { name, columns } = shape;
  const insert = draft.prepare(
    `INSERT OR IGNORE INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const damaged = new Set<number>();
  let rows = 0;
  let unsound = 0;
  for (const stored of file.rows(shape.root, (page) => damaged.add(page))) {
    const row = namedRow(shape, stored);
    if (row !== undefined && isSoundRow(name, row) && inserted(insert, columns, row)) rows++;
    else unsound++;
  }
  return { table: name, rows, unsound, damagedPages: damaged.size };
}

function namedRow({ columns, key }: TableShape, { rowid, values }: StoredRow): NamedRow | undefined {
  if (values.length > columns.length || (key !== undefined && rowid === undefined)) return undefined;
  // A table that has lost its rowid since the folder was made: its first column was that, and is empty in the record.
  if (key === undefined && rowid !== undefined && values[0] !== null) return undefined;
  // Rows older than a column do not have it.
  const row: Record<string, StoredValue> = {};
  for (const [at, column] of columns.entries()) row[column] = values[at] ?? null;
  if (rowid !== undefined) row[key ?? columns[0]] = Number.isSafeInteger(Number(rowid)) ? Number(rowid) : rowid;
  return row;
}

function inserted(insert: StatementSync, columns: readonly string[], row: NamedRow): boolean {
  try {
    return insert.run(...columns.map((column) => row[column])).changes === 1;
  } catch {
    // A value that the table does not take was not written by Orbweaver.
    return false;
  }
}

function shapesOf(db: DatabaseSync): TableShape[] {
  const tables = db.prepare("SELECT name, rootpage AS root, sql FROM sqlite_master WHERE type = 'table'").all() as {
    name: string;
    root: number;
    sql: string;
  }[];
  return tables.map(({ name, root, sql }) => {
    const infos = db.prepare(`PRAGMA table_info(${name})`).all() as { name: string; pk: number }[];
    const keys = infos.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const withoutRowid = /WITHOUT ROWID/i.test(sql);
    const order = withoutRowid ? [...keys, ...infos.filter(({ pk }) => pk === 0)] : infos;
    return { name, root, columns: order.map((info) => info.name), key: withoutRowid ? undefined : keys[0].name };
  });
}
