import type { DatabaseSync } from 'node:sqlite';
import type { DuplicateListing } from '../../contracts/state/duplicate-listing.ts';
import type { KnownUrlQuery, ListedUrl } from '../../contracts/state/known-url.ts';
import type { PageCourse } from '../../contracts/state/page-course.ts';
import type { ListedPage, PageQuery } from '../../contracts/state/page-listing.ts';
import type { PageReader, QueueCounts, StateReader } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { readCounters } from './counters.ts';
import { clusterPage, duplicateEdges, pageSketches } from './duplicate-listing.ts';
import { type QueueLengths, SqliteHostListing } from './hosts/host-listing.ts';
import { aliases, listPages, visitedUrls } from './page-listing.ts';
import { knownUrls } from './rows/known-urls.ts';
import { pageCourses } from './rows/page-courses.ts';
import { SqliteChangeLog } from './sqlite-change-log.ts';
import { SqlitePageStore } from './sqlite-page-store.ts';
import { hasTable } from './state-database.ts';
import { StateView } from './state-view.ts';

/** The reading side of the state, apart from `SqliteState`: readers need not load what writes. */
export class SqliteStateReader extends StateView implements StateReader {
  readonly pages: PageReader;
  readonly hosts: SqliteHostListing;
  readonly duplicates: DuplicateListing;
  readonly changes: SqliteChangeLog;

  constructor(db: DatabaseSync, lengthOf?: QueueLengths) {
    super(db);
    this.pages = new SqlitePageStore(db, lengthOf);
    this.hosts = new SqliteHostListing(db, lengthOf);
    this.duplicates = {
      edges: () => duplicateEdges(db),
      page: (url) => clusterPage(db, url),
      sketches: () => pageSketches(db),
    };
    this.changes = new SqliteChangeLog(db);
  }

  listPages(query?: PageQuery): Generator<ListedPage> {
    return listPages(this.db, query);
  }

  pageCourses(): Generator<PageCourse> {
    return pageCourses(this.db);
  }

  visitedUrls(): Generator<CanonicalUrl> {
    return visitedUrls(this.db);
  }

  knownUrls(query?: KnownUrlQuery): Generator<ListedUrl> {
    return knownUrls(this.db, query);
  }

  aliases(): Generator<readonly [alias: string, original: string]> {
    return aliases(this.db);
  }

  queueCounts(): QueueCounts {
    const { queued, parked, later, planned } = readCounters(this.db);
    const { db } = this;
    return {
      ...{ queued, parked, later, planned },
      // Counted for those who ask for it: the index looks at the others every second.
      get hosts() {
        return (db.prepare('SELECT count(*) AS hosts FROM host').get() as { hosts: number }).hosts;
      },
    };
  }

  visitsDue(now: number): number {
    if (!hasTable(this.db, 'revisit')) return 0;
    return (this.db.prepare('SELECT count(*) AS count FROM revisit WHERE at <= ?').get(now) as { count: number }).count;
  }
}
