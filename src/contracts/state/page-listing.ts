import type { Outcome } from '../outcome.ts';
import type { CanonicalUrl, HostKey } from '../url.ts';

/** A visited URL in a list of many: what a table of them shows. */
export interface ListedPage {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly depth: number;
  /** Of the last visit. */
  readonly outcome: Outcome;
  readonly visitedAt: number;
  /** Of the last answer, where there was one. */
  readonly status?: number;
  readonly nextVisit?: number;
  /** Of the copy that is held. */
  readonly mediaType?: string;
  readonly bytes?: number;
  readonly title?: string;
}

export interface PageQuery {
  readonly host?: HostKey;
  readonly outcomes?: readonly Outcome['kind'][];
  /** Both ends included. */
  readonly status?: { readonly from: number; readonly to: number };
  /** Begins behind this one, in the order of the list. */
  readonly after?: CanonicalUrl;
  readonly limit?: number;
}
