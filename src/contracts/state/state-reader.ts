import type { ChangeLog } from '../change-log.ts';
import type { PageFacts } from '../content/page-facts.ts';
import type { HostRecord, LastVisit, PageStore } from '../page-store.ts';
import type { ChangeHistory } from '../revisit.ts';
import type { CanonicalUrl, HostKey } from '../url.ts';
import type { DuplicateListing } from './duplicate-listing.ts';
import type { KnownUrlQuery, ListedUrl } from './known-url.ts';
import type { Notes } from './notes.ts';
import type { PageCourse } from './page-course.ts';
import type { ListedPage, PageQuery } from './page-listing.ts';

/** Reads the state of a crawl, also while one runs: every call sees the last committed transaction. */
export interface StateReader extends Pick<Notes, 'read'>, Disposable {
  readonly pages: PageReader;
  readonly hosts: HostListing;
  readonly duplicates: DuplicateListing;
  readonly changes: ChangeLog;
  /** Every visited URL, in no particular order. In slices: neither memory nor a running crawl feels how many there are. */
  listPages(query?: PageQuery): Iterable<ListedPage>;
  /** The visits of every page of which a copy is held, or was; in slices, in no order of meaning. */
  pageCourses(): Iterable<PageCourse>;
  /** Every URL that was visited, also those that are to be tried again; in no order of meaning. */
  visitedUrls(): Iterable<CanonicalUrl>;
  /**
   * Every URL that is known: visited ones, those that wait, and links that a rule refused. In slices, like `listPages`; a URL that moves
   * meanwhile may come twice, of which the first counts.
   */
  knownUrls(query?: KnownUrlQuery): Iterable<ListedUrl>;
  /** URLs behind which another page stands: copies and redirects. */
  aliases(): Iterable<readonly [alias: string, original: string]>;
  queueCounts(): QueueCounts;
  /** Pages whose next visit should have been made by now. */
  visitsDue(now: number): number;
  /** By name, in the order of writing. */
  archiveFiles(): Map<string, SettledBytes>;
}

/** Also answers those who ask about many pages, from one row each. */
export interface PageReader extends PageStore {
  /** Undefined for a page that was never visited. */
  lastVisit(url: CanonicalUrl): LastVisit | undefined;
  /** The same of those of the pages that were visited, read at once: beside a crawl that commits all the time a third sooner. */
  lastVisits(urls: readonly CanonicalUrl[]): ReadonlyMap<CanonicalUrl, LastVisit>;
  /** Where a URL redirects to, by the last visit that says so or otherwise. */
  redirectOf(url: CanonicalUrl): CanonicalUrl | undefined;
  /** Whether a copy of any page is held, however its last visit ended. Goes through all pages where there is none. */
  holdsCopies(): boolean;
  /** What the last visits tell of those of the pages that have facts; nothing else of them is read. */
  factsOf(urls: readonly CanonicalUrl[]): ReadonlyMap<CanonicalUrl, PageFacts>;
  /** What visits have shown of the changes of a page; undefined where it was not visited again, nor is to be. */
  changesOf(url: CanonicalUrl): ChangeHistory | undefined;
  /** Whether a copy of a page is held, and whether the page asks that nobody is shown it. */
  copyOf(url: CanonicalUrl): { readonly held: boolean; readonly noarchive: boolean } | undefined;
}

/** Lists of hosts, none longer than asked for; the lengths of their queues are exact. */
export interface HostListing {
  /** The hosts with the most to do, about. */
  busiest(max: number): HostRecord[];
  /** Those whose last answer took longest. */
  slowest(max: number): HostRecord[];
  /** Hosts that are parked or held, the latest trouble first; `count`: of all of them. */
  inTrouble(now: number, max: number): { readonly count: number; readonly hosts: HostRecord[] };
  /** How many hosts are in which state; each in one. */
  byState(now: number): HostStates;
  /** How all hosts stand; goes through all of them. */
  standing(now: number): HostStanding;
  /** Whether a request to it may be under way. */
  isLeased(host: HostKey, now: number): boolean;
}

export interface HostStates {
  /** Has something to fetch, and is due. */
  readonly ready: number;
  /** Has something to fetch, and rests. */
  readonly waiting: number;
  /** Asked for a pause, or did not answer. */
  readonly held: number;
  /** Takes no part: a budget is used up, or it cannot be reached. */
  readonly parked: number;
  /** Has nothing to fetch now. */
  readonly idle: number;
}

/** Each host counts once. */
export interface HostStanding {
  /** URLs wait, and it may be asked now. */
  readonly ready: number;
  /** URLs wait, and it rests after its last request. */
  readonly resting: number;
  /** It asked for a pause, or could not be reached. */
  readonly held: number;
  /** Takes no part: a budget is used up, or it was given up. */
  readonly parked: number;
  /** Nothing waits. */
  readonly idle: number;
  /** By the front queue of their first URL, the most urgent first: hosts that wait in it, and URLs that wait at them, about. */
  readonly frontQueues: readonly { readonly lane: number; readonly hosts: number; readonly urls: number }[];
}

export interface QueueCounts {
  readonly queued: number;
  /** Postponed. */
  readonly later: number;
  /** Pages that will be visited again, where the crawl goes on doing so; not among `queued` and `later`. */
  readonly planned: number;
  readonly parked: number;
  readonly hosts: number;
}

/** How much of an archive file, and of its index, belongs to settled pages. */
export interface SettledBytes {
  readonly fileEnd: number;
  readonly indexEnd: number;
}
