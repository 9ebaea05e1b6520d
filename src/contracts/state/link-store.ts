import type { AnchorText } from '../search-index.ts';

/** A link as a page shows it; `url` is canonical. */
export interface OutLink {
  readonly url: string;
  readonly text: string;
  readonly nofollow: boolean;
}

/** A page with its links, as it was found at a time. URLs are canonical. */
export interface LinkedPage {
  readonly url: string;
  readonly host: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly links: readonly OutLink[];
  /** The same in lines, where they came so: many are sooner written at once. */
  readonly lines?: LinkLines;
}

export interface LinkLines {
  /** Each once. */
  readonly urls: string;
  /** Of each link, as it came. */
  readonly texts: string;
  /** Of each link twice the place of its URL, and one more where it is marked nofollow on its own. */
  readonly targets: Uint32Array;
}

/** The same in the list of all pages: `no` grows, and a page that was visited again comes at its last place. */
export interface ListedLinks extends LinkedPage {
  readonly no: number;
}

export interface InLink {
  readonly from: string;
  /** When that page was last seen to link here, ms since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly nofollow: boolean;
  readonly sameHost: boolean;
}

/** Links to a page, or a part of them. */
export interface InLinkCount {
  /** Halves of the fingerprint of its URL. */
  readonly hi: number;
  readonly lo: number;
  readonly links: number;
  /** Without those on the page itself. */
  readonly fromOthers: number;
}

export interface EdgeOptions {
  /** Also links to pages that were never visited. Default: yes, for they take part in the surfer's walk. */
  readonly unvisited?: boolean;
  /** Also links that are marked nofollow. Default: no. */
  readonly nofollow?: boolean;
}

/** Links as edges between numbers, for the ranks. */
export interface LinkVotes {
  /** Visited pages have the numbers below this one. */
  readonly pages: number;
  /** All nodes so far. Complete when `batches` has come to its end, as are hosts. */
  readonly nodes: number;
  readonly hosts: readonly string[];
  /** Number of the host of each node. */
  readonly hostOf: Uint32Array;
  find(url: string): number | undefined;
  /** The same for whoever looks URLs up for long: once `batches` has come to its end, holding no more than that takes. */
  finder(): (url: string) => number | undefined;
  /** Source and target in turn, some thousand edges at a time; each batch is valid until the next is asked for. */
  batches(): AsyncIterable<Uint32Array>;
}

/** The same with the URL of each number. */
export interface LinkEdges extends LinkVotes {
  /** Undefined where the page that named it was visited again since, and no longer does. */
  url(number: number): string | undefined;
}

/** The links of a crawl with their texts, by source and by target. What is read is what was committed. */
export interface LinkReader extends Disposable {
  /** Visited pages. */
  readonly pages: number;
  /** Links on them. */
  readonly links: number;
  /** Links to a page, oldest first. */
  inLinks(url: string, options?: { limit?: number }): AsyncIterable<InLink>;
  /** What a page links to, and when it was seen doing so. */
  outLinks(url: string): LinkedPage | undefined;
  /** Links to a page, about: those of pages that were visited again may count again. */
  linkCount(url: string): number;
  /** The texts of links to a page, the weightiest first. */
  anchorsFor(url: string, limit: number): readonly AnchorText[];
  /** All links, for the ranks. */
  edges(options?: EdgeOptions): LinkEdges;
}

/** The writing side: one process writes, any number read. A commit is all or nothing; what was not committed is gone. */
export interface LinkStore extends LinkReader {
  /** What the last commit was told; undefined before the first. */
  readonly place: unknown;
  /** An anchor text as the store keeps it. */
  keptText(text: string): string;
  /** Replaces the links that an earlier visit of the page has found. Nothing is durable before `commit`. */
  addPage(page: LinkedPage): void;
  /** A page that is gone: its links count no longer, nor does it where nobody links to it. Nothing is durable before `commit`. */
  removePage(url: string): void;
  /** Links to the page were lost, or count for another now: it is told as pending, whatever it has gained. */
  renew(url: string): void;
  /**
   * All links that are not marked nofollow and were committed; one that a page has twice may come once. Sooner than `edges`; nothing may
   * be added meanwhile.
   */
  votes(): LinkVotes;
  /** Makes durable what was added, and `place` with it. */
  commit(place?: unknown): Promise<void>;
  /** Makes one run of all that was committed, where the links of so many pages are read sooner with that: of all by default. */
  compact(reads?: number): Promise<void>;
  /** Visited pages with as many new links again as when last reported: the index should hold them. */
  pending(limit?: number): readonly string[];
  /** The index holds the links of all pages: none is pending. */
  clearPending(): void;
}
