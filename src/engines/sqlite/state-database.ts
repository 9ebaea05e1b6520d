import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { shellWord } from '../../base/shell-word.ts';
import { repairCommand, storageError } from '../storage-error.ts';
import { refuseWorkingCopy } from './working-copy-mark.ts';

/** Raised with every change of the tables. A folder with a higher number is left alone. */
export const STATE_VERSION = 7;
/** The log is moved into the database when it has grown to this many pages. */
export const AUTOMATIC_CHECKPOINT_PAGES = 8000;
const APPLICATION_ID = 0x4f726257; // "OrbW"
export const STATE_PAGE_BYTES = 4096;
/**
 * More is no better: a settled page touches leaves at random, of which a large state keeps few at hand in any case, and what leads to
 * them fits in for the first gigabyte. SQLite goes through all that it keeps whenever a balanced tree is committed.
 */
const CACHE_BYTES = 4 * 2 ** 20;
/** Of the b-tree page that lists the tables: interior, leaf. */
const TABLE_PAGES: readonly number[] = [5, 13];

/** Documents that are compared with each other; near_to makes the clusters. Since version 2. */
const LIKENESS_TABLE = `
CREATE TABLE likeness (
  document INTEGER PRIMARY KEY, page INTEGER NOT NULL, simhash INTEGER NOT NULL, shingles INTEGER NOT NULL,
  sketch BLOB NOT NULL, near_to INTEGER, jaccard REAL);
`;

/** Documents whose pages are gone are compared no longer, and those near to a page are found from it. Since version 4. */
const LIKENESS_CHANGES = `
ALTER TABLE likeness ADD COLUMN has_left INTEGER;
CREATE INDEX likeness_near_to ON likeness (near_to) WHERE near_to IS NOT NULL;
`;

/** What settlements have taught the crawl since its last snapshot of what it has learnt, a row per batch. Since version 5. */
const LEARNING_TABLE = 'CREATE TABLE learning (number INTEGER PRIMARY KEY, events BLOB NOT NULL);\n';

/** Links of settled pages that are not judged yet, packed. Since version 6. */
const LINK_BATCH_TABLE = 'CREATE TABLE link_batch (number INTEGER PRIMARY KEY, links BLOB NOT NULL);\n';

/** URLs that are leased, by their places in the queue. One that outlives its process tells the next which hosts were being asked. */
const LEASE_TABLE = `
CREATE TABLE lease (
  host INTEGER NOT NULL, lane INTEGER NOT NULL, ord INTEGER NOT NULL, until REAL NOT NULL,
  PRIMARY KEY (host, lane, ord)) WITHOUT ROWID;
`;

/** What a queue row holds; `later` and `revisit` set a time before it. */
const QUEUE_COLUMNS = `host INTEGER NOT NULL, lane INTEGER NOT NULL, ord INTEGER NOT NULL,
  url TEXT NOT NULL, depth INTEGER NOT NULL, redirects INTEGER NOT NULL, tries INTEGER NOT NULL, visited INTEGER NOT NULL,
  how TEXT NOT NULL, via BLOB, anchor TEXT, found_at REAL NOT NULL, for_origin TEXT`;

/** What visits again need. Since version 3. */
const REVISIT_TABLES = `
-- Pages to be visited again at a time; retries are in later. A crawl that visits every URL once does not look in here.
CREATE TABLE revisit (at REAL NOT NULL, ${QUEUE_COLUMNS}, PRIMARY KEY (at, host, lane, ord)) WITHOUT ROWID;

-- Where a page waits (waits: see place-rows.ts; at: its time in later or revisit), by fingerprint. Only where URLs are
-- moved; else it is empty.
CREATE TABLE place (
  fp INTEGER PRIMARY KEY, host INTEGER NOT NULL, lane INTEGER NOT NULL, ord INTEGER NOT NULL, depth INTEGER NOT NULL,
  waits INTEGER NOT NULL, at REAL, why TEXT, off_topic INTEGER);

-- What visits have shown of pages, in the order it was noticed; at falls only where the clock was wrong.
CREATE TABLE change (
  number INTEGER PRIMARY KEY, at REAL NOT NULL, url TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT, title TEXT);
`;

/** In upgraded folders these are the last columns of the page table, in new ones too. */
const REVISIT_COLUMNS = [
  // Why the next visit is when it is; contracts/revisit.ts ChangeHistory.
  'next_why TEXT',
  'changes TEXT',
  // The ending that stored the copy which is still held, where later visits ended in another way.
  'held TEXT',
];

/** The tables of state.db (docs/decisions/004-frontier-on-sqlite.md): the queue is clustered, no secondary indexes. */
const SCHEMA = `
-- One JSON value per name: counters, settings of the last run.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- What is kept of every host; loaded into frontier/host-table at start.
CREATE TABLE host (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL, due_at REAL NOT NULL, hold_until REAL NOT NULL, hold_why TEXT,
  crawl_delay REAL NOT NULL, last_fetch REAL NOT NULL, pushbacks INTEGER NOT NULL, pushed_at REAL NOT NULL,
  queued INTEGER NOT NULL, lane INTEGER NOT NULL, pages INTEGER NOT NULL, bytes REAL NOT NULL, spent REAL NOT NULL,
  parked INTEGER NOT NULL, address TEXT,
  -- Batches of seen up to this one are counted in queued and lane.
  as_of INTEGER NOT NULL);

-- host = back queue, lane = front queue, ord = place in it. A row leaves when its URL is settled, not when it is claimed.
CREATE TABLE queue (
  ${QUEUE_COLUMNS},
  PRIMARY KEY (host, lane, ord)) WITHOUT ROWID;

-- URLs to be tried again at a time.
CREATE TABLE later (at REAL NOT NULL, ${QUEUE_COLUMNS}, PRIMARY KEY (at, host, lane, ord)) WITHOUT ROWID;

${LEASE_TABLE}
-- The log of URLs that came in (fingerprint, host, lane), a row per batch; loaded into frontier/seen-set at start.
CREATE TABLE seen (batch INTEGER PRIMARY KEY, entries BLOB NOT NULL);

-- One row per visited URL, by fingerprint.
CREATE TABLE page (
  fp INTEGER PRIMARY KEY, url TEXT NOT NULL, host INTEGER NOT NULL, depth INTEGER NOT NULL,
  how TEXT NOT NULL, via BLOB, anchor TEXT, found_at REAL NOT NULL,
  kind TEXT NOT NULL, outcome TEXT NOT NULL, tries INTEGER NOT NULL, visited_at REAL NOT NULL, next_visit REAL,
  facts TEXT, history TEXT NOT NULL,
  ${REVISIT_COLUMNS.join(', ')});

-- Links that a filter refused; judged again when the rules change.
CREATE TABLE refusal (fp INTEGER PRIMARY KEY, by TEXT NOT NULL, rule TEXT NOT NULL, task TEXT NOT NULL, at REAL NOT NULL);

-- Body digest -> the first page that has it. A page that changes gives it up.
CREATE TABLE digest (digest TEXT PRIMARY KEY, url TEXT NOT NULL, at REAL NOT NULL, raw TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE robots (origin TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;

-- How much of each archive file belongs to settled pages; the rest is cut off at a restart.
CREATE TABLE archive_file (name TEXT PRIMARY KEY, file_end INTEGER NOT NULL, index_end INTEGER NOT NULL) WITHOUT ROWID;
${LIKENESS_TABLE}${LIKENESS_CHANGES}${REVISIT_TABLES}${LEARNING_TABLE}${LINK_BATCH_TABLE}`;

export interface OpenStateOptions {
  /** 'power' also survives a power cut, at the price of a disk flush per transaction. */
  readonly durability?: 'process' | 'power';
  readonly cacheBytes?: number;
}

export function statePath(folder: string): string {
  return join(folder, 'state.db');
}

/** A repaired state that is complete and about to become `state.db`; see engines/repair. */
export function repairedStatePath(folder: string): string {
  return `${statePath(folder)}.repaired`;
}

/** A new, empty state in a file of any name. */
export function createStateFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA page_size = ${STATE_PAGE_BYTES}`);
  create(db);
  return db;
}

/** Whether the first page of a file begins as that of a state does. */
export function isStateHeader(page: Buffer): boolean {
  return (
    page.toString('latin1', 0, 16) === 'SQLite format 3\0' &&
    page.readUInt16BE(16) === STATE_PAGE_BYTES &&
    page.readUInt32BE(68) === APPLICATION_ID &&
    TABLE_PAGES.includes(page[100])
  );
}

/** Opens the state for writing and creates it where there is none. */
export function openState(folder: string, options: OpenStateOptions = {}): DatabaseSync {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new OrbweaverError('FOLDER_UNWRITABLE', `The crawl folder ${folder} cannot be written.`, {
      remedy: 'Choose another folder with --dir, or change the permissions of this one.',
      cause,
    });
  }
  refuseUnfinishedRepair(folder);
  try {
    const db = new DatabaseSync(statePath(folder));
    db.exec(`PRAGMA page_size = ${STATE_PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${AUTOMATIC_CHECKPOINT_PAGES};
      PRAGMA synchronous = ${options.durability === 'power' ? 'FULL' : 'NORMAL'};
      PRAGMA cache_size = -${Math.round((options.cacheBytes ?? CACHE_BYTES) / 1024)};`);
    if (isEmpty(db)) {
      refuseLostState(folder);
      create(db);
      // On the device at once: after a power cut an empty file could not be told from a lost state.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
    checkVersion(db, folder);
    refuseWorkingCopy(db, folder);
    upgrade(db);
    return db;
  } catch (cause) {
    throw storageError(cause, folder);
  }
}

/** Opens the state for reading beside a running crawl. */
export function openStateForReading(folder: string): DatabaseSync {
  requireCrawl(folder);
  refuseUnfinishedRepair(folder);
  return openStateFile(statePath(folder), folder);
}

/** The same of a state in a file of another name. */
export function openStateFile(path: string, folder: string): DatabaseSync {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    db.exec('PRAGMA busy_timeout = 5000');
    checkVersion(db, folder);
    return db;
  } catch (cause) {
    throw storageError(cause, folder);
  }
}

export function requireCrawl(folder: string): void {
  if (existsSync(statePath(folder)) || existsSync(repairedStatePath(folder))) return;
  throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is no crawl in ${folder}.`, {
    remedy: `Start one with: orbweaver crawl URL --dir ${shellWord(folder)}`,
  });
}

/** A new state knows of no page, so that a start would throw the archive away. */
function refuseLostState(folder: string): void {
  const archive = join(folder, 'archive');
  const isFolder = statSync(archive, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder ? readdirSync(archive).filter((name) => name.endsWith('.warc.gz')) : [];
  if (files.length === 0) return;
  throw new OrbweaverError(
    'FOLDER_CORRUPT',
    `The archive in ${folder} holds ${files.length} files, but state.db is gone or empty: nothing tells what is crawled.`,
    {
      remedy:
        'Put state.db back from a copy; or move the archive away, to begin again in this folder. Nothing was changed.',
    },
  );
}

/** The old state and the log of its last transactions may already be apart. */
function refuseUnfinishedRepair(folder: string): void {
  if (!existsSync(repairedStatePath(folder))) return;
  throw new OrbweaverError('FOLDER_CORRUPT', `A repair of the state in ${folder} was cut off.`, {
    remedy: `To complete it: ${repairCommand(folder)}`,
  });
}

function create(db: DatabaseSync): void {
  db.exec(
    `BEGIN; ${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${STATE_VERSION}; COMMIT;`,
  );
}

/** A folder of an earlier version gets the tables that were added since. */
function upgrade(db: DatabaseSync): void {
  if (pragma(db, 'user_version') < 2) db.exec(`BEGIN; ${LIKENESS_TABLE} PRAGMA user_version = 2; COMMIT;`);
  if (pragma(db, 'user_version') < 3) {
    db.exec(`BEGIN; ${REVISIT_TABLES}
      ${REVISIT_COLUMNS.map((column) => `ALTER TABLE page ADD COLUMN ${column};`).join('\n')}
      INSERT INTO revisit SELECT * FROM later WHERE visited = 1 AND tries = 0 AND for_origin IS NULL;
      DELETE FROM later WHERE visited = 1 AND tries = 0 AND for_origin IS NULL;
      UPDATE meta SET value = json_set(value, '$.later', (SELECT count(*) FROM later),
        '$.planned', (SELECT count(*) FROM revisit)) WHERE name = 'counters';
      PRAGMA user_version = 3; COMMIT;`);
  }
  if (pragma(db, 'user_version') < 4) db.exec(`BEGIN; ${LIKENESS_CHANGES} PRAGMA user_version = 4; COMMIT;`);
  if (pragma(db, 'user_version') < 5) db.exec(`BEGIN; ${LEARNING_TABLE} PRAGMA user_version = 5; COMMIT;`);
  if (pragma(db, 'user_version') < 6) db.exec(`BEGIN; ${LINK_BATCH_TABLE} PRAGMA user_version = 6; COMMIT;`);
  if (pragma(db, 'user_version') < 7) {
    // A host may have several since.
    db.exec(`BEGIN; ALTER TABLE lease RENAME TO former_lease; ${LEASE_TABLE}
      INSERT INTO lease SELECT host, lane, ord, until FROM former_lease; DROP TABLE former_lease;
      PRAGMA user_version = 7; COMMIT;`);
  }
}

/** Folders of earlier versions lack some tables until they are crawled again; readers have to do without. */
export function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

/** New, or left behind by a process that was killed before it wrote anything. */
function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_master').get() === undefined;
}

function checkVersion(db: DatabaseSync, folder: string): void {
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new OrbweaverError('FOLDER_CORRUPT', `${statePath(folder)} is not a state file of Orbweaver.`, {
      remedy: `Choose another folder with --dir; or, if it was one: ${repairCommand(folder)}`,
    });
  }
  const version = pragma(db, 'user_version');
  if (version > STATE_VERSION) {
    throw new OrbweaverError(
      'FOLDER_NEWER_VERSION',
      `${folder} was written by a newer Orbweaver (state version ${version}, this one reads up to ${STATE_VERSION}).`,
      { remedy: 'Update Orbweaver, or choose another folder with --dir. Nothing was changed.' },
    );
  }
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}
