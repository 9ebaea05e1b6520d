import type { Claim, CrawlTask, LinkRefusal, Settlement } from './crawl-task.ts';
import type { PlaceChange, WaitingPlace } from './place.ts';
import type { Message } from './state/exchange.ts';
import type { HostKey } from './url.ts';

/** 'foreign': another partition has its host; whoever owns that one adds it. 'fenced': as with `SettleVerdict`. */
export type AddVerdict = 'added' | 'known' | 'over-budget' | 'foreign' | 'fenced';

/**
 * 'expired': the lease had run out, or was settled before; nothing was changed, and the URL is, or will be, somebody else's.
 * 'fenced': the partition has another owner by now. Nothing was changed, nor will it be: whoever hears this drops the partition.
 */
export type SettleVerdict = 'applied' | 'expired' | 'fenced';

/** The links of a page as keys that can be routed. */
export interface LinkKeys {
  readonly fingerprints: BigUint64Array;
  /** The host of the link at a place. A function, for only an engine of several partitions needs it. */
  host(place: number): HostKey;
}

/** The links of a page that are worth judging, by their places in ascending order; all others are known, or refused permanently. */
export interface LinkVerdicts {
  readonly unknown: readonly number[];
  /** Hosts of another partition have these, which may know them. They are judged here and leave with the settlement. */
  readonly foreign: readonly number[];
}

export interface FrontierCounts {
  readonly known: number;
  readonly queued: number;
  readonly leased: number;
  readonly hosts: number;
  /** URLs that wait on hosts whose budget is used up, or that are held by hand. They are kept and go on when the budget is raised. */
  readonly parked: number;
  /** Pages that will be visited again, part of `queued`; where pages are. */
  readonly planned?: number;
  /** Pages that were given so far, each counted once, also if it is gone by now; where pages are visited again. */
  readonly kept?: number;
}

/** A host and its first address, '' where it has none. */
export interface HostPlace {
  readonly host: HostKey;
  readonly address: string;
}

/** A visit that is planned for later is wanted sooner. */
export interface RevisitUpdate {
  readonly fingerprint: bigint;
  readonly at: number;
  readonly why: string;
  /** The visit is planned again: also for later than before. */
  readonly replan?: boolean;
}

/** A request that was claimed ahead and has begun since. */
export interface BegunClaim {
  readonly claim: Claim;
  readonly at: number;
}

/** Settlements that hosts may be asked beyond, but which a crash may still undo: what they settle is fetched again then. */
export interface BegunSettling {
  /** What `settle` answers, once it is durable. */
  readonly settled: Promise<SettleVerdict[]>;
  /** Nothing more comes that could become durable with them: they need not wait for it. */
  hurry(): void;
}

/** Links of a settled page that are not judged yet, as the settlement brought them. */
export interface LinkBatch {
  readonly number: number;
  readonly links: Uint8Array;
  /** Batches that wait, this one included. */
  readonly waiting: number;
}

/** What became of links. */
export interface JudgedLinks {
  readonly links: readonly CrawlTask[];
  readonly refusals: readonly LinkRefusal[];
}

/**
 * Mercator's frontier: the one place that decides which URL may be asked when.
 *
 * What every engine promises (test/conformance/frontier-suite.ts holds it to this):
 *  - `add` is atomic per task: of two adds of one URL exactly one answers 'added'. A new URL is never taken for a known one.
 *  - `claim` leases only URLs whose host is due and has a lease to spare. Whatever a crash or a change of owner cuts off, no
 *    host is asked again within its delay: either the lease is durable before it resolves, or all hosts rest with the next owner.
 *  - `claim` counts the leases under way against what holds for many hosts at once: new hosts of one domain
 *    (`paceNewHosts`), and new pages up to `maxPages` where pages are visited again. Whoever is over waits, and is asked later.
 *  - `settle` ends leases, sets clocks, stores the page and adds the new links in one transaction.
 *    Settling a lease that has expired or was settled before changes nothing but is no error.
 *    Links to hosts of other partitions, and a robots.txt that binds one, leave as messages in that same transaction.
 *  - an expired lease returns its URL to the head of its queue.
 *  - once the partition has another owner nothing is changed: `add` and `settle` answer 'fenced', `claim` nothing, `accept` false;
 *    whatever else would write throws `PARTITION_LOST`.
 *
 * What callers owe: settle or release every claim; never send a request to a host without a lease on it.
 */
export interface Frontier {
  /**
   * Which links were neither added nor refused permanently, page by page: one call for all pages of a batch, for it may be a question to
   * another machine. A hint that spares work; of two callers both may be told the same, and `add` decides.
   */
  unknown(pages: readonly LinkKeys[]): Promise<LinkVerdicts[]>;
  add(tasks: readonly CrawlTask[]): Promise<AddVerdict[]>;
  /** At most `max` leases. Empty when no host is due. */
  claim(max: number): Promise<Claim[]>;
  /**
   * More URLs of the host of a claim, at most `max`: new pages that wait in its queue. They are not leased. Those for which no
   * request is needed, because robots.txt forbids them, may be settled before the claim itself; the others stay where they are.
   */
  claimAlong(claim: Claim, max: number): Promise<Claim[]>;
  /**
   * The requests of these claims have been answered well. Where a host may have several requests under way, the next may begin before
   * the answer is settled; the leases stay. With as many answers that wait for their settlement a host is asked for nothing more.
   * `begun`: requests claimed ahead that have begun since, at most one for each answer of their host.
   */
  answered(claims: readonly Claim[], begun?: readonly BegunClaim[]): Promise<void>;
  /**
   * At most `max` leases ahead of time, of wanted hosts that have as many requests under way as they may (`hostConcurrency`, more than 1), have
   * answered before and need no rest between requests; so many that those and the answers that wait for their settlement are no
   * more than the requests. None while any host is due, where a budget may end before they do, or where hosts share a group.
   * They are leased like others, and marked `ahead`.
   *
   * The request of one may begin only in place of one that was answered well, which `answered` is told, or when `claim` gives it again:
   * a host that has a lease to spare is given those first. Nothing of a host begins between an answer that may change
   * its rest and the settlement of that answer. Whoever does not begin one any more releases it.
   */
  claimAhead(max: number, isWanted?: (host: HostKey) => boolean): Promise<Claim[]>;
  /** Returns what became of each. `learnt` is written in the same transaction, for whoever opens the state next. */
  settle(settlements: readonly Settlement[], learnt?: Uint8Array): Promise<SettleVerdict[]>;
  /**
   * As `settle`, for who need not wait until it is durable: resolves when claims know of it. Several may be under way; they become durable together.
   * Absent where `settle` is as soon done.
   */
  beginSettling?(settlements: readonly Settlement[], learnt?: Uint8Array): Promise<BegunSettling>;
  /** The oldest links that a settlement has left to be judged. They outlive the process. */
  nextLinkBatch(): Promise<LinkBatch | undefined>;
  /** What became of the links of a batch, in one transaction; the batch is done with. `learnt` as in `settle`. */
  settleLinkBatch(batch: LinkBatch, found: JudgedLinks, learnt?: Uint8Array): Promise<void>;
  /**
   * Applies what other partitions have sent, in one transaction. Idempotent: a message that comes again, or late, changes nothing
   * more. True where it was applied and may be acknowledged; false where the partition has another owner by now.
   */
  accept(messages: readonly Message[]): Promise<boolean>;
  /** Gives leases back unused: no request was sent. */
  release(claims: readonly Claim[]): Promise<void>;
  /** No request to these hosts before `until`. Holds only grow: an earlier time does not shorten a longer hold. */
  holdHosts(hosts: readonly HostKey[], until: number, why: string): Promise<void>;
  /**
   * Parks hosts by hand, or lets them go: nothing of them is claimed meanwhile, and what waits is kept. The next owner of the partition
   * begins with none parked.
   */
  parkHosts(hosts: readonly HostKey[], isParked: boolean): Promise<void>;
  /** Hosts that wait for an address, most urgent first, as many as will soon be claimed; each once, until `setAddresses`. */
  unresolvedHosts(max: number): Promise<HostKey[]>;
  setAddresses(places: readonly HostPlace[]): Promise<void>;
  /**
   * Gives waiting URLs another place. One that is under way, settled or unknown keeps what it has, as has one of another partition:
   * an order knows what waits at its own node. Answers how many moved.
   * Only where the frontier is `movable`.
   */
  move(changes: readonly PlaceChange[]): Promise<number>;
  /** No URL is claimed any more that was never visited; until it is opened again. Only where pages are visited again. */
  stopDiscovery(): Promise<void>;
  /** Brings planned visits forward, and back only where that is said; one that is not planned is left alone. Only where `movable`. */
  updateRevisits(updates: readonly RevisitUpdate[]): Promise<number>;
  /** Every URL in the queues that was never visited, in no order. Only where `movable`. */
  waiting(): Iterable<WaitingPlace>;
  /** When a claim may next yield something: a host due, a retry, the end of a lease. Undefined when only parked URLs are left. */
  nextDue(): Promise<number | undefined>;
  counts(): Promise<FrontierCounts>;
}
