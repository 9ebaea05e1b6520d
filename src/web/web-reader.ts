/** A visit of a page, as the list of versions tells of it. */
export interface WebVersion {
  /** ms since the epoch. */
  readonly date: number;
  readonly status: number;
  readonly mediaType: string;
  readonly changed: 'first' | 'same' | 'changed';
}

/** What a server sent once. */
export interface WebCopy {
  readonly url: string;
  /** What was asked for, where that was another spelling of the URL. */
  readonly address?: string;
  readonly date: number;
  readonly status: number;
  readonly contentType?: string;
  /** Names and values as received. */
  readonly headers: readonly (readonly [string, string])[];
  /** Content coding undone. */
  readonly body: Uint8Array;
}

/** What the pages need from the folder of a crawl. An address that is not known, or is none, is no error. */
export interface WebReader {
  /** The page asks that no copy of it is shown (`noarchive`). */
  closed(url: string): Promise<boolean>;
  /**
   * The URL of the copy that may be shown for a URL: its own, or that of the page to which it redirects. Undefined where no copy is
   * held, or where the page says `noarchive`. Quick: a page has hundreds of links.
   */
  shownCopyOf(url: string): string | undefined;
  /** Oldest first. */
  versions(url: string): Promise<readonly WebVersion[]>;
  /** The copy nearest to `at`, the newest where absent. */
  copy(url: string, at?: number): Promise<WebCopy | undefined>;
  /** Reads many copies at about one time, such as the parts of a page; undefined for those that may not be shown. */
  copiesAt(at: number): (url: string) => Promise<WebCopy | undefined>;
  /** The main text of that copy; '' where it has none. */
  text(url: string, at?: number): Promise<string | undefined>;
  /** The same with its headline: what is compared with other copies. */
  comparedText(url: string, at?: number): Promise<string | undefined>;
  /** Why copies may be missing that were there: where they lie, in a sentence. */
  unreadable?(): string | undefined;
}
