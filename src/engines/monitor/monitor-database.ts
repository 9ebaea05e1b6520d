import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Raised with every change of the tables: what is monitored is no part of the crawl, and begins again. */
const VERSION = 1;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS sample (
  at REAL PRIMARY KEY, run REAL NOT NULL, pages INTEGER NOT NULL, requests INTEGER NOT NULL, bytes REAL NOT NULL,
  failed INTEGER NOT NULL, refused INTEGER NOT NULL, duplicates INTEGER NOT NULL, queued INTEGER NOT NULL,
  hosts INTEGER NOT NULL, in_flight INTEGER NOT NULL, memory REAL NOT NULL, left_ms REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS host (
  key TEXT PRIMARY KEY, requests INTEGER NOT NULL, failures INTEGER NOT NULL,
  s2 INTEGER NOT NULL, s3 INTEGER NOT NULL, s4 INTEGER NOT NULL, s5 INTEGER NOT NULL,
  gaps INTEGER NOT NULL, early INTEGER NOT NULL, slack REAL, gap REAL, owed REAL, error_at REAL, error TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS host_slack ON host (slack) WHERE slack IS NOT NULL;
CREATE TABLE IF NOT EXISTS trouble (
  number INTEGER PRIMARY KEY, at REAL NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, what TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS value (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = ${VERSION};
`;

/** Beside state.db, which belongs to the crawl alone: whoever loses this file loses charts. */
export function monitorPath(folder: string): string {
  return join(folder, 'monitor.db');
}

/** Opens it for writing. One that is damaged, or of another version, gives way to a new one. */
export function openMonitorDatabase(folder: string): DatabaseSync {
  try {
    return open(folder);
  } catch {
    for (const ending of ['', '-wal', '-shm']) rmSync(monitorPath(folder) + ending, { force: true });
    return open(folder);
  }
}

function open(folder: string): DatabaseSync {
  const db = new DatabaseSync(monitorPath(folder));
  try {
    db.exec('PRAGMA busy_timeout = 1000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0]);
    if (version !== 0 && version !== VERSION) throw new Error(`monitor.db has version ${version}`);
    db.exec(SCHEMA);
    db.prepare('SELECT max(at) FROM sample').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** For reading beside the crawl; undefined where there is none, or none that can be read. */
export function openMonitorForReading(folder: string): DatabaseSync | undefined {
  try {
    const db = new DatabaseSync(monitorPath(folder), { readOnly: true });
    try {
      db.exec('PRAGMA busy_timeout = 1000');
      const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0]);
      if (version === VERSION) return db;
    } catch {
      // Damaged: as if it were not there.
    }
    db.close();
    return undefined;
  } catch {
    return undefined;
  }
}
