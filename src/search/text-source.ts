import type { ShownOn } from '../contracts/search-service.ts';

/** The copy of a document that the index holds; it may be older than the newest one. */
export interface TextCopy {
  readonly id: string;
  /** When it was fetched; undefined: the newest copy. */
  readonly fetchedAt?: number;
}

/** Where the texts of documents come from: the archive of a crawl, or the store of imported documents. */
export interface TextSource {
  /**
   * The stored texts in the order of `copies`; undefined where there is none. All of a page in one call: a database answers for ten
   * documents in hardly more time than for one.
   */
  texts(copies: readonly TextCopy[]): Promise<readonly (string | undefined)[]>;
  /** What that copy says of itself, shown where none of the words stand in its text. */
  description?(id: string, fetchedAt?: number): Promise<string | undefined>;
  /** Of a picture, a film or a sound: the page that shows it. */
  shownOn?(id: string): ShownOn | undefined;
}
