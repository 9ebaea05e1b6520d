import type { CanonicalUrl } from './url.ts';

/** The page that had a content first. */
export interface Original {
  readonly url: CanonicalUrl;
  /** When the request for it was sent, ms. */
  readonly at: number;
  /** Digest of the body with its content coding. */
  readonly rawDigest: string;
  /** It lies in another crawl: the bytes need not be kept again, but for this crawl the page is new. */
  readonly elsewhere?: boolean;
}

/**
 * Tells whether a content is held already. What is told to `add` becomes durable with the settlement of its page; two
 * pages with the same new content that are under way at once may both be told that they are the first, and the
 * settlement then decides.
 */
export interface DuplicateIndex {
  /** The page that holds this content, other than `url` itself. */
  originalOf(digest: string, url: CanonicalUrl): Promise<Original | undefined>;
  /** The copy of this content that `url` itself brought first. */
  ownCopyOf(digest: string, url: CanonicalUrl): Promise<Original | undefined>;
  /** To be called once the page lies in the archive, so that a duplicate always comes after its original there. */
  add(digest: string, page: Original): void;
}
