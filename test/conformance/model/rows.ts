import type { RobotsRecord } from '../../../src/contracts/content/robots.ts';
import type { CrawlTask, LinkRefusal, Outcome } from '../../../src/contracts/crawl-task.ts';
import type { MessageBody } from '../../../src/contracts/state/exchange.ts';
import type { CanonicalUrl, HostKey } from '../../../src/contracts/url.ts';

// All times are those of the store, whatever the clocks of its nodes say.

export interface HostRow {
  readonly key: HostKey;
  /** In the order of arrival. */
  readonly number: number;
  dueAt: number;
  holdUntil: number;
  holdWhy: string;
  crawlDelayMs: number;
  lastFetchMs: number;
  pushbacks: number;
  /** How often in a row it could not be reached. */
  unreached: number;
  pushedAt: number;
  pages: number;
  bytes: number;
  spentMs: number;
  parked: string;
  address: string | undefined;
}

export interface LeaseRow {
  readonly id: number;
  readonly since: number;
  readonly until: number;
  readonly dueBefore: number;
  /** Its request has ended. */
  readonly isAnswered?: boolean;
  /** Its request has to wait for the end of another. */
  readonly isAhead?: boolean;
}

/** A URL that waits: now, or until a time. */
export interface WaitingRow {
  /** In the order of arrival; its name. */
  readonly number: number;
  readonly fingerprint: bigint;
  readonly task: CrawlTask;
  readonly foundAt: number;
  lane: number;
  why: string | undefined;
  tries: number;
  visited: boolean;
  notBefore: number;
  lease: LeaseRow | undefined;
}

export interface PageRow {
  readonly task: CrawlTask;
  readonly foundAt: number;
  outcome: Outcome;
  tries: number;
  visitedAt: number;
}

export interface OutgoingMessage {
  readonly to: number;
  readonly number: number;
  readonly body: MessageBody;
}

/** Everything that a partition holds. Plain data: a transaction works on a copy of it. */
export interface PartitionRows {
  counter: number;
  readonly hosts: Map<HostKey, HostRow>;
  readonly waiting: Map<number, WaitingRow>;
  /** Fingerprints of URLs that were let in. */
  readonly known: Set<bigint>;
  readonly pages: Map<CanonicalUrl, PageRow>;
  readonly refusals: Map<CanonicalUrl, LinkRefusal>;
  readonly robots: Map<string, RobotsRecord>;
  readonly linkBatches: Map<number, Uint8Array>;
  readonly outbox: Map<number, OutgoingMessage>;
  readonly learnt: Uint8Array[];
}

export function emptyPartition(): PartitionRows {
  return {
    counter: 0,
    hosts: new Map(),
    waiting: new Map(),
    known: new Set(),
    pages: new Map(),
    refusals: new Map(),
    robots: new Map(),
    linkBatches: new Map(),
    outbox: new Map(),
    learnt: [],
  };
}
