import type { CanonicalUrl, HostKey } from './url.ts';

/** Which URLs are forgotten. A URL stands for its page over http and https alike, a host for all that it serves. */
export type ForgetTarget =
  | { readonly kind: 'url'; readonly url: CanonicalUrl }
  | { readonly kind: 'host'; readonly host: HostKey }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** One deletion that a user asked for. */
export interface ForgottenEntry {
  /** As the user wrote it. */
  readonly asked: string;
  readonly target: ForgetTarget;
  readonly at: number;
  /** Visited URLs whose records were deleted from the state. */
  readonly pages: number;
  /** WARC records that were deleted from the archive, and their bytes. */
  readonly records: number;
  readonly bytes: number;
  /** From then on the URLs may be fetched again. */
  readonly allowedAt?: number;
}

/** Every deletion in a crawl folder; kept in the state under the name 'forgotten'. */
export interface ForgottenPages {
  readonly entries: readonly ForgottenEntry[];
  /** The state has forgotten the entries made at this time; archive and index have not yet. */
  readonly unfinished?: { readonly at: number; readonly files: readonly string[] };
}
