import type { DatabaseSync } from 'node:sqlite';
import type { ListedPage, PageQuery } from '../../contracts/page-listing.ts';
import type { DuplicateListing } from '../../contracts/state/duplicate-listing.ts';
import type { QueueCounts, SettledBytes, StateReader } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { readCounters } from './counters.ts';
import { clusterPage, duplicateEdges } from './duplicate-listing.ts';
import { SqliteHostListing } from './hosts/host-listing.ts';
import { aliases, listPages, visitedUrls } from './page-listing.ts';
import { readArchiveFiles } from './rows/archive-file-rows.ts';
import { readValue } from './rows/read-value.ts';
import { SqliteChangeLog } from './sqlite-change-log.ts';
import { SqlitePageStore } from './sqlite-page-store.ts';
import { hasTable } from './state-database.ts';

/** The reading side of the state, apart from `SqliteState`: readers need not load what writes. */
export class SqliteStateReader implements StateReader {
  readonly pages: SqlitePageStore;
  readonly hosts: SqliteHostListing;
  readonly duplicates: DuplicateListing;
  readonly changes: SqliteChangeLog;
  readonly #db: DatabaseSync;

  /** Closes the database in the end. */
  constructor(db: DatabaseSync) {
    this.#db = db;
    this.pages = new SqlitePageStore(db);
    this.hosts = new SqliteHostListing(db);
    this.duplicates = { edges: () => duplicateEdges(db), page: (url) => clusterPage(db, url) };
    this.changes = new SqliteChangeLog(db);
  }

  read<T>(name: string): T | undefined {
    return readValue(this.#db, name);
  }

  listPages(query?: PageQuery): Generator<ListedPage> {
    return listPages(this.#db, query);
  }

  visitedUrls(): Generator<CanonicalUrl> {
    return visitedUrls(this.#db);
  }

  aliases(): Generator<readonly [alias: string, original: string]> {
    return aliases(this.#db);
  }

  queueCounts(): QueueCounts {
    const { hosts } = this.#db.prepare('SELECT count(*) AS hosts FROM host').get() as { hosts: number };
    const { queued, parked, later, planned } = readCounters(this.#db);
    return { hosts, queued, parked, later, planned };
  }

  visitsDue(now: number): number {
    if (!hasTable(this.#db, 'revisit')) return 0;
    return (this.#db.prepare('SELECT count(*) AS count FROM revisit WHERE at <= ?').get(now) as { count: number })
      .count;
  }

  archiveFiles(): Map<string, SettledBytes> {
    return readArchiveFiles(this.#db);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
