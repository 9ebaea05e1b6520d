import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { storageError } from '../storage-error.ts';

/** Raised with every change of the tables. A file with a higher number is left alone. */
const VERSION = 1;

const SCHEMA = `
-- Every set that a run had; is_current: the last run had it. digest: tells its rules from others.
CREATE TABLE IF NOT EXISTS rule_set (
  name TEXT PRIMARY KEY, rules TEXT NOT NULL, digest TEXT NOT NULL, is_current INTEGER NOT NULL) WITHOUT ROWID;

-- Pages that a set was tried on; digest: the rules that read it last.
CREATE TABLE IF NOT EXISTS page (
  set_name TEXT NOT NULL, url TEXT NOT NULL, at REAL NOT NULL, digest TEXT NOT NULL, problem TEXT,
  PRIMARY KEY (set_name, url)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS page_problem ON page (set_name) WHERE problem IS NOT NULL;

-- key: what a row of a page is known by.
CREATE TABLE IF NOT EXISTS row (
  number INTEGER PRIMARY KEY, set_name TEXT NOT NULL, url TEXT NOT NULL, key TEXT NOT NULL,
  first_seen REAL NOT NULL, changed_at REAL NOT NULL, gone_at REAL, fields TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS row_key ON row (url, set_name, key);
CREATE INDEX IF NOT EXISTS row_set ON row (set_name, number);

CREATE TABLE IF NOT EXISTS change (
  number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, set_name TEXT NOT NULL, url TEXT NOT NULL,
  by_rules INTEGER NOT NULL, fields TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS change_url ON change (url);

-- Parts of a set, under its rules, that have found something.
CREATE TABLE IF NOT EXISTS found (
  set_name TEXT NOT NULL, digest TEXT NOT NULL, part TEXT NOT NULL, PRIMARY KEY (set_name, digest, part)) WITHOUT ROWID;
PRAGMA user_version = ${VERSION};
`;

/** Beside state.db: what rules have read from pages. */
export function rowsPath(folder: string): string {
  return join(folder, 'rows.db');
}

/** Opens it for writing, and makes it where there is none. */
export function openRowDatabase(folder: string, durability: 'process' | 'power'): DatabaseSync {
  try {
    const db = new DatabaseSync(rowsPath(folder));
    db.exec(`PRAGMA busy_timeout = 30000; PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    refuseNewer(db, folder);
    db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    return db;
  } catch (cause) {
    throw storageError(cause, folder);
  }
}

/** For reading beside a crawl; undefined where no rule has ever been used in the folder. */
export function openRowDatabaseForReading(folder: string): DatabaseSync | undefined {
  if (!existsSync(rowsPath(folder))) return undefined;
  try {
    const db = new DatabaseSync(rowsPath(folder), { readOnly: true });
    db.exec('PRAGMA busy_timeout = 5000');
    refuseNewer(db, folder);
    return db;
  } catch (cause) {
    throw storageError(cause, folder);
  }
}

function refuseNewer(db: DatabaseSync, folder: string): void {
  const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0]);
  if (version <= VERSION) return;
  db.close();
  throw new OrbweaverError('FOLDER_NEWER_VERSION', `${rowsPath(folder)} was written by a newer Orbweaver.`, {
    remedy: 'Update Orbweaver, or choose another folder with --dir. Nothing was changed.',
  });
}
