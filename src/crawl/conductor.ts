import { setImmediate } from 'node:timers/promises';
import { type Clock, dateOf } from '../base/clock.ts';
import type { Claim } from '../contracts/crawl-task.ts';
import type { CrawlEvents, CrawlProgress } from '../contracts/events.ts';
import type { Frontier } from '../contracts/frontier.ts';
import type { Claims } from './claims.ts';
import type { EventHub } from './report/event-hub.ts';
import type { RunLimits } from './run-limits.ts';
import type { Settler } from './settlement/settler.ts';
import { SettlingBacklog } from './settlement/settling-backlog.ts';
import { NameLookups } from './workers/name-lookups.ts';
import type { WorkerPool, WorkerReports } from './workers/worker-pool.ts';

/** 'held-back': nothing is left but URLs that the crawl holds back by what it has learnt. */
export type EndReason = 'finished' | 'held-back' | 'parked' | 'stopped' | `limit: ${string}`;

export interface ConductorParts {
  readonly frontier: Frontier;
  readonly claims: Claims;
  readonly startWorkers: (reports: WorkerReports) => WorkerPool;
  readonly settler: Settler;
  readonly limits: RunLimits;
  /** Looks after what takes no part in the single visit; called now and then, and at the end. True: URLs were let in. */
  readonly maintain: (last?: boolean) => Promise<boolean>;
  /** Visits are planned anew in the turns between. */
  readonly isReplanning: () => boolean;
  /** What is told of the progress besides. */
  readonly progress: () => Pick<CrawlProgress, 'harvest' | 'compared'>;
  readonly clock: Clock;
  readonly events: EventHub<CrawlEvents>;
  readonly concurrency: number;
}

/** No wait is longer, so that a stop, a sleep of the machine or a hold lifted elsewhere is noticed. */
const LONGEST_WAIT_MS = 1000;
/** While visits are planned anew in the turns between. */
const BETWEEN_PLANS_MS = 20;
/** After a stop, and at `max-duration`: most requests under way end within it. The others are asked again by the next run. */
const END_GRACE_MS = 1000;
/** With so many links waiting on disk, a few hundred MB, no more pages are asked for. */
const MOST_LINK_BATCHES = 1000;

/**
 * Claims while there is room, lets the workers work, settles what they bring back in batches. It knows no stage of a visit:
 * visit/pipeline.ts does. It keeps no state that matters: whatever it knows can be lost, for the frontier holds the truth.
 */
export class Conductor implements AsyncDisposable {
  readonly #parts: ConductorParts;
  readonly #finished = new SettlingBacklog();
  readonly #workers: WorkerPool;
  readonly #names: NameLookups;
  /** Claims that workers have, by id. */
  readonly #underWay = new Map<number, Claim>();
  /** Batches of links that are not judged yet. */
  #linkBatches = 0;
  #stopping = false;
  /** When the crawl must end: the time after which nothing is waited for. */
  #endBy: number | undefined;
  #fault: unknown;
  #wake: () => void = () => {};

  constructor(parts: ConductorParts) {
    this.#parts = parts;
    this.#workers = parts.startWorkers({
      done: (finished) => {
        for (const { claim } of finished) this.#underWay.delete(claim.id);
        this.#finished.add(parts.claims.ended(finished));
        this.#wake();
      },
      placed: (places) => {
        this.#names.found(places);
        this.#wake();
      },
      replaced: (message) => parts.events.emit('warning', { code: 'PAGE_THREAD_DIED', message }),
      fault: (error) => {
        this.#fault ??= error ?? new Error('A worker failed without saying why.');
        this.#wake();
      },
    });
    this.#names = new NameLookups(parts.frontier, this.#workers);
  }

  /** Ends the workers; whatever it holds is closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workers[Symbol.asyncDispose]();
  }

  /** Claims nothing more; what is under way is finished and settled, as far as it ends soon. */
  stop(): void {
    this.#stopping = true;
    this.#wake();
  }

  /** Something was added from outside. */
  notice(): void {
    this.#wake();
  }

  /** Runs until nothing is left, a limit is reached, or it is stopped. Throws only what ends the crawl: our faults, the disk's. */
  async run(): Promise<EndReason> {
    const { settler, limits, maintain } = this.#parts;
    await limits.noticeEndOfDiscovery();
    for (;;) {
      const batch = this.#finished.takeBatch();
      await settler.settle(batch);
      this.#parts.claims.settled(batch);
      await maintain();
      if (this.#fault !== undefined) throw this.#fault;
      const limit = limits.reached;
      await this.#names.settle();
      if (!this.#stopping && limit === undefined) {
        this.#linkBatches = await settler.settleLinks();
        await this.#claim();
        await this.#names.start();
      }
      if (this.#stopping || limit === 'max-duration') await this.#leaveUnfinished();
      const end = this.#isIdle ? await this.#end(limit) : undefined;
      if (end !== undefined) return end;
      await this.#rest();
    }
  }

  async progress(): Promise<CrawlProgress> {
    const { frontier, limits, clock, progress } = this.#parts;
    // Both at the same moment: the end of a lease that is settled in between is nothing that falls due.
    const [nextDue, counts] = await Promise.all([frontier.nextDue(), frontier.counts()]);
    const due = nextDue === undefined ? {} : { nextDue: dateOf(clock, nextDue) };
    return { ...limits.progress, frontier: counts, inFlight: this.#underWay.size, ...due, ...progress() };
  }

  get #isIdle(): boolean {
    return this.#underWay.size === 0 && this.#finished.length === 0;
  }

  async #claim(): Promise<void> {
    const room = this.#room();
    if (room <= 0) return;
    const { asked, heldBack } = await this.#parts.claims.take(room);
    this.#finished.add(heldBack);
    for (const claim of asked) this.#underWay.set(claim.id, claim);
    if (asked.length > 0) this.#workers.start(asked);
  }

  /** How many claims may be taken. */
  #room(): number {
    if (this.#finished.isFull || this.#linkBatches > MOST_LINK_BATCHES) return 0;
    const { concurrency, limits } = this.#parts;
    const underWay = this.#underWay.size;
    return Math.min(concurrency - underWay, limits.roomFor(underWay + this.#finished.length));
  }

  /** Why the crawl ends where nothing is under way; undefined where it goes on. */
  async #end(limit: string | undefined): Promise<EndReason | undefined> {
    const { frontier, limits, maintain } = this.#parts;
    if (this.#stopping) return 'stopped';
    if (limit !== undefined) return `limit: ${limit}`;
    const { queued, parked } = await frontier.counts();
    const allParked = queued === parked && this.#linkBatches === 0;
    if (!allParked && !(await this.#nothingSoon())) return undefined;
    // What was held back may be let in at the very end.
    if (await maintain(true)) return undefined;
    if (!allParked) return 'limit: max-wait';
    if (queued === 0) return 'finished';
    // What waits are new URLs, and no more pages are taken in.
    return limits.isFull ? 'limit: max-pages' : 'parked';
  }

  /** Every host that is left asks for a longer rest than anybody wants to wait: one of them must not keep a crawl from its end. */
  async #nothingSoon(): Promise<boolean> {
    if (!this.#names.isIdle || this.#linkBatches > 0) return false;
    return this.#parts.limits.isTooFar(await this.#parts.frontier.nextDue());
  }

  /** What is under way when the crawl must end is finished and settled, but not waited for without end. */
  async #leaveUnfinished(): Promise<void> {
    const now = this.#parts.clock.now();
    this.#endBy ??= now + END_GRACE_MS;
    // A clock that was set back must not make the wait longer.
    if (now < this.#endBy && now >= this.#endBy - END_GRACE_MS) return;
    // Pages that have arrived come after all that are settled in the archive, too: the next start cuts them off.
    const claims = [...this.#finished.takeAll().map(({ claim }) => claim), ...this.#underWay.values()];
    this.#underWay.clear();
    const use = { fetchMs: 0, bytes: 0, endedAt: now };
    const why = 'the run ended before its page was done';
    await this.#parts.settler.settle(claims.map((claim) => ({ claim, work: { kind: 'lost', why, use } })));
  }

  /** Until a worker is done, a host falls due, or somebody calls. */
  async #rest(): Promise<void> {
    // Signals and messages come in between, however much there is to settle.
    const isBusy = this.#finished.length > 0 || this.#names.hasFound || this.#linkBatches > 0;
    if (isBusy || this.#fault !== undefined) return setImmediate();
    const { clock, frontier, limits, isReplanning } = this.#parts;
    const called = new AbortController();
    // Before the first await, or a call that comes meanwhile would be missed.
    this.#wake = () => called.abort();
    // Who may claim nothing waits for a worker, whatever is due.
    const full = this.#room() <= 0 || this.#stopping || limits.reached !== undefined;
    const due = full ? undefined : await frontier.nextDue();
    const now = clock.now();
    const ends = this.#endBy ?? (limits.endsAt > now ? limits.endsAt : Number.POSITIVE_INFINITY);
    const until = Math.min(due ?? Number.POSITIVE_INFINITY, ends);
    const wait = Math.min(Math.max(until - now, 0), isReplanning() ? BETWEEN_PLANS_MS : LONGEST_WAIT_MS);
    if (wait > 0) await clock.sleep(wait, called.signal);
    this.#wake = () => {};
    // Whoever else is done in this turn of the event loop is settled in the same transaction.
    await setImmediate();
  }
}
