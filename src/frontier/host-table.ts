import type { HostKey } from '../contracts/url.ts';

/** Number of a host, from 0; the same on disk. */
export type HostId = number;

export const PARK_REASONS = [
  '',
  'page budget used up',
  'byte budget used up',
  'time budget used up',
  'unreachable',
  'held by hand',
] as const;
export type ParkReason = (typeof PARK_REASONS)[number];

/** No group, or not told yet. */
export const NO_GROUP = -1;

/** The frontier's memory of every host, in typed arrays: a million objects would cost three times the memory. */
export class HostTable {
  readonly #ids = new Map<string, HostId>();
  readonly #keys: HostKey[] = [];

  /** Time before which the delay forbids a request. */
  dueAt: Float64Array = new Float64Array(1024);
  /** Time before which a hold (Retry-After, back-off) forbids it. */
  holdUntil: Float64Array = new Float64Array(1024);
  /** From robots.txt, 0 when it names none. */
  crawlDelayMs: Float64Array = new Float64Array(1024);
  lastFetchMs: Float64Array = new Float64Array(1024);
  /** Reasons to back off in a row, and when the last one came. */
  pushbacks: Uint8Array = new Uint8Array(1024);
  pushedAt: Float64Array = new Float64Array(1024);
  /** URLs in the back queue, leased ones included. */
  queued: Uint32Array = new Uint32Array(1024);
  /** Open leases whose requests may be under way, and the most that may be. */
  leases: Uint8Array = new Uint8Array(1024);
  concurrency: Uint8Array = new Uint8Array(1024).fill(1);
  /** Open leases whose requests are answered and not settled. */
  answered: Uint16Array = new Uint16Array(1024);
  /** Open leases that were given ahead: their requests must wait for the end of others. */
  ahead: Uint8Array = new Uint8Array(1024);
  /** Best front queue among them: a hint that may be too low, never too high. */
  lane: Uint8Array = new Uint8Array(1024);
  pages: Uint32Array = new Uint32Array(1024);
  bytes: Float64Array = new Float64Array(1024);
  spentMs: Float64Array = new Float64Array(1024);
  /** Index into PARK_REASONS. */
  parked: Uint8Array = new Uint8Array(1024);
  /** Politeness groups besides the host itself. */
  addressGroup: Int32Array = new Int32Array(1024).fill(NO_GROUP);
  domainGroup: Int32Array = new Int32Array(1024).fill(NO_GROUP);
  /** How far the look-up of its name is; see HostSchedule. */
  named: Uint8Array = new Uint8Array(1024);
  /** Place in the ready heap, or -1. Owned by ReadyHeap. */
  heapIndex: Int32Array = new Int32Array(1024).fill(-1);
  /** Where the host stands; see HostStage. */
  stage: Uint8Array = new Uint8Array(1024);

  get size(): number {
    return this.#keys.length;
  }

  idOf(key: HostKey): HostId | undefined {
    return this.#ids.get(key);
  }

  keyOf(id: HostId): HostKey {
    return this.#keys[id];
  }

  /** Appends a host; its number is the next free one. */
  append(key: HostKey): HostId {
    const id = this.#keys.length;
    if (id === this.dueAt.length) this.#grow();
    this.#keys.push(key);
    this.#ids.set(key, id);
    return id;
  }

  #grow(): void {
    const more = Math.ceil(this.dueAt.length * 1.5);
    this.dueAt = enlarge(this.dueAt, new Float64Array(more));
    this.holdUntil = enlarge(this.holdUntil, new Float64Array(more));
    this.crawlDelayMs = enlarge(this.crawlDelayMs, new Float64Array(more));
    this.lastFetchMs = enlarge(this.lastFetchMs, new Float64Array(more));
    this.pushbacks = enlarge(this.pushbacks, new Uint8Array(more));
    this.pushedAt = enlarge(this.pushedAt, new Float64Array(more));
    this.queued = enlarge(this.queued, new Uint32Array(more));
    this.leases = enlarge(this.leases, new Uint8Array(more));
    this.concurrency = enlarge(this.concurrency, new Uint8Array(more).fill(1));
    this.answered = enlarge(this.answered, new Uint16Array(more));
    this.ahead = enlarge(this.ahead, new Uint8Array(more));
    this.lane = enlarge(this.lane, new Uint8Array(more));
    this.pages = enlarge(this.pages, new Uint32Array(more));
    this.bytes = enlarge(this.bytes, new Float64Array(more));
    this.spentMs = enlarge(this.spentMs, new Float64Array(more));
    this.parked = enlarge(this.parked, new Uint8Array(more));
    this.addressGroup = enlarge(this.addressGroup, new Int32Array(more).fill(NO_GROUP));
    this.domainGroup = enlarge(this.domainGroup, new Int32Array(more).fill(NO_GROUP));
    this.named = enlarge(this.named, new Uint8Array(more));
    this.heapIndex = enlarge(this.heapIndex, new Int32Array(more).fill(-1));
    this.stage = enlarge(this.stage, new Uint8Array(more));
  }
}

function enlarge<T extends Float64Array | Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
