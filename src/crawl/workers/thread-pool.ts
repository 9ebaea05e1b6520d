import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { ERROR_CODES, type ErrorCode, OrbweaverError } from '../../base/errors.ts';
import { fingerprint } from '../../base/fingerprint.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { ThreadUse } from '../../contracts/events.ts';
import type { HandOver } from '../../contracts/handed-visit.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { knownStorageError } from '../../engines/storage-error.ts';
import { registrableDomain } from '../../url/public-suffix.ts';
import { type FinishedWork, lostWork, type PageWork } from '../visit/page-work.ts';
import { keepsCookies } from '../visit/private-access.ts';
import type { ThreadData } from './page-thread-server.ts';
import { decodeWorks, type FromThread } from './thread-messages.ts';
import { WatchedThread } from './watched-thread.ts';
import type { WorkerPool, WorkerReports } from './worker-pool.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './page-thread.ts' : './page-thread.js', import.meta.url);

/** This many hosts are dealt out evenly; beyond them the hash of the name decides, which is even enough over very many. */
const DEALT_HOSTS = 100_000;
/** A page that was being read each time when this many threads died is given up. */
const MOST_DEATHS = 2;
/** Threads that die in a row without anything done in between: the fault is not with a page. */
const DEATHS_IN_A_ROW = 10;

export interface ThreadPoolOptions {
  readonly data: Omit<ThreadData, 'writerId' | 'pulse' | 'handOver' | 'renderPort'>;
  /** Absent where no index is filled beside the crawl. */
  readonly handOver?: HandOver;
  /** The way of one more thread to those who show pages in a browser; absent where none is shown. */
  readonly renderPort?: () => MessagePort;
  readonly clock: Clock;
  /** Other than by default: the module of the threads, when one counts as hung, and its memory. */
  readonly module?: URL;
  readonly hungAfter?: number;
  readonly memoryMb?: number;
}

/**
 * A page thread for each core but one. A host always goes to the same one, so that its connection, its addresses and its robots.txt
 * stay warm there, and its archive records stay in order. A thread that dies or hangs is replaced, and what it had returns to
 * the queue.
 */
export class ThreadPool implements WorkerPool {
  readonly #options: ThreadPoolOptions;
  readonly #reports: WorkerReports;
  readonly #threads: WatchedThread[];
  /** Which thread has which host. */
  readonly #dealt = new Map<string, number>();
  readonly #hostCounts: number[];
  /** Pages that were being read when a thread died, and how often that was. */
  readonly #suspects = new Map<CanonicalUrl, number>();
  #deathsInARow = 0;

  constructor(count: number, options: ThreadPoolOptions, reports: WorkerReports) {
    this.#options = options;
    this.#reports = reports;
    this.#hostCounts = Array.from({ length: count }, () => 0);
    this.#threads = this.#hostCounts.map((_, place) => this.#open(place));
  }

  start(claims: readonly Claim[]): void {
    this.#eachClaim(claims, (thread, some) => thread.start(some));
  }

  startAhead(claims: readonly Claim[]): void {
    this.#eachClaim(claims, (thread, some) => thread.startAhead(some));
  }

  grant(claims: readonly Claim[]): void {
    this.#eachClaim(claims, (thread, some) => thread.grant(some));
  }

  recall(): void {
    for (const thread of this.#threads) thread.recall();
  }

  settled(claims: readonly Claim[]): void {
    this.#eachClaim(claims, (thread, some) => thread.settled(some));
  }

  lookUp(hosts: readonly HostKey[]): void {
    this.#each(
      hosts,
      (host) => host,
      (thread, some) => thread.lookUp(some),
    );
  }

  async usage(): Promise<readonly ThreadUse[]> {
    const all = await Promise.all(this.#threads.map((thread, place) => thread.usage(`page-${place}`)));
    return all.filter((use) => use !== undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #open(place: number): WatchedThread {
    const { data, module = THREAD, clock: _, handOver, renderPort, ...limits } = this.#options;
    const handing = {
      ...(handOver === undefined ? {} : { handOver: handOver.connect() }),
      ...(renderPort === undefined ? {} : { renderPort: renderPort() }),
    };
    const thread: WatchedThread = new WatchedThread(
      // A thread begins a new archive file: that of the one before it ends where it ended.
      { module, data: { ...data, ...handing, writerId: `w${place}` }, ...limits },
      {
        heard: (message) => this.#heard(thread, message),
        died: (why, error) => this.#died(place, thread, why, error),
      },
    );
    return thread;
  }

  #heard(thread: WatchedThread, message: FromThread): void {
    switch (message.kind) {
      case 'done':
        this.#deathsInARow = 0;
        this.#reports.done(decodeWorks(message).map(({ id, ...done }) => ({ claim: take(thread, id), ...done })));
        return;
      case 'answered':
        this.#reports.answered(
          message.ids.flatMap((id) => thread.claims.get(id) ?? []),
          message.begun.flatMap(({ id, at }) => {
            const claim = thread.claims.get(id);
            return claim === undefined ? [] : [{ claim, at }];
          }),
        );
        return;
      case 'unbegun':
        this.#reports.unbegun(message.ids.map((id) => take(thread, id)));
        return;
      case 'placed':
        for (const { host } of message.places) thread.lookUps.delete(host);
        this.#reports.placed(message.places);
        return;
      case 'fault': {
        const { code, message: text, remedy } = message;
        this.#reports.fault(new OrbweaverError(code, text, remedy === undefined ? {} : { remedy }));
      }
    }
  }

  #died(place: number, thread: WatchedThread, why: string, error: unknown): void {
    const fault = knownStorageError(error, this.#options.data.folder) ?? revived(error);
    if (fault !== undefined) {
      this.#reports.fault(fault);
      return;
    }
    if (!thread.hasBegun || ++this.#deathsInARow > DEATHS_IN_A_ROW) {
      this.#reports.fault(new OrbweaverError('INTERNAL', `A page thread died: ${why}.`));
      return;
    }
    const reading = new Set(thread.reading.map(({ id }) => id));
    const lost = [...thread.claims.values()].map((claim): FinishedWork => {
      return { claim, work: this.#lostWork(claim, reading.has(claim.id), why) };
    });
    this.#threads[place] = this.#open(place);
    if (thread.lookUps.size > 0) this.#threads[place].lookUp([...thread.lookUps]);
    this.#reports.replaced(`A page thread died and was replaced: ${why}. ${lost.length} URLs return to the queue.`);
    this.#reports.done(lost);
  }

  /** The host may have been asked, and rests as after a request. */
  #lostWork(claim: Claim, wasRead: boolean, why: string): PageWork {
    const now = this.#options.clock.now();
    const { url } = claim.task;
    const deaths = (this.#suspects.get(url) ?? 0) + (wasRead ? 1 : 0);
    if (deaths < MOST_DEATHS) {
      if (wasRead) this.#suspects.set(url, deaths);
      return lostWork({ claim }, `its page thread died: ${why}`, now);
    }
    this.#suspects.delete(url);
    const use = { fetchMs: 0, bytes: 0, endedAt: now };
    return { kind: 'failed', code: 'thread-died', detail: `${MOST_DEATHS} page threads died reading it: ${why}`, use };
  }

  /** The thread of a host, fixed. New hosts go to the thread with the fewest: a hash would leave one idle with few hosts. */
  #threadOf(host: HostKey): number {
    const known = this.#dealt.get(host);
    if (known !== undefined) return known;
    const key = this.#shareKey(host);
    const shared = key === host ? undefined : this.#dealt.get(key);
    const full = this.#dealt.size >= DEALT_HOSTS;
    const thread = shared ?? (full ? this.#hashed(key) : this.#hostCounts.indexOf(Math.min(...this.#hostCounts)));
    if (full) return thread;
    this.#dealt.set(host, thread);
    this.#dealt.set(key, thread);
    this.#hostCounts[thread]++;
    return thread;
  }

  /** Hosts that may send each other's cookies go to one thread, which has the one jar they share. */
  #shareKey(host: HostKey): string {
    return keepsCookies(this.#options.data.settings) ? (registrableDomain(host.replace(/:\d+$/, '')) ?? host) : host;
  }

  #hashed(key: string): number {
    return Number(fingerprint(key) % BigInt(this.#threads.length));
  }

  #eachClaim(claims: readonly Claim[], hand: (thread: WatchedThread, claims: readonly Claim[]) => void): void {
    this.#each(claims, (claim) => claim.task.host, hand);
  }

  #each<T>(
    items: readonly T[],
    hostOf: (item: T) => HostKey,
    hand: (thread: WatchedThread, items: readonly T[]) => void,
  ): void {
    const shares: T[][] = this.#threads.map(() => []);
    for (const item of items) shares[this.#threadOf(hostOf(item))].push(item);
    for (const [index, share] of shares.entries()) if (share.length > 0) hand(this.#threads[index], share);
  }
}

function take({ claims }: WatchedThread, id: number): Claim {
  const claim = claims.get(id);
  if (claim === undefined)
    throw new OrbweaverError('INTERNAL', `A page thread reported claim ${id}, which nobody gave it.`);
  claims.delete(id);
  return claim;
}

/** One of ours that a thread threw as it started: an error that crosses threads is a copy without its class. */
function revived(error: unknown): OrbweaverError | undefined {
  const { code, message, remedy } = (error ?? {}) as { code?: string; message?: string; remedy?: string };
  if (code === undefined || !(code in ERROR_CODES)) return undefined;
  return new OrbweaverError(code as ErrorCode, message ?? '', remedy === undefined ? {} : { remedy });
}
