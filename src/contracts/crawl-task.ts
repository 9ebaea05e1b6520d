import type { ArchiveLocation } from './archive-location.ts';
import type { ContentSketch } from './content/content-sketch.ts';
import type { PageFacts } from './content/page-facts.ts';
import type { RobotsRecord } from './content/robots.ts';
import type { Outcome, RefusedBy } from './outcome.ts';
import type { PlaceChange } from './place.ts';
import type { ChangeHistory, EarlierVisit, PageChange } from './revisit.ts';
import type { CanonicalUrl, HostKey, Origin } from './url.ts';

export type { Outcome, RefusedBy } from './outcome.ts';

/** Where a URL was found. */
export interface Discovery {
  /** The page that holds the link; absent for seeds. */
  readonly from?: CanonicalUrl;
  /**
   * 'sitemap': listed in a sitemap; 'sitemap-file': a sitemap itself, named in robots.txt or in an index, or guessed; 'form': a form of
   * the page that was filled in; 'archive': a foreign archive holds it; 'folder': a file that lies in a folder of the crawl.
   */
  readonly how:
    | 'seed'
    | 'link'
    | 'redirect'
    | 'sitemap'
    | 'sitemap-file'
    | 'feed'
    | 'push'
    | 'canonical'
    | 'robots'
    | 'form'
    | 'archive'
    | 'folder';
  /** Anchor text, shortened. */
  readonly anchor?: string;
}

/** What to fetch. */
export interface CrawlTask {
  readonly url: CanonicalUrl;
  /** Of the URL, where it is known already; engines make it where it is not. */
  readonly fingerprint?: bigint;
  readonly host: HostKey;
  /** Links followed from the nearest seed. */
  readonly depth: number;
  /** Redirects followed to get here, for the bound on chains. */
  readonly redirects: number;
  /** Front queue: 0 is the most urgent. Values past the last queue count as the last. */
  readonly lane: number;
  /** Why it has this place; kept only where the order moves URLs (`FrontierOptions.movable`). */
  readonly why?: string;
  /** Pages off topic in a row on the way to it; with a focused crawl, kept like `why`. */
  readonly offTopic?: number;
  readonly discovery: Discovery;
  /**
   * 'robots' fetches robots.txt of `forOrigin` from a URL on another host; 'probe' asks for a page that cannot exist, to
   * learn what the host says then; 'recheck' asks once more for a page, as a browser would. None of them is ever held to be
   * known, nor kept as a page.
   */
  readonly purpose: 'page' | 'robots' | 'probe' | 'recheck';
  readonly forOrigin?: Origin;
}

/** What an earlier visit left behind, for a conditional request. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** A lease on one URL. While it lasts, its host is given to nobody else, or to no more than `hostConcurrency` allows. */
export interface Claim {
  readonly id: number;
  readonly task: CrawlTask;
  /** What its server wants to be asked for, where that is another spelling of the URL. */
  readonly address?: string;
  /** Failed attempts so far. */
  readonly tries: number;
  readonly claimedAt: number;
  /** When its host fell due; the difference is how late the claim is, if the URL was waiting by then. */
  readonly dueAt: number;
  /** After this the lease has run out and the URL returns by itself. */
  readonly expiresAt: number;
  readonly validators?: Validators;
  /** Validators that are not sent, so that the body comes: it shows whether "not modified" can be believed. */
  readonly leftOut?: Validators;
  /** Asked with HEAD, which is compared with the signs of the visit before. */
  readonly method?: 'HEAD';
  /** The visit before, where there was one. */
  readonly earlier?: EarlierVisit;
  /** More URLs that wait for the same host, which robots.txt may forbid as well; see `Frontier.claimAlong`. */
  readonly along?: readonly Claim[];
  /** Given by `Frontier.claimAhead`: its request must not begin by itself. */
  readonly ahead?: true;
  /** Of a claim that goes along with another: its place in the queue of the host, for the frontier. */
  readonly place?: { readonly lane: number; readonly ord: number };
}

/** What a visit cost the host. `undefined` in a settlement means that no request was sent. */
export interface HostUse {
  readonly fetchMs: number;
  readonly bytes: number;
  readonly endedAt: number;
  /** No request went out: the name was not found, or nobody answered the call. */
  readonly unsent?: boolean;
  readonly address?: string;
  /** The server asked for less, or could not be reached. */
  readonly pushback?: Pushback;
}

/** 'busy': 429 or 503, wait and come back. 'unreachable': no answer at all; too many in a row park the host. */
export interface Pushback {
  readonly kind: 'busy' | 'unreachable';
  readonly why: string;
  readonly retryAfterMs?: number;
  /** There is no such host: trying again in this run is pointless. */
  readonly final?: boolean;
}

/** Why a host is not asked for a while; `kind` where it gave the reason itself. */
export interface Hold {
  readonly kind?: Pushback['kind'];
  readonly why: string;
  /** How often in a row it could not be reached, where that is more than once. */
  readonly times?: number;
}

/** The end of one lease: everything that follows from a visit, written in one transaction. */
export interface Settlement {
  readonly claim: Claim;
  readonly outcome: Outcome;
  readonly use?: HostUse;
  /** When the visit took place, where that was not now: of pages from archives. */
  readonly at?: number;
  /** When to come back: a time, or undefined for never. With a failure this is the retry. */
  readonly nextVisit?: number;
  /** The next visit is planned, not a retry: the visit has come to its end, badly or well. Said only after failures and refusals. */
  readonly planned?: boolean;
  /** Why then. */
  readonly nextVisitWhy?: string;
  /** Its front queue then; the one it has where it is not given. */
  readonly nextVisitLane?: number;
  /** What the visit has shown of a page that is followed over time; goes into the log of changes. */
  readonly change?: PageChange;
  /** Kept with the page for its next visit. */
  readonly history?: ChangeHistory;
  /** Other URLs that wait get another place. */
  readonly moves?: readonly PlaceChange[];
  /** Links admitted by the filters. */
  readonly links?: readonly CrawlTask[];
  /** Links refused, with the rule. */
  readonly refusals?: readonly LinkRefusal[];
  /** Links that are judged later, as the caller packed them; see `Frontier.nextLinkBatch`. */
  readonly linkBatches?: readonly Uint8Array[];
  readonly page?: PageFacts;
  /** What finds pages like this one later on. */
  readonly contentSketch?: SketchSnapshot;
  /** What follows for the pages that were near to this one. */
  readonly nearChanges?: readonly NearChange[];
  readonly robots?: RobotsRecord;
  readonly archived?: readonly ArchiveLocation[];
}

/** The sketch of a stored page, under the number of its document. */
export interface SketchSnapshot extends ContentSketch {
  readonly document: number;
  /** The document it was found to be like. */
  readonly nearTo?: number;
  readonly jaccard?: number;
}

/** The page that another is near to, with its document. */
export interface NearTo {
  readonly document: number;
  readonly url: CanonicalUrl;
  readonly jaccard: number;
}

/** A page is near to another one than before, or to none. */
export interface NearChange {
  readonly document: number;
  readonly url: CanonicalUrl;
  readonly near?: NearTo;
}

/** A link that was not admitted; kept, so that `explain` can tell why, and judged again when the rules change. */
export interface LinkRefusal {
  readonly task: CrawlTask;
  readonly by: RefusedBy;
  readonly rule: string;
}
