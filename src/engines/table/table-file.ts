import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ColumnSpec } from '../../contracts/site-report.ts';

/** Raised with every change of the form. A table of another form is not read; it is derived, and made again. */
const TABLE_VERSION = 1;
const APPLICATION_ID = 0x4f726254; // "OrbT"

/**
 * SQLite is the container: one file that is whole or damaged, read in pieces. What a query goes through are arrays, a value for each
 * row: columns, orders, and texts by the part.
 */
const SCHEMA = `
CREATE TABLE meta (value TEXT NOT NULL);
-- Values of the rows, 4 or 8 bytes each; of words their numbers. '#flags': a bit for each flag.
CREATE TABLE array (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
-- Rows in the order of a column: those that have a value (present of them), then the others.
CREATE TABLE row_order (name TEXT PRIMARY KEY, present INTEGER NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
-- Texts of some rows, to be read; id = number of the column * 2^32 + number of the part.
CREATE TABLE text_part (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- The same in lower case, of more rows, to be searched.
CREATE TABLE text_block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
`;

/** What is kept about a table as a whole. */
export interface TableMeta {
  readonly rows: number;
  readonly columns: readonly ColumnSpec[];
  /** Words by column. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly flagNames: readonly string[];
  readonly flagCounts: readonly number[];
  readonly about: unknown;
}

export const FLAGS = '#flags';
/** Of a number or a word that is missing. */
export const MISSING = 0xffffffff;
/** A row is read with those of its part. */
export const PART_ROWS = 64;
/** A search goes from block to block, at some cost for each. */
export const BLOCK_ROWS = 2048;

export function partId(column: number, part: number): number {
  return column * 2 ** 32 + part;
}

/** Of a table that is being made. Nobody else looks at it, and after a crash it is removed: no journal, no flush before the end. */
export function createTableFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA page_size = 32768; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
    ${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${TABLE_VERSION};`);
  return db;
}

/** Undefined where there is none, or one of another form. */
export function openTableFile(path: string): { readonly db: DatabaseSync; readonly meta: TableMeta } | undefined {
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (pragma(db, 'application_id') === APPLICATION_ID && pragma(db, 'user_version') === TABLE_VERSION) {
      const { value } = db.prepare('SELECT value FROM meta').get() as { value: string };
      return { db, meta: JSON.parse(value) };
    }
  } catch {
    // Damaged: as good as none.
  }
  db.close();
  return undefined;
}

/** Where a table is made: beside the one that it replaces, for a rename must not cross disks. */
export function draftPath(path: string): string {
  return `${path}.draft`;
}

/** Removes what a process left that ended while it made a table. */
export function removeDrafts(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder))
    if (name.startsWith(basename(draftPath(path)))) rmSync(join(folder, name), { force: true });
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}
