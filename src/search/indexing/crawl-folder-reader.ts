import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openWarcArchive, type WarcArchive } from '../../archive/warc-archive.ts';
import { systemClock } from '../../base/clock.ts';
import type { ArchivedDocument, RecordPlace } from '../../contracts/archive.ts';
import type { PageRecord } from '../../contracts/page-store.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { readValue } from '../../engines/sqlite/rows/read-value.ts';
import { SqlitePageStore } from '../../engines/sqlite/sqlite-page-store.ts';
import { openStateForReading } from '../../engines/sqlite/state-database.ts';
import { defaultUrlOptions, type UrlOptions } from '../../url/url-options.ts';
import { type ArchivedVisit, archivedVisits } from './archived-visits.ts';

/** What of the record of the last run matters here. */
interface RunOfFolder {
  readonly urlOptions: UrlOptions;
  readonly duplicatesOf?: readonly string[];
}

const MOST_HOPS = 16;

/** The settled part of a crawl folder, as the index sees it; works beside a running crawl. */
export class CrawlFolderReader implements Disposable {
  readonly urlOptions: UrlOptions;
  readonly #db: DatabaseSync;
  readonly #pages: SqlitePageStore;
  readonly #archive: WarcArchive;
  readonly #archiveFolder: string;

  constructor(folder: string) {
    this.#db = openStateForReading(folder);
    this.#pages = new SqlitePageStore(this.#db);
    this.#archiveFolder = join(folder, 'archive');
    const run = readValue<RunOfFolder>(this.#db, 'run');
    this.urlOptions = run?.urlOptions ?? defaultUrlOptions;
    this.#archive = openWarcArchive({
      folder: this.#archiveFolder,
      writerId: 'reader',
      clock: systemClock,
      software: '',
      userAgent: '',
      robots: '',
      elsewhere: (run?.duplicatesOf ?? []).map((earlier) => join(earlier, 'archive')),
    });
  }

  /** How much of each archive file belongs to settled pages, in the order of writing. */
  settledFiles(): { readonly name: string; readonly end: number }[] {
    return this.#db.prepare('SELECT name, file_end AS "end" FROM archive_file ORDER BY name').all() as {
      name: string;
      end: number;
    }[];
  }

  /** Patterns of pages that are not to be found: `exclude` of the run that is going on, or was the last. */
  excluded(): readonly string[] {
    return readValue<readonly string[]>(this.#db, 'excluded') ?? [];
  }

  visits(file: string, from: number, to: number): AsyncGenerator<ArchivedVisit> {
    return archivedVisits(this.#archiveFolder, file, from, to);
  }

  /** Undefined for what never was a page: robots.txt, probes, links that were refused. */
  async page(url: string): Promise<PageRecord | undefined> {
    const record = await this.#pages.page(url as CanonicalUrl);
    return record?.outcome === undefined || record.state === 'refused-link' ? undefined : record;
  }

  readAt(place: RecordPlace): Promise<ArchivedDocument | undefined> {
    return this.#archive.readAt(place);
  }

  /** Where the copy lies that was the newest at a time. */
  async copyOf(url: string, at: number): Promise<RecordPlace | undefined> {
    return (await this.#archive.versions(url as CanonicalUrl)).findLast(({ date }) => date <= at);
  }

  /** The main text of a copy: as stored beside it, else as its body gives it. */
  async textAt(place: RecordPlace): Promise<string | undefined> {
    const stored = await this.#archive.textAt(place);
    if (stored !== undefined) return stored;
    const document = await this.readAt(place);
    if (document === undefined) return undefined;
    // Loaded for the few copies without a text: a thread that searches would hold all of the extraction otherwise.
    const { textOfBody } = await import('./page-reading.ts');
    return await textOfBody(document);
  }

  /** URLs behind which another page stands. */
  *aliases(): Generator<readonly [alias: string, original: string]> {
    const select = this.#db.prepare(`SELECT url, coalesce(outcome ->> '$.of', outcome ->> '$.to') AS original FROM page
      WHERE kind IN ('duplicate', 'redirected')`);
    for (const row of select.iterate() as Iterable<unknown>) {
      const { url, original } = row as { url: string; original: string | null };
      if (original !== null) yield [url, original];
    }
  }

  /** Every URL that was visited, in no order of meaning. In batches: a long read would hold up the crawl's checkpoints. */
  *visitedUrls(): Generator<string> {
    const select = this.#db.prepare('SELECT fp, url FROM page WHERE fp > ? ORDER BY fp LIMIT 1000');
    select.setReadBigInts(true);
    for (let after = -(2n ** 63n); ; ) {
      const rows = select.all(after) as unknown as { fp: bigint; url: string }[];
      if (rows.length === 0) return;
      for (const { url } of rows) yield url;
      after = rows[rows.length - 1].fp;
    }
  }

  /** Number of the cluster of near-duplicates that the page belongs to; 0 where it was not compared. */
  async clusterOf(page: PageRecord): Promise<number> {
    let facts = page.facts;
    for (let hops = 0; facts?.nearDuplicateOf !== undefined && hops < MOST_HOPS; hops++) {
      const original = (await this.#pages.page(facts.nearDuplicateOf.url))?.facts;
      if (original?.document === undefined || original.document === facts.document) break;
      facts = original;
    }
    return facts?.document ?? 0;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
