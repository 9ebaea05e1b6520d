import { Worker } from 'node:worker_threads';
import { threadUse } from '../../base/thread-use.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { ThreadUse } from '../../contracts/events.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { ThreadData } from './page-thread-server.ts';
import { encodeClaims, type FromThread, type ToThread } from './thread-messages.ts';
import { ThreadPulse } from './thread-pulse.ts';

/** What a page leaves behind is garbage at once: a larger young generation, which the engine would take, saves no time. */
const YOUNG_MB = 24;
/** Bodies lie outside of it. The largest page that `max-body` lets in takes a few hundred. */
const MEMORY_MB = 1024;

const WATCH_MS = 500;
/** A thread whose event loop does not turn for this many looks at it is in a loop without end: a minute, and no page takes that. */
const HUNG_AFTER = 120;
/** When the workers are ended nothing is worth waiting for that keeps a thread from hearing it: one second. */
const HUNG_AT_CLOSE = 2;

export interface ThreadReports {
  heard(message: FromThread): void;
  /** The thread is gone, though nobody has closed it; `why` says what happened, `error` is what it threw. */
  died(why: string, error?: unknown): void;
}

export interface ThreadOptions {
  /** The module that the thread runs. */
  readonly module: URL;
  readonly data: Omit<ThreadData, 'pulse'>;
  /** Looks after which a thread that does not answer is ended; a minute when absent. */
  readonly hungAfter?: number;
  readonly memoryMb?: number;
}

/** One page thread with what it was given. A thread that hangs is ended; whoever made it hears of that and makes another. */
export class WatchedThread {
  /** What it has not reported yet. */
  readonly claims = new Map<number, Claim>();
  readonly lookUps = new Set<HostKey>();
  readonly #worker: Worker;
  readonly #pulse = new ThreadPulse();
  readonly #watch: NodeJS.Timeout;
  readonly #exited: Promise<void>;
  #hungAfter: number;
  #beats = 0;
  #still = 0;
  #why: string | undefined;
  #error: unknown;
  #closing = false;

  constructor({ module, data, hungAfter = HUNG_AFTER, memoryMb = MEMORY_MB }: ThreadOptions, reports: ThreadReports) {
    this.#hungAfter = hungAfter;
    this.#worker = new Worker(module, {
      workerData: { ...data, pulse: this.#pulse.shared } satisfies ThreadData,
      transferList: [data.handOver?.port, data.renderPort].filter((port) => port !== undefined),
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: memoryMb },
    });
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    this.#worker.on('message', (message: FromThread) => reports.heard(message));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#error ??= error;
      this.#why ??= isFull ? `it needed more than ${memoryMb} MB` : (error.stack ?? String(error));
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        clearInterval(this.#watch);
        if (!this.#closing) reports.died(this.#why ?? `it ended with exit code ${code}`, this.#error);
        resolve();
      });
    });
  }

  /** Whether it has come to its first turn. */
  get hasBegun(): boolean {
    return this.#pulse.beats > 0;
  }

  /** Those of its claims that it was reading: what has arrived, and nothing that waits for the network. */
  get reading(): readonly Claim[] {
    return this.#pulse.reading.flatMap((id) => this.claims.get(id) ?? []);
  }

  start(claims: readonly Claim[]): void {
    for (const claim of claims) this.claims.set(claim.id, claim);
    this.#tell({ kind: 'start', claims: encodeClaims(claims) });
  }

  startAhead(claims: readonly Claim[]): void {
    for (const claim of claims) this.claims.set(claim.id, claim);
    this.#tell({ kind: 'start-ahead', claims: encodeClaims(claims) });
  }

  grant(claims: readonly Claim[]): void {
    this.#tell({ kind: 'grant', ids: claims.map(({ id }) => id) });
  }

  recall(): void {
    this.#tell({ kind: 'recall' });
  }

  settled(claims: readonly Claim[]): void {
    this.#tell({ kind: 'settled', claims: claims.map(({ id, task: { host } }) => ({ id, task: { host } })) });
  }

  lookUp(hosts: readonly HostKey[]): void {
    for (const host of hosts) this.lookUps.add(host);
    this.#tell({ kind: 'look-up', hosts });
  }

  /** Undefined where it is gone. */
  usage(name: string): Promise<ThreadUse | undefined> {
    return threadUse(this.#worker, name);
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#hungAfter = HUNG_AT_CLOSE;
    this.#tell({ kind: 'close' });
    await this.#exited;
  }

  /** Looks are counted, not time: after a sleep of the whole machine nobody is late. */
  #look(): void {
    const { beats } = this.#pulse;
    // A start takes its time on a busy machine, and no page can make it hang.
    if (beats === 0 && !this.#closing) return;
    this.#still = beats === this.#beats ? this.#still + 1 : 0;
    this.#beats = beats;
    if (this.#still < this.#hungAfter) return;
    this.#why ??= `it was busy for ${Math.round((this.#still * WATCH_MS) / 1000)} s without end`;
    void this.#worker.terminate();
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}
