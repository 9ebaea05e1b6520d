import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../base/fingerprint.ts';
import type {
  AddedCapture,
  CaptureKind,
  CaptureReferral,
  ForeignCapture,
  ForeignCapturesWriter,
  ForeignFile,
  ForeignFileReport,
} from '../../contracts/foreign-capture.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { storageError } from '../storage-error.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS file (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, bytes REAL NOT NULL, modified REAL NOT NULL, report TEXT);
-- A URL has one capture at an instant: the same record in two files is one.
CREATE TABLE IF NOT EXISTS capture (
  fp INTEGER NOT NULL, date REAL NOT NULL, file INTEGER NOT NULL, url TEXT NOT NULL, kind TEXT NOT NULL, status INTEGER NOT NULL,
  digest TEXT, refers TEXT, path TEXT NOT NULL, at INTEGER NOT NULL, length INTEGER NOT NULL,
  PRIMARY KEY (fp, date)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS capture_digest ON capture (digest) WHERE digest IS NOT NULL AND kind = 'response';
`;
const BUSY_MS = 5000;
/** Captures between two commits. */
const BATCH = 5000;
const SLICE = 1000;
const COLUMNS = 'url, date, kind, status, digest, refers, path, at, length';

interface Row {
  readonly url: CanonicalUrl;
  readonly date: number;
  readonly kind: CaptureKind;
  readonly status: number;
  readonly digest: string | null;
  readonly refers: string | null;
  readonly path: string;
  readonly at: number;
  readonly length: number;
}

export function captureStorePath(folder: string): string {
  return join(folder, 'captures.db');
}

/** Captures of foreign archives, in captures.db of the crawl folder. It can be made again from the files at any time. */
export class CaptureStore implements ForeignCapturesWriter {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #select: ReturnType<typeof prepareReading>;
  #writing: ReturnType<typeof prepareWriting> | undefined;
  #uncommitted = 0;

  constructor(folder: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    this.#folder = folder;
    try {
      this.#db = new DatabaseSync(captureStorePath(folder), { readOnly });
      this.#db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      if (!readOnly) this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`);
      this.#select = prepareReading(this.#db);
    } catch (error) {
      throw storageError(error, folder);
    }
  }

  get size(): number {
    return (this.#db.prepare('SELECT count(*) AS n FROM capture').get() as { n: number }).n;
  }

  next(url: CanonicalUrl, after: number): ForeignCapture | undefined {
    return found(this.#select.next.get(keyOf(url), after));
  }

  of(url: CanonicalUrl): ForeignCapture[] {
    return (this.#select.of.all(keyOf(url)) as unknown as Row[]).map(captureOf);
  }

  /** By URL and date as the record says; else by the digest of the body. */
  original({ url, date, digest }: CaptureReferral): ForeignCapture | undefined {
    if (url !== undefined) {
      // Some writers round dates to seconds in one of the two places.
      const near = date === undefined ? [] : this.#select.near.all(keyOf(url), date - 1000, date + 1000, date);
      const named = found(near[0]) ?? found(this.#select.held.get(keyOf(url), digest ?? ''));
      if (named !== undefined) return named;
    }
    return digest === undefined ? undefined : found(this.#select.digest.get(digest));
  }

  begin({ path, bytes, modifiedAt }: ForeignFile): number | undefined {
    return this.#written(({ known, forget, forgetFile, insertFile }) => {
      for (const file of known.all(path) as unknown as FileRow[]) {
        if (file.report !== null && file.bytes === bytes && file.modified === modifiedAt) return undefined;
        forget.run(file.id);
        forgetFile.run(file.id);
      }
      return Number(insertFile.run(path, bytes, modifiedAt).lastInsertRowid);
    });
  }

  add(file: number, capture: ForeignCapture): AddedCapture {
    return this.#written(({ insert, holdsMore }) => {
      const { url, date, kind, status, digest = null, refersTo, path, offset, length } = capture;
      const fp = keyOf(url);
      // What was made of a page is of use only where the page itself is not there.
      if (kind === 'conversion' && holdsMore.get(fp) !== undefined) return 'superfluous';
      const refers = refersTo === undefined ? null : JSON.stringify(refersTo);
      const { changes } = insert.run(fp, date, file, url, kind, status, digest, refers, path, offset, length);
      if (++this.#uncommitted >= BATCH) this.#commit();
      return Number(changes) > 0 ? 'added' : 'repeated';
    });
  }

  remove({ url, date }: Pick<ForeignCapture, 'url' | 'date'>): void {
    this.#written(({ remove }) => remove.run(keyOf(url), date));
  }

  end(file: number, report: Pick<ForeignFileReport, 'counts' | 'refused'>): void {
    this.#written(({ endFile }) => endFile.run(JSON.stringify(report), file));
    this.#commit();
  }

  reports(): ForeignFileReport[] {
    const rows = this.#db.prepare(
      'SELECT path, bytes, modified, report FROM file WHERE report IS NOT NULL ORDER BY path',
    );
    return (rows.all() as unknown as Required<FileRow>[]).map(({ path, bytes, modified, report }) => ({
      ...{ path, bytes, modifiedAt: modified },
      ...(JSON.parse(report ?? '{}') as Pick<ForeignFileReport, 'counts' | 'refused'>),
    }));
  }

  *urls(): Generator<readonly CanonicalUrl[]> {
    const select = this.#db.prepare(
      `SELECT CAST(fp AS TEXT) AS key, url FROM capture WHERE fp > ? GROUP BY fp ORDER BY fp LIMIT ${SLICE}`,
    );
    for (let after = -(2n ** 63n); ; ) {
      const rows = select.all(after) as unknown as { key: string; url: CanonicalUrl }[];
      if (rows.length === 0) return;
      after = BigInt(rows[rows.length - 1].key);
      yield rows.map(({ url }) => url);
    }
  }

  [Symbol.dispose](): void {
    this.#commit();
    this.#db.close();
  }

  #written<T>(write: (statements: ReturnType<typeof prepareWriting>) => T): T {
    try {
      this.#writing ??= prepareWriting(this.#db);
      if (!this.#db.isTransaction) this.#db.exec('BEGIN IMMEDIATE');
      return write(this.#writing);
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }

  #commit(): void {
    this.#uncommitted = 0;
    if (!this.#db.isTransaction) return;
    try {
      this.#db.exec('COMMIT');
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }
}

interface FileRow {
  readonly id: number;
  readonly path: string;
  readonly bytes: number;
  readonly modified: number;
  readonly report: string | null;
}

function prepareReading(db: DatabaseSync): Record<'next' | 'of' | 'near' | 'held' | 'digest', StatementSync> {
  return {
    next: db.prepare(`SELECT ${COLUMNS} FROM capture WHERE fp = ? AND date > ? ORDER BY date LIMIT 1`),
    of: db.prepare(`SELECT ${COLUMNS} FROM capture WHERE fp = ? ORDER BY date`),
    near: db.prepare(`SELECT ${COLUMNS} FROM capture WHERE fp = ? AND date BETWEEN ? AND ? AND kind = 'response'
      ORDER BY abs(date - ?) LIMIT 1`),
    held: db.prepare(`SELECT ${COLUMNS} FROM capture WHERE fp = ? AND digest = ? AND kind = 'response' LIMIT 1`),
    digest: db.prepare(`SELECT ${COLUMNS} FROM capture WHERE digest = ? AND kind = 'response' LIMIT 1`),
  };
}

function prepareWriting(
  db: DatabaseSync,
): Record<
  'known' | 'forget' | 'forgetFile' | 'insertFile' | 'endFile' | 'insert' | 'remove' | 'holdsMore',
  StatementSync
> {
  return {
    known: db.prepare('SELECT id, path, bytes, modified, report FROM file WHERE path = ?'),
    forget: db.prepare('DELETE FROM capture WHERE file = ?'),
    forgetFile: db.prepare('DELETE FROM file WHERE id = ?'),
    insertFile: db.prepare('INSERT INTO file (path, bytes, modified) VALUES (?, ?, ?)'),
    endFile: db.prepare('UPDATE file SET report = ? WHERE id = ?'),
    insert: db.prepare(`INSERT INTO capture (fp, date, file, url, kind, status, digest, refers, path, at, length)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (fp, date) DO UPDATE SET file = excluded.file, kind = excluded.kind, status = excluded.status,
        digest = excluded.digest, refers = excluded.refers, path = excluded.path, at = excluded.at, length = excluded.length
      WHERE capture.kind = 'conversion' AND excluded.kind <> 'conversion'`),
    remove: db.prepare('DELETE FROM capture WHERE fp = ? AND date = ?'),
    holdsMore: db.prepare(`SELECT 1 FROM capture WHERE fp = ? AND kind <> 'conversion' LIMIT 1`),
  };
}

function found(row: unknown): ForeignCapture | undefined {
  return row === undefined ? undefined : captureOf(row as Row);
}

function captureOf({ url, date, kind, status, digest, refers, path, at, length }: Row): ForeignCapture {
  return {
    ...{ url, date, kind, status, path, offset: at, length },
    ...(digest === null ? {} : { digest }),
    ...(refers === null ? {} : { refersTo: JSON.parse(refers) }),
  };
}

function keyOf(url: CanonicalUrl): bigint {
  return toSigned(fingerprint(url));
}
