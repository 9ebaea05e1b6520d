import type { ExtractedSet, RowFields, RuleSet } from '../content/extraction-rules.ts';
import type { CanonicalUrl } from '../url.ts';

/** What a visit means for the rows of its page. */
export interface RowVisit {
  readonly url: CanonicalUrl;
  /** When the page was asked for. */
  readonly at: number;
  /** Of a page that is read again from the archive: now. It counts, though its page may have been asked for since. */
  readonly again?: number;
  /** Undefined where the page is gone: its rows are, too. */
  readonly sets: readonly ExtractedSet[] | undefined;
}

/** One row of a set. */
export interface StoredRow {
  /** Goes on behind this row: see `RowQuery.after`. */
  readonly cursor: number;
  readonly set: string;
  readonly url: string;
  /** When its page was last read. */
  readonly at: number;
  readonly firstSeen: number;
  /** When a field last changed; that of `firstSeen` where none has. */
  readonly changedAt: number;
  readonly goneAt?: number;
  readonly fields: RowFields;
}

export type RowChangeKind = 'new' | 'changed' | 'gone' | 'back';

/** What has happened to a row. */
export interface RowChange {
  readonly number: number;
  readonly at: number;
  readonly kind: RowChangeKind;
  readonly set: string;
  readonly url: string;
  /** The rules of the set are others than before, so that the page may be as it was. */
  readonly byRules: boolean;
  /** By field: the value before and after; of a new row only after, of one that is gone only before. */
  readonly fields: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
}

export interface RowQuery {
  readonly set?: string;
  readonly url?: string;
  /** Rows that are gone as well. */
  readonly gone?: boolean;
  /** Behind the row, or the change, with this cursor or number. */
  readonly after?: number;
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
}

/** A set as the store knows it. */
export interface StoredSet {
  readonly rules: RuleSet;
  /** One of the rules that the last run had. */
  readonly isCurrent: boolean;
  /** Pages that it was tried on. */
  readonly pages: number;
  readonly rows: number;
  readonly gone: number;
  /** Pages that could not be read to the end, and what was said of one. */
  readonly problems: number;
  readonly problem?: string;
  /** Parts that have found nothing so far: `match`, `each`, names of fields. */
  readonly unmatched: readonly string[];
}

/** For any number of readers, beside a running crawl. */
export interface RowReader extends Disposable {
  sets(): StoredSet[];
  /** In the order in which rows were first seen. */
  rows(query?: RowQuery): Iterable<StoredRow>;
  /** In the order in which they were noticed. */
  changes(query?: RowQuery): Iterable<RowChange>;
}

/**
 * The rows of a crawl. `apply` is called before the visits are settled: after a kill the same visit, or a later one, comes again and
 * changes nothing that is already so. So no row is lost, and none is there twice.
 */
export interface RowStore extends RowReader {
  /** The rules from now on. Rows of other sets stay. Returns names of sets that had other rules before. */
  declare(sets: readonly RuleSet[]): string[];
  /** One transaction. A visit that is older than what is known of its page changes nothing, unless it is `again`. */
  apply(visits: readonly RowVisit[]): void;
}
