import type { CanonicalUrl, HostKey } from './url.ts';

/** Where a new URL is put, and why; the words are kept with it for `explain`. */
export interface Place {
  /** Front queue: 0 is the most urgent. */
  readonly lane: number;
  readonly why?: string;
}

/** A URL that waits gets another place, because more is known of it now. */
export interface PlaceChange extends Place {
  readonly fingerprint: bigint;
  readonly why: string;
}

/** What the queue still knows of a waiting URL when a crawl goes on. */
export interface WaitingPlace extends Place {
  readonly fingerprint: bigint;
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly depth: number;
  /** The user named it. */
  readonly isSeed?: boolean;
  /** A feed named it. */
  readonly inFeed: boolean;
  readonly foundAt: number;
}
