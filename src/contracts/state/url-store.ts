import type { CanonicalUrl, HostKey } from '../url.ts';

/** What a store of URLs takes. */
export interface UrlStoreFacts {
  readonly urls: number;
  /** On disk. */
  readonly bytes: number;
  /** Of the same URLs as lines of text. */
  readonly textBytes: number;
  /** Sorted files that it consists of. */
  readonly runs: number;
  /** Bytes of memory that its checkpoints take while it is open. */
  readonly memory: number;
}

/** Which URLs are listed: one of these, or all. */
export interface UrlRange {
  readonly host?: HostKey;
  /** With all its hosts. */
  readonly domain?: string;
  /** What a URL begins with: at least scheme, host and the slash behind it. */
  readonly prefix?: string;
}

/** Many URLs in few bytes, sorted: by host, its labels reversed, then by scheme and path. Methods throw `URLS_DAMAGED` where a file is not what was written. */
export interface UrlStore extends Disposable {
  readonly folder: string;
  readonly size: number;
  facts(): UrlStoreFacts;
  has(url: string): boolean;
  /** In order, read from disk as they are asked for. */
  urls(range?: UrlRange): Iterable<CanonicalUrl>;
  /** The sort keys of the same. */
  keys(prefix?: string): Iterable<string>;
  /** Reads everything and throws at the first damage. */
  check(): void;
}

export interface UrlStoreCommit {
  /** URLs that came in since the last commit. */
  readonly given: number;
  /** Those of them that are new. */
  readonly added: number;
}

/** The one process that adds to a store. What was added counts from the commit on, and survives a power cut then. */
export interface UrlStoreWriter extends Disposable {
  readonly size: number;
  add(url: string): void;
  commit(): UrlStoreCommit;
  /** Makes one file of all: the smallest form, and the fastest to ask. */
  compact(): void;
}
