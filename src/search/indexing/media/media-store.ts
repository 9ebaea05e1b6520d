import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storageError } from '../../../engines/storage-error.ts';
import type { MediaItem, MediaKind } from '../../../extract/media/media-item.ts';

/** A page that shows pictures, as far as a reader of one wants to know. */
export interface ShowingPage {
  readonly url: string;
  readonly host: string;
  readonly title: string;
  readonly language: string;
  /** ms; 0 where unknown. */
  readonly date: number;
  readonly fetchedAt: number;
  readonly spam: number;
}

/** A file as one page, or a sitemap for a page, describes it. */
export interface Showing extends Omit<MediaItem, 'url'> {
  readonly page: ShowingPage;
}

/** What one document says: a page of itself, a sitemap of many. */
export interface SaidOfMedia extends MediaItem {
  readonly page: string;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS page (
  url TEXT PRIMARY KEY, host TEXT NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL,
  date REAL NOT NULL, fetched_at REAL NOT NULL, spam REAL NOT NULL) WITHOUT ROWID;
-- By media first: what is said of one file lies together.
CREATE TABLE IF NOT EXISTS said (
  media TEXT NOT NULL, source TEXT NOT NULL, page TEXT NOT NULL, kind TEXT NOT NULL, alt TEXT NOT NULL, caption TEXT NOT NULL,
  heading TEXT NOT NULL, words TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
  PRIMARY KEY (media, source, page)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS said_by_source ON said (source);
CREATE INDEX IF NOT EXISTS said_by_page ON said (page);
-- On how many pages of a host a file is shown.
CREATE TABLE IF NOT EXISTS shown (media TEXT NOT NULL, host TEXT NOT NULL, pages INTEGER NOT NULL, PRIMARY KEY (media, host)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS host (host TEXT PRIMARY KEY, pages INTEGER NOT NULL) WITHOUT ROWID;
-- Documents of the index, and what they were made of.
CREATE TABLE IF NOT EXISTS document (media TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** What is said of a file by more documents than this does not make it easier to find. */
const MOST_SHOWINGS = 20;
/** A file on more pages of a host than this, and on more than `MOST_SHARE` of them, belongs to its frame. */
const FEW_PAGES = 4;
const MOST_SHARE = 0.5;

/** What pages and sitemaps say of pictures, films and sounds; derived from the archive like the index beside it. */
export class MediaStore implements Disposable {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #statements: ReturnType<typeof prepare>;
  #open = false;

  constructor(folder: string, options: { readonly readOnly?: boolean } = {}) {
    this.#folder = folder;
    const readOnly = options.readOnly === true;
    try {
      if (!readOnly) mkdirSync(folder, { recursive: true });
      this.#db = new DatabaseSync(mediaStorePath(folder), { readOnly });
      this.#db.exec('PRAGMA busy_timeout = 5000');
      // Forgotten pages leave nothing behind in the file.
      if (!readOnly)
        this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; ${SCHEMA}`);
      this.#statements = prepare(this.#db);
    } catch (error) {
      throw storageError(error, folder);
    }
  }

  get place(): unknown {
    const row = this.#statements.note.get('place') as { value: string } | undefined;
    return row === undefined ? undefined : JSON.parse(row.value);
  }

  /** Everything written so far, and `place` with it, is durable; all or nothing. */
  commit(place: unknown): void {
    this.#write(() => this.#statements.setNote.run('place', JSON.stringify(place)));
    try {
      this.#db.exec('COMMIT');
      this.#open = false;
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }

  /** What was deleted is in no file any more, unless somebody is reading just now: then it leaves with the next call. */
  sweep(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /**
   * Replaces what a document said before. `page`: its record where it is a page that can be found. Answers every file that the change
   * concerns.
   */
  replace(source: string, page: ShowingPage | undefined, said: readonly SaidOfMedia[]): ReadonlySet<string> {
    const { bySource, byPage, forget, drop, putPage, put, fewer, more, host, countPage } = this.#statements;
    return this.#write(() => {
      const old = bySource.all(source) as { media: string; page: string }[];
      const touched = new Set(old.map(({ media }) => media));
      for (const { media } of byPage.all(source) as { media: string }[]) touched.add(media);
      const before = (host.get(source) as { host: string } | undefined)?.host;
      for (const { media, page: shownOn } of old)
        if (before !== undefined && shownOn === source) fewer.run(media, before);
      forget.run(source);
      if (before !== undefined) countPage.run(before, -1);
      if (page !== undefined) countPage.run(page.host, 1);
      if (page === undefined) drop.run(source);
      else putPage.run(page.url, page.host, page.title, page.language, page.date, page.fetchedAt, page.spam);
      for (const { url, page: shownOn, kind, alt, caption, heading, words, width, height } of said) {
        touched.add(url);
        put.run(url, source, shownOn, kind, alt, caption, heading, words, width, height);
        if (page !== undefined && shownOn === source) more.run(url, page.host);
      }
      return touched;
    });
  }

  /** What is said of a file, by pages that can be found; the first of them in the order of their addresses. */
  showings(media: string): Showing[] {
    return (this.#statements.showings.all(media, MOST_SHOWINGS) as unknown as ShowingRow[]).map((row) => ({
      ...{ kind: row.kind, alt: row.alt, caption: row.caption, heading: row.heading, words: row.words },
      ...{ width: row.width, height: row.height },
      page: {
        ...{ url: row.url, host: row.host, title: row.title, language: row.language },
        ...{ date: row.date, fetchedAt: row.fetched_at, spam: row.spam },
      },
    }));
  }

  /** Whether most pages of a host show it: a logo, a banner, a portrait in the margin. */
  isRepeated(media: string): boolean {
    const { shown, pagesOf } = this.#statements;
    for (const { host, pages } of shown.all(media, FEW_PAGES) as { host: string; pages: number }[]) {
      const all = (pagesOf.get(host) as { pages: number } | undefined)?.pages ?? 0;
      if (pages > all * MOST_SHARE) return true;
    }
    return false;
  }

  /** Files that stand on several pages: whether that is most of them is known at the end. */
  repeatedOften(): readonly string[] {
    return (this.#statements.often.all(FEW_PAGES) as { media: string }[]).map(({ media }) => media);
  }

  /** Every document that has said something, and every page. */
  sources(): readonly string[] {
    return (this.#statements.sources.all() as { source: string }[]).map(({ source }) => source);
  }

  digest(media: string): string | undefined {
    return (this.#statements.digest.get(media) as { digest: string } | undefined)?.digest;
  }

  /** What the document of a file was made of; undefined: it has none. */
  setDigest(media: string, digest: string | undefined): void {
    const { setDigest, dropDigest } = this.#statements;
    this.#write(() => (digest === undefined ? dropDigest.run(media) : setDigest.run(media, digest)));
  }

  [Symbol.dispose](): void {
    // What was not committed is given up with its transaction.
    this.#db.close();
  }

  #write<Result>(work: () => Result): Result {
    try {
      if (!this.#open) this.#db.exec('BEGIN IMMEDIATE');
      this.#open = true;
      return work();
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }
}

interface ShowingRow {
  readonly kind: MediaKind;
  readonly alt: string;
  readonly caption: string;
  readonly heading: string;
  readonly words: string;
  readonly width: number;
  readonly height: number;
  readonly url: string;
  readonly host: string;
  readonly title: string;
  readonly language: string;
  readonly date: number;
  readonly fetched_at: number;
  readonly spam: number;
}

function prepare(db: DatabaseSync) {
  return {
    note: db.prepare('SELECT value FROM note WHERE name = ?'),
    setNote: db.prepare('INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)'),
    bySource: db.prepare('SELECT media, page FROM said WHERE source = ?'),
    byPage: db.prepare('SELECT DISTINCT media FROM said WHERE page = ?'),
    host: db.prepare('SELECT host FROM page WHERE url = ?'),
    forget: db.prepare('DELETE FROM said WHERE source = ?'),
    drop: db.prepare('DELETE FROM page WHERE url = ?'),
    putPage: db.prepare('INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?, ?)'),
    put: db.prepare('INSERT OR REPLACE INTO said VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    fewer: db.prepare('UPDATE shown SET pages = pages - 1 WHERE media = ? AND host = ?'),
    more: db.prepare('INSERT INTO shown VALUES (?, ?, 1) ON CONFLICT (media, host) DO UPDATE SET pages = pages + 1'),
    showings: db.prepare(`SELECT kind, alt, caption, heading, words, width, height, page.*
      FROM said JOIN page ON page.url = said.page WHERE media = ? ORDER BY source LIMIT ?`),
    shown: db.prepare('SELECT host, pages FROM shown WHERE media = ? AND pages > ?'),
    pagesOf: db.prepare('SELECT pages FROM host WHERE host = ?'),
    countPage: db.prepare(
      'INSERT INTO host VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET pages = pages + excluded.pages',
    ),
    often: db.prepare('SELECT DISTINCT media FROM shown WHERE pages > ?'),
    sources: db.prepare('SELECT DISTINCT source FROM said UNION SELECT url FROM page'),
    digest: db.prepare('SELECT digest FROM document WHERE media = ?'),
    setDigest: db.prepare('INSERT OR REPLACE INTO document VALUES (?, ?)'),
    dropDigest: db.prepare('DELETE FROM document WHERE media = ?'),
  };
}

export function mediaStorePath(folder: string): string {
  return join(folder, 'media.db');
}
