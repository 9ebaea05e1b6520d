import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { storageError } from '../storage-error.ts';

/** Raised with every change of the tables or of a value's form. A folder with a higher number is left alone. */
const LINKS_VERSION = 1;
const APPLICATION_ID = 0x4f72624c; // "OrbL"

/**
 * SQLite is the container: it makes a commit whole, and lets others read beside the writer. What it is slow at, a row per
 * link under a random key, it does not get: links by source are one value per page, links by target are sorted blocks.
 */
const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- By fingerprint of the URL: the visit whose links count; links gained from others since this was last told (told: links
-- that were there by then, NULL where never counted).
CREATE TABLE page (fp INTEGER PRIMARY KEY, visit INTEGER NOT NULL, told INTEGER, gained INTEGER NOT NULL DEFAULT 0);

-- In the order of arrival. A visit that a later one has replaced is deleted.
CREATE TABLE visit (no INTEGER PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, at REAL NOT NULL, links BLOB NOT NULL);

-- Sorted runs of links by target: run.first holds the first fingerprint of each block; block.id = run.id * 2^24 + number.
CREATE TABLE run (
  id INTEGER PRIMARY KEY, level INTEGER NOT NULL, from_visit INTEGER NOT NULL, to_visit INTEGER NOT NULL,
  links INTEGER NOT NULL, first BLOB NOT NULL);
CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- A bit for every visit that was replaced, 32,768 to a row: what the runs still hold of it does not count.
CREATE TABLE replaced (part INTEGER PRIMARY KEY, bits BLOB NOT NULL);

-- Pages that have gained enough links to be indexed again.
CREATE TABLE pending (fp INTEGER PRIMARY KEY);
`;

/** Where the links of a crawl folder lie. */
export function linksFolder(crawlFolder: string): string {
  return join(crawlFolder, 'index', 'links');
}

export function linksFile(crawlFolder: string): string {
  return join(linksFolder(crawlFolder), 'links.db');
}

/** Opens index/links of a crawl folder, or makes it. */
export function openLinkDatabase(folder: string, readOnly: boolean): DatabaseSync {
  const file = join(folder, 'links.db');
  if (readOnly && !existsSync(file)) {
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `${folder} holds no links.`, {
      remedy: 'They are gathered while pages are indexed: run orbweaver index for this crawl first.',
    });
  }
  try {
    if (!readOnly) mkdirSync(folder, { recursive: true });
    const db = new DatabaseSync(file, { readOnly });
    db.exec('PRAGMA busy_timeout = 5000');
    if (!readOnly) prepare(db);
    const version = Number(Object.values(db.prepare('PRAGMA user_version').get()!)[0]);
    if (version <= LINKS_VERSION) return db;
    db.close();
  } catch (cause) {
    throw storageError(cause, folder);
  }
  throw new OrbweaverError('FOLDER_NEWER_VERSION', `${folder} was written by a newer version of Orbweaver.`, {
    remedy: 'Update Orbweaver, or remove the folder: the links are gathered again from the archive.',
  });
}

function prepare(db: DatabaseSync): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  // A block of a run fills one page.
  if (version === 0) db.exec('PRAGMA page_size = 8192');
  // A power cut may cost the last commits, place and all, which are then done again; a killed process costs nothing.
  // A larger cache saves no time: what is not in it the system holds, and a page is looked up in few places.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000');
  if (version !== 0) return;
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${LINKS_VERSION}; COMMIT`);
}
