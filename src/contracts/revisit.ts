import type { BodySigns } from './content/body-signs.ts';
import type { Outcome } from './outcome.ts';
import type { CanonicalUrl } from './url.ts';

/** What is kept of a page's changes. Plain data, stored with the page; a few hundred bytes at most. */
export interface ChangeHistory {
  /** First and last visit of this crawl, ms. */
  readonly since: number;
  readonly visitedAt: number;
  readonly visits: number;
  /** Visits that found another text than the one before. */
  readonly changes: number;
  /** When it was last found changed, or its Last-Modified, whichever is known to be nearer. */
  readonly changedAt?: number;
  /** The last intervals between visits in ms, newest last; negative where the page had changed. Older ones are summed up. */
  readonly intervals: readonly number[];
  /** Expected changes per day, and how many visits' worth of evidence it rests on. */
  readonly rate: number;
  readonly evidence: number;
  /** It was there and is not: what its last definite answer said. */
  readonly lost?: 'gone' | 'moved';
  /** Where to, if it has moved. */
  readonly movedTo?: string;
  /** Further figures of the estimator. */
  readonly more?: Readonly<Record<string, number>>;
}

/** What a visit says of change. */
export interface ChangeObservation {
  readonly at: number;
  /** The main text is another than at the visit before; undefined at the first visit. */
  readonly changed?: boolean;
  /** Last-Modified, ms, where the server gave one. */
  readonly lastModified?: number;
}

/**
 * Somebody said that a page has changed: sitemap, feed, push, user; or that it does so often, or a page beside it did. The
 * user's word counts at once.
 */
export interface ChangeSignal {
  readonly from: 'sitemap' | 'changefreq' | 'feed' | 'push' | 'user' | 'neighbour';
  readonly at: number;
  /** When it is said to have changed, ms. */
  readonly changedAt?: number;
  /**
   * That it is true, 0 to 1, by what the same source said before. Of a neighbour and of changefreq: the chance that it adds to
   * what is expected of the page anyway.
   */
  readonly trust: number;
  /** In the source's own word, where it says how often. */
  readonly changefreq?: string;
}

export interface NextVisit {
  /** Undefined: never. */
  readonly at?: number;
  /** In words, for `explain`. */
  readonly why: string;
}

/** How much a page matters: the sum of both. */
export interface PageWeight {
  /** By links to it, relative to a mean of 1; 1 where it is not known. */
  readonly importance?: number;
  /** By how often people open it, relative to a mean of 1 over the pages that were opened at all; absent: never. */
  readonly opened?: number;
}

export type RevisitPolicyName = 'uniform' | 'proportional' | 'freshness' | 'age';

/**
 * When each page is visited next, under a budget of requests. It knows the population of pages as a summary (how many change
 * how often and matter how much), never page by page, and finds the price of a request at which the budget is just used up.
 * It sits in the deciding thread. All times come in with the calls.
 */
export interface RevisitPlanner {
  /**
   * What is known of a page that an earlier crawl has visited, after its first visit by this one; `seen` tells nothing of changes where
   * the two copies cannot be compared. What the page has shown there counts for all pages.
   */
  adopt(earlier: ChangeHistory, seen: ChangeObservation): ChangeHistory;
  /** What is known after a visit. Pure but for the rates of other pages, which stand in for what is not known of this one. */
  observe(before: ChangeHistory | undefined, seen: ChangeObservation): ChangeHistory;
  /** Also counts the page into the population; `before`: its history the last time this was asked, to be counted out. */
  next(history: ChangeHistory, weight: PageWeight, before?: ChangeHistory): NextVisit;
  /** The next visit of a page that has been counted, planned again: its settings, or the clock, are others than before. */
  again(history: ChangeHistory, weight: PageWeight, now: number): NextVisit;
  /** No next visit is planned for later than this after the last. */
  readonly longestIntervalMs: number;
  /** The next visit in the light of a signal; never later than `planned`. */
  hurry(history: ChangeHistory, weight: PageWeight, planned: number, signal: ChangeSignal): NextVisit;
  /** A page is permanently gone or no longer ours: counted out. */
  forget(history: ChangeHistory): void;
  /** Requests per day that the plan costs now, and the freshness and age (days) that it gives if the rates are right. */
  forecast(): RevisitForecast;
  /** Plain data for the next run. */
  toJSON(): unknown;
}

export interface RevisitForecast {
  readonly pages: number;
  readonly requestsPerDay: number;
  readonly freshness: number;
  readonly ageDays: number;
  /** All pages are visited as often as may be: no budget and no goal makes them fresher. */
  readonly asOftenAsAllowed?: true;
  /** The same budget spent in other ways, for comparison. */
  readonly others: readonly {
    readonly policy: RevisitPolicyName;
    readonly freshness: number;
    readonly ageDays: number;
  }[];
}

/** What a visit to a known page has shown. */
export type PageChange =
  | { readonly kind: 'new' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'gone'; readonly status: number }
  | { readonly kind: 'moved'; readonly to: string }
  /** Was gone, and is there again. */
  | { readonly kind: 'back' };

export interface PastEnding {
  readonly at: number;
  readonly outcome: Pick<Outcome, 'kind'>;
}

/** Outcome of the visit before, for telling what has changed; of a visit that is tried again, that of the try before. */
export interface EarlierVisit {
  readonly at: number;
  readonly outcome: Outcome;
  /** Of a visit that is tried again: how the one before all of its tries ended, where that is known. */
  readonly before?: PastEnding;
  readonly digest?: string;
  readonly textDigest?: string;
  /** Of the last copy that was whole, where this one is not. */
  readonly wholeTextDigest?: string;
  /** It broke off, twice at the same place. */
  readonly repeated?: true;
  /** Its body was not whole, and why. */
  readonly truncated?: string;
  readonly title?: string;
  readonly signs?: BodySigns;
  /** Its number among the documents that are compared. */
  readonly document?: number;
  /** The page that it was nearly a copy of. */
  readonly nearDuplicateOf?: CanonicalUrl;
  readonly history?: ChangeHistory;
}
