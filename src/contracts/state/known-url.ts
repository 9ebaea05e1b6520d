import type { PageFacts } from '../content/page-facts.ts';
import type { Discovery } from '../crawl-task.ts';
import type { Outcome } from '../outcome.ts';
import type { CanonicalUrl, HostKey } from '../url.ts';

/** A URL that a crawl knows, whether it was asked for or not: what a table of all of them is made from. */
export interface KnownUrl {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly depth: number;
  readonly foundBy: Discovery['how'];
  readonly foundAt: number;
  /** 'refused-link': a rule said no before anybody asked for it. */
  readonly state: 'visited' | 'waiting' | 'refused-link';
  /** Of the last visit, or of the rule that refused it; absent where it waits for its first visit. */
  readonly outcome?: Outcome;
  /** Of the last answer, where there was one. */
  readonly status?: number;
  readonly visitedAt?: number;
  readonly nextVisit?: number;
  /** Of the last visit that brought any. */
  readonly facts?: PageFacts;
  /** A copy is held; also where the last visit failed. */
  readonly held?: true;
}

/** A known URL, and its place in the list of all: where another reading can go on. */
export interface ListedUrl extends KnownUrl {
  readonly cursor: string;
}

export interface KnownUrlQuery {
  /** Begins behind the URL with this cursor. */
  readonly after?: string;
  /** Default: all. */
  readonly states?: readonly KnownUrl['state'][];
}
