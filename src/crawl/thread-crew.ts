import { Worker } from 'node:worker_threads';
import { ERROR_CODES, type ErrorCode, OrbweaverError } from '../base/errors.ts';
import { fingerprint } from '../base/fingerprint.ts';
import type { Claim } from '../contracts/crawl-task.ts';
import type { HostKey } from '../contracts/url.ts';
import { knownStorageError } from '../engines/sqlite/storage-error.ts';
import { registrableDomain } from '../url/public-suffix.ts';
import type { CrewReports, PageCrew } from './page-crew.ts';
import type { ThreadData } from './page-thread.ts';
import { decodeWorks, encodeClaims, type FromThread, type ToThread } from './thread-messages.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './page-thread.ts' : './page-thread.js', import.meta.url);

/** What a page leaves behind is garbage at once: a larger young generation, which the engine would take, saves no time. */
const YOUNG_MB = 24;

/** So many hosts are dealt out evenly; beyond them the hash of the name decides, which is even enough over very many. */
const DEALT_HOSTS = 100_000;

/**
 * A page thread for each core. A host always goes to the same one, so that its connection, its addresses and its robots.txt
 * stay warm there, and its archive records stay in order.
 */
export class ThreadCrew implements PageCrew {
  readonly #threads: readonly Worker[];
  readonly #closed: readonly Promise<void>[];
  /** Claims under way, by id. */
  readonly #claims = new Map<number, Claim>();
  readonly #cookies: boolean;
  /** Which thread has which host. */
  readonly #dealt = new Map<string, number>();
  readonly #hostCounts: number[];
  #closing = false;

  constructor(count: number, data: Omit<ThreadData, 'writerId'>, reports: CrewReports) {
    this.#cookies = data.settings.cookies;
    this.#hostCounts = Array.from({ length: count }, () => 0);
    this.#threads = Array.from({ length: count }, (_, index) => {
      return new Worker(THREAD, {
        workerData: { ...data, writerId: `w${index}` } satisfies ThreadData,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      });
    });
    for (const thread of this.#threads) {
      thread.on('message', (message: FromThread) => {
        switch (message.kind) {
          case 'done':
            reports.done(decodeWorks(message).map(({ id, work }) => ({ claim: this.#take(id), work })));
            return;
          case 'placed':
            reports.placed(message.places);
            return;
          case 'fault': {
            const { code, message: text, remedy } = message;
            reports.fault(new OrbweaverError(code, text, remedy === undefined ? {} : { remedy }));
          }
        }
      });
      // An error that crosses threads is a copy without its class.
      thread.on('error', (error) => reports.fault(knownStorageError(error, data.folder) ?? revived(error)));
      thread.on('exit', (code) => {
        if (!this.#closing)
          reports.fault(new OrbweaverError('INTERNAL', `A page thread ended by itself (exit code ${code}).`));
      });
    }
    this.#closed = this.#threads.map((thread) => new Promise<void>((resolve) => thread.once('exit', () => resolve())));
  }

  start(claims: readonly Claim[]): void {
    for (const claim of claims) this.#claims.set(claim.id, claim);
    this.#each(
      claims,
      (claim) => claim.task.host,
      (thread, some) => tell(thread, { kind: 'start', claims: encodeClaims(some) }),
    );
  }

  lookUp(hosts: readonly HostKey[]): void {
    this.#each(
      hosts,
      (host) => host,
      (thread, some) => tell(thread, { kind: 'look-up', hosts: some }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    for (const thread of this.#threads) tell(thread, { kind: 'close' });
    await Promise.all(this.#closed);
  }

  /**
   * The thread of a host, for good. New hosts go to the thread that has the fewest: with few hosts, a hash would leave one
   * thread idle while the other still has work.
   */
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
    return this.#cookies ? (registrableDomain(host.replace(/:\d+$/, '')) ?? host) : host;
  }

  #hashed(key: string): number {
    return Number(fingerprint(key) % BigInt(this.#threads.length));
  }

  #take(id: number): Claim {
    const claim = this.#claims.get(id);
    if (claim === undefined)
      throw new OrbweaverError('INTERNAL', `A page thread reported claim ${id}, which nobody gave it.`);
    this.#claims.delete(id);
    return claim;
  }

  #each<T>(
    items: readonly T[],
    hostOf: (item: T) => HostKey,
    hand: (thread: Worker, items: readonly T[]) => void,
  ): void {
    const shares: T[][] = this.#threads.map(() => []);
    for (const item of items) shares[this.#threadOf(hostOf(item))].push(item);
    for (const [index, share] of shares.entries()) if (share.length > 0) hand(this.#threads[index], share);
  }
}

/** One of ours that a thread threw as it started. */
function revived(error: unknown): unknown {
  const { code, message, remedy } = error as { code?: string; message: string; remedy?: string };
  if (code === undefined || !(code in ERROR_CODES)) return error;
  return new OrbweaverError(code as ErrorCode, message, remedy === undefined ? {} : { remedy });
}

function tell(thread: Worker, message: ToThread): void {
  thread.postMessage(message);
}
