import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import type {
  ControlState,
  ControlStore,
  CrawlOperation,
  OperationSource,
  RecordedOperation,
} from '../../contracts/crawl-control.ts';
import type { HostKey } from '../../contracts/url.ts';
import { storageError } from '../storage-error.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS operation (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, by TEXT NOT NULL, operation TEXT NOT NULL,
  taken_at REAL, outcome TEXT);
CREATE INDEX IF NOT EXISTS operation_untaken ON operation (id) WHERE taken_at IS NULL;
CREATE TABLE IF NOT EXISTS changed_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS held_host (host TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pause (id INTEGER PRIMARY KEY CHECK (id = 1), since REAL NOT NULL);
`;
/** Others hold the file for no longer than a transaction takes. */
const BUSY_MS = 5000;
/** Operations that are remembered once they were taken. */
const REMEMBERED = 1000;
const NOTHING: ControlState = { settings: {}, heldHosts: [] };

interface Row {
  readonly id: number;
  readonly at: number;
  readonly by: string;
  readonly operation: string;
  readonly taken_at: number | null;
  readonly outcome: string | null;
}

/**
 * Operations in a file of their own, control.db of the crawl folder: state.db belongs to the one process that crawls. Nothing is made
 * before the first operation, for readers too may only look.
 */
export class SqliteControlStore implements ControlStore {
  readonly #folder: string;
  readonly #path: string;
  #db: DatabaseSync | undefined;
  #version: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'control.db');
  }

  record(operation: CrawlOperation, by: OperationSource, at: number): RecordedOperation {
    return this.#guarded(() => {
      const db = this.#open();
      db.exec('BEGIN IMMEDIATE');
      try {
        const { lastInsertRowid } = db
          .prepare('INSERT INTO operation (at, by, operation) VALUES (?, ?, ?)')
          .run(at, by, JSON.stringify(operation));
        enact(db, operation, at);
        db.prepare('DELETE FROM operation WHERE taken_at IS NOT NULL AND id <= ?').run(
          Number(lastInsertRowid) - REMEMBERED,
        );
        db.exec('COMMIT');
        return { id: Number(lastInsertRowid), at, by, operation };
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    });
  }

  state(): ControlState {
    if (!this.#exists()) return NOTHING;
    const since = this.#rows<{ since: number }>('SELECT since FROM pause')[0]?.since;
    const settings = this.#rows<{ name: string; value: string }>('SELECT name, value FROM changed_setting');
    return {
      ...(since === undefined ? {} : { pausedAt: since }),
      settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
      heldHosts: this.#rows<{ host: HostKey }>('SELECT host FROM held_host ORDER BY host').map(({ host }) => host),
    };
  }

  operation(id: number): RecordedOperation | undefined {
    return this.#operations('WHERE id = ?', id)[0];
  }

  operations(max: number): readonly RecordedOperation[] {
    return this.#operations('ORDER BY id DESC LIMIT ?', max);
  }

  hasChanged(): boolean {
    if (!this.#exists()) return false;
    const [row] = this.#rows<{ data_version: number }>('PRAGMA data_version');
    if (row.data_version === this.#version) return false;
    this.#version = row.data_version;
    return true;
  }

  untaken(): readonly RecordedOperation[] {
    return this.#operations('WHERE taken_at IS NULL ORDER BY id');
  }

  taken(id: number, at: number, outcome: string): void {
    this.#guarded(() => {
      this.#open()
        .prepare('UPDATE operation SET taken_at = ?, outcome = ? WHERE id = ? AND taken_at IS NULL')
        .run(at, outcome, id);
    });
  }

  [Symbol.dispose](): void {
    this.#db?.close();
    this.#db = undefined;
  }

  #operations(which: string, ...values: SQLInputValue[]): RecordedOperation[] {
    if (!this.#exists()) return [];
    return this.#rows<Row>(`SELECT * FROM operation ${which}`, ...values).map(recordedOf);
  }

  #rows<T>(statement: string, ...values: SQLInputValue[]): T[] {
    return this.#guarded(
      () =>
        this.#open()
          .prepare(statement)
          .all(...values) as T[],
    );
  }

  #exists(): boolean {
    return this.#db !== undefined || existsSync(this.#path);
  }

  /** Synced to the disk with every operation: an answer that was given holds after a power cut, too. */
  #open(): DatabaseSync {
    if (this.#db !== undefined) return this.#db;
    const db = new DatabaseSync(this.#path);
    try {
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA synchronous = FULL; ${SCHEMA}`);
    } catch (error) {
      db.close();
      throw error;
    }
    this.#db = db;
    return db;
  }

  #guarded<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const told = storageError(error, this.#folder);
      throw told.code === 'FOLDER_CORRUPT' ? this.#damaged(told) : told;
    }
  }

  /** A new file would let a paused crawl go on, and open hosts that are held: that is for people to say. */
  #damaged(cause: OrbweaverError): OrbweaverError {
    const message = `${this.#path}, which keeps what was asked of the crawl, is damaged.`;
    const remedy = 'Move it away. The crawl is then neither paused, nor are hosts held or settings changed by hand.';
    return new OrbweaverError('FOLDER_CORRUPT', message, { remedy, cause });
  }
}

/** What holds from now on, in the transaction that records the operation. */
function enact(db: DatabaseSync, operation: CrawlOperation, at: number): void {
  switch (operation.kind) {
    case 'pause':
      db.prepare('INSERT OR IGNORE INTO pause (id, since) VALUES (1, ?)').run(at);
      return;
    case 'resume':
      db.exec('DELETE FROM pause');
      return;
    case 'set':
      if (operation.value === null) db.prepare('DELETE FROM changed_setting WHERE name = ?').run(operation.name);
      else
        db.prepare('INSERT OR REPLACE INTO changed_setting (name, value) VALUES (?, ?)').run(
          operation.name,
          operation.value,
        );
      return;
    case 'host':
      db.prepare(
        operation.state === 'hold'
          ? 'INSERT OR IGNORE INTO held_host (host) VALUES (?)'
          : 'DELETE FROM held_host WHERE host = ?',
      ).run(operation.host);
      return;
    // The switches of patterns have a file of their own; the others leave nothing behind but their effect.
    case 'pattern':
    case 'stop':
    case 'submit':
    case 'requeue':
      return;
  }
}

function recordedOf({ id, at, by, operation, taken_at, outcome }: Row): RecordedOperation {
  return {
    ...{ id, at, by: by as OperationSource, operation: JSON.parse(operation) as CrawlOperation },
    ...(taken_at === null ? {} : { takenAt: taken_at }),
    ...(outcome === null ? {} : { outcome }),
  };
}
