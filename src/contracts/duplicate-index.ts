import type { CanonicalUrl } from './url.ts';

/** The page that had a content first. */
export interface Original {
  readonly url: CanonicalUrl;
  /** When the request for it was sent, ms. */
  readonly at: number;
  /** Digest of the body with its content coding. */
  readonly rawDigest: string;
}

/** Tells whether a content is held already. */
export interface DuplicateIndex {
  /**
   * Answers undefined for a content that is new, and takes it in at once: of two askers exactly one is the first.
   * It becomes durable with the settlement of its page, so that a crash forgets only what was not stored.
   */
  checkAndAdd(digest: string, page: Original): Promise<Original | undefined>;
}
