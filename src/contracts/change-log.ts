import type { PageChange } from './revisit.ts';
import type { CanonicalUrl } from './url.ts';

/** One line of the log of changes, in the order they were noticed. */
export interface LoggedChange {
  /** Grows by one with each change; of one crawl. */
  readonly number: number;
  readonly at: number;
  readonly url: CanonicalUrl;
  readonly change: PageChange;
  readonly title?: string;
}

export interface ChangeQuery {
  /** Changes noticed at or after this time, ms. */
  readonly since?: number;
  /** And before this time. */
  readonly until?: number;
  /** Only those with a higher number: where a reader left off. */
  readonly after?: number;
  /** Only those with a lower number. */
  readonly before?: number;
  readonly kinds?: readonly PageChange['kind'][];
  readonly limit?: number;
  /** Of more than `limit` the last, not the first; the order stays that of their numbers. */
  readonly last?: boolean;
}

/** What has happened to pages since the crawl began. Written in the transaction that settles the visit. */
export interface ChangeLog {
  /** In the order of their numbers. */
  changes(query: ChangeQuery): Iterable<LoggedChange>;
}
