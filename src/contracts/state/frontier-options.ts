import type { HostKey } from '../url.ts';

/** How long a host must rest; the rule and its sources are in docs/politeness.md. */
export interface PolitenessPolicy {
  /** Least rest between the end of one request and the start of the next. */
  readonly minimumDelayMs: number;
  /** The adaptive part: this many times the last fetch time ... */
  readonly delayFactor: number;
  /** ... but no more than this. A Crawl-delay is never cut. */
  readonly maxAdaptiveDelayMs: number;
  readonly backoffStartMs: number;
  readonly backoffMaxMs: number;
  /** Share of the wait by which it may grow at random, so that hosts do not come back in step. */
  readonly backoffJitter: number;
  /** A host that gave no reason for a back-off for so long starts afresh. */
  readonly forgivenessMs: number;
  /** A host that could not be reached so often in a row is parked: its URLs are kept and tried in the next run. */
  readonly unreachableLimit: number;
  /** The same for a host that has never sent anything, where that is less. */
  readonly neverReachedLimit: number;
}

/** What one host may cost. Infinity where there is no limit. */
export interface HostBudgets {
  readonly maxPages: number;
  readonly maxBytes: number;
  readonly maxMs: number;
  /** URLs waiting at once. */
  readonly maxQueued: number;
}

export interface VisitAllowance {
  available(now: number): number;
  spend(visits: number): void;
  /** When the next one may begin; `now` where one may at once. */
  nextAt(now: number): number;
}

export interface FrontierOptions {
  readonly politeness: PolitenessPolicy;
  readonly budgets: HostBudgets;
  readonly leaseMs: number;
  /** Leases a host may have at once, 1 to 255 (default 1). Above 1 the delay counts between starts of requests. */
  readonly hostConcurrency?: (host: HostKey) => number;
  /** Longest time that a request may last beyond the lease of its owner. After a change of owner hosts rest for it, where the owner before may still live. */
  readonly maxRequestMs?: number;
  /** Longest time that a request lasts at all: one whose end nobody has told took so long at most. Default: `maxRequestMs`. */
  readonly longestFetchMs?: number;
  /** K front queues. */
  readonly lanes: number;
  readonly laneChoice: 'strict' | 'biased';
  readonly order: 'fifo' | 'lifo';
  /** Waiting URLs can be found by their fingerprint, to be moved or recalled; costs a row for each. */
  readonly movable?: boolean;
  /** Pages are visited again when due. Without it such visits are kept, but do not keep a crawl from ending. */
  readonly revisits?: boolean;
  /** With `revisits`: once this many pages were given, no new ones are claimed, and those are visited again. */
  readonly maxPages?: number;
  /** Only a few hosts of one domain are asked at once before one of them has answered. */
  readonly paceNewHosts?: boolean;
  /** How many visits again may begin by now; those beyond wait, the longest due first. */
  readonly allowance?: VisitAllowance;
  /** Hosts wait until their address is told, so that no request waits for a name; implied by `byAddress`. */
  readonly addressFirst: boolean;
  readonly byAddress: boolean;
  readonly byDomain: boolean;
  /** Distinct refused links that are kept; beyond it they are only counted. */
  readonly maxRefusals: number;
}
