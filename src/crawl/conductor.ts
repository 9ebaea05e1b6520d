import { setImmediate } from 'node:timers/promises';
import { Call, type Clock, dateOf } from '../base/clock.ts';
import type { Claim } from '../contracts/crawl-task.ts';
import type { CrawlEvents, CrawlProgress, ThreadUse } from '../contracts/events.ts';
import type { BegunClaim, Frontier } from '../contracts/frontier.ts';
import type { Claims } from './claims.ts';
import type { RevisitScheduler } from './revisits/revisit-scheduler.ts';
import type { RunLimits } from './run-limits.ts';
import type { Settler } from './settlement/settler.ts';
import { lostWork } from './visit/page-work.ts';
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
  /** Nothing is left to do here: whether the run ends. Other nodes may still send something. `isStillIdle`: asked again, now. */
  readonly mayEnd?: (isStillIdle: () => Promise<boolean>) => Promise<boolean>;
  /** Keeps known pages fresh. */
  readonly scheduler?: Pick<RevisitScheduler, 'isReplanning'>;
  /** What is told of the progress besides. */
  readonly progress: () => Pick<CrawlProgress, 'harvest' | 'compared'>;
  readonly clock: Clock;
  readonly warn: (warning: CrawlEvents['warning']) => void;
  /** Most visits under way at once; may change. */
  readonly concurrency: () => number;
  /** Nothing is asked for as long as it says so. */
  readonly isPaused?: () => boolean;
}

/** No wait is longer, so that a stop, a sleep of the machine or a hold lifted elsewhere is noticed. */
const LONGEST_WAIT_MS = 1000;
const BETWEEN_PLANS_MS = 20;
/** How soon the end of a pause is noticed. */
const PAUSED_WAIT_MS = 250;
/** After a stop, and at `max-duration`: most requests under way end within it. The others are asked again by the next run. */
const END_GRACE_MS = 1000;
/** Where claims ahead are left, visits are settled so often, or when so many wait. */
const GATHER_MS = 5;
const ENOUGH = 16;
/** With this many links waiting on disk, a few hundred MB, no more pages are asked for. */
const MOST_LINK_BATCHES = 1000;

/**
 * Claims while there is room, lets the workers work, settles what they bring back in batches. It knows no stage of a visit:
 * visit/pipeline.ts does. It keeps no state that matters: whatever it knows can be lost, for the frontier holds the truth.
 */
export class Conductor implements AsyncDisposable {
  readonly #parts: ConductorParts;
  readonly #workers: WorkerPool;
  /** Claims that workers have, by id. */
  readonly #underWay = new Map<number, Claim>();
  /** Those of them whose requests are answered. */
  readonly #answered = new Set<number>();
  /** Claims that workers were given ahead and have not begun. */
  readonly #ahead = new Map<number, Claim>();
  /** What the frontier has not heard yet: of answers, of requests that have begun in their place, of claims that go back. */
  readonly #toTell: Claim[] = [];
  readonly #begun: BegunClaim[] = [];
  readonly #unbegun: Claim[] = [];
  #isRecalled = false;
  /** Batches of links that are not judged yet. */
  #linkBatches = 0;
  #stopping = false;
  /** When the crawl must end: the time after which nothing is waited for. */
  #endBy: number | undefined;
  #fault: unknown;
  #wake: () => void = () => {};

  constructor(parts: ConductorParts) {
    this.#parts = parts;
    parts.settler.onEnd(() => this.#wake());
    this.#workers = parts.startWorkers({
      done: (finished) => {
        for (const { claim } of finished) {
          this.#underWay.delete(claim.id);
          this.#answered.delete(claim.id);
          this.#ahead.delete(claim.id);
        }
        parts.settler.add(parts.claims.ended(finished));
        this.#wake();
      },
      answered: (answered, begun) => {
        for (const { id } of answered) this.#answered.add(id);
        for (const { claim } of begun) if (this.#ahead.delete(claim.id)) this.#underWay.set(claim.id, claim);
        this.#toTell.push(...answered);
        this.#begun.push(...begun);
        this.#wake();
      },
      unbegun: (claims) => {
        for (const { id } of claims) {
          this.#underWay.delete(id);
          this.#ahead.delete(id);
        }
        this.#unbegun.push(...claims);
        this.#wake();
      },
      placed: (places) => {
        parts.claims.placed(places);
        this.#wake();
      },
      replaced: (message) => parts.warn({ code: 'PAGE_THREAD_DIED', message }),
      fault: (error) => {
        this.#fault ??= error ?? new Error('A worker failed without saying why.');
        this.#wake();
      },
    });
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

  /** What was claimed ahead and has not begun goes back: to be claimed again where other settings count by now. */
  recall(): void {
    if (this.#ahead.size === 0 || this.#isRecalled) return;
    this.#isRecalled = true;
    this.#workers.recall();
  }

  /** Runs until nothing is left, a limit is reached, or it is stopped. Throws only what ends the crawl: our faults, the disk's. */
  async run(): Promise<EndReason> {
    const { claims, settler, limits, maintain } = this.#parts;
    await limits.noticeEndOfDiscovery();
    for (;;) {
      const settled = (await settler.settleNext()).filter(({ holdsHost }) => holdsHost === true);
      if (settled.length > 0) this.#workers.settled(settled.map(({ claim }) => claim));
      await maintain();
      if (this.#fault !== undefined) throw this.#fault;
      limits.notePause(this.#isPaused);
      const limit = limits.reached;
      await claims.settleNames();
      await this.#tellFrontier();
      const mayClaim = !this.#stopping && !this.#isPaused && limit === undefined;
      if (!mayClaim) this.recall();
      if (mayClaim) {
        this.#linkBatches = await settler.settleLinks();
        await this.#claim();
        const hosts = await claims.unresolvedHosts();
        if (hosts.length > 0) this.#workers.lookUp(hosts);
      }
      if (this.#stopping || limit === 'max-duration') await this.#leaveUnfinished();
      const isIdle = this.#underWay.size + this.#ahead.size + this.#unbegun.length + settler.unsettled === 0;
      const end = isIdle ? await this.#end(limit) : undefined;
      if (end !== undefined) return end;
      await this.#rest();
    }
  }

  /** What the threads that work on pages have used. */
  async threads(): Promise<readonly ThreadUse[]> {
    return (await this.#workers.usage?.()) ?? [];
  }

  async progress(): Promise<CrawlProgress> {
    const { frontier, limits, clock, progress } = this.#parts;
    // Both at the same moment: the end of a lease that is settled in between is nothing that falls due.
    const [nextDue, counts] = await Promise.all([frontier.nextDue(), frontier.counts()]);
    const due = nextDue === undefined ? {} : { nextDue: dateOf(clock, nextDue) };
    return { ...limits.progress, ...progress(), ...due, frontier: counts, inFlight: this.#underWay.size };
  }

  get #isPaused(): boolean {
    return this.#parts.isPaused?.() === true;
  }

  /** Before each claim: what it knows of a host must not be less than what workers know. */
  async #tellFrontier(): Promise<void> {
    const { frontier } = this.#parts;
    if (this.#toTell.length > 0) await frontier.answered(this.#toTell.splice(0), this.#begun.splice(0));
    if (this.#unbegun.length > 0) await frontier.release(this.#unbegun.splice(0));
  }

  async #claim(): Promise<void> {
    const { claims, settler } = this.#parts;
    await this.#tellFrontier();
    const room = this.#room();
    if (room > 0) {
      const { asked, heldBack, granted } = await claims.take(room);
      settler.add(heldBack);
      for (const claim of asked) this.#underWay.set(claim.id, claim);
      if (asked.length > 0) this.#workers.start(asked);
      // Those that have begun meanwhile are under way, or done.
      const waiting = granted.flatMap(({ id }) => this.#ahead.get(id) ?? []);
      for (const claim of waiting) {
        this.#ahead.delete(claim.id);
        this.#underWay.set(claim.id, claim);
      }
      if (waiting.length > 0) this.#workers.grant(waiting);
    }
    await this.#claimAhead();
  }

  /** Hosts that may have several requests under way go on by themselves, but not beyond a limit, nor against anybody's will. */
  async #claimAhead(): Promise<void> {
    const { claims, settler, concurrency, limits } = this.#parts;
    const asking = this.#underWay.size - this.#answered.size;
    const open = this.#underWay.size + this.#ahead.size + settler.unsettled;
    const isOver = asking > concurrency() || limits.roomFor(open) <= 0;
    // Where nothing is under way nothing ends, either: what the frontier did not grant it no longer wants.
    const isStranded = this.#underWay.size === 0 && settler.waiting === 0;
    if (isOver || isStranded || this.#ahead.values().some((claim) => claims.isHeld(claim))) this.recall();
    if (isOver || this.#isBehind || limits.roomFor(open) < 2 * concurrency()) return;
    const { asked, heldBack } = await claims.takeAhead(concurrency() - this.#ahead.size);
    settler.add(heldBack);
    for (const claim of asked) this.#ahead.set(claim.id, claim);
    if (asked.length === 0) return;
    this.#isRecalled = false;
    this.#workers.startAhead(asked);
  }

  #room(): number {
    const { concurrency, limits, settler } = this.#parts;
    if (this.#isBehind) return 0;
    const underWay = this.#underWay.size;
    const most = concurrency();
    // Pages that wait to be read take memory, not a server's time: as many again may.
    if (this.#answered.size > most) return 0;
    const open = underWay + this.#ahead.size + settler.unsettled;
    return Math.min(most - (underWay - this.#answered.size), limits.roomFor(open));
  }

  /** What was visited waits to be settled, and takes memory. */
  get #isBehind(): boolean {
    return this.#parts.settler.isFull || this.#linkBatches > MOST_LINK_BATCHES;
  }

  /** Why the crawl ends where nothing is under way; undefined where it goes on. */
  async #end(limit: string | undefined): Promise<EndReason | undefined> {
    const { limits, maintain, mayEnd } = this.#parts;
    if (this.#stopping) return 'stopped';
    if (limit !== undefined) return `limit: ${limit}`;
    if (this.#isPaused) return undefined;
    const left = await this.#left();
    if (left === undefined) return undefined;
    // What was held back may be let in at the very end.
    if (await maintain(true)) return undefined;
    // Once more, for something may have come in since: a partition, with what its owner before had held back.
    const isStillIdle = async (): Promise<boolean> => !(await maintain(true)) && (await this.#left()) !== undefined;
    if ((await mayEnd?.(isStillIdle)) === false) return undefined;
    const { queued, allParked } = left;
    if (!allParked) return 'limit: max-wait';
    if (queued === 0) return 'finished';
    // What waits are new URLs, and no more pages are taken in.
    return limits.isFull ? 'limit: max-pages' : 'parked';
  }

  /** What is left where nothing of it can be done now or soon; undefined where something can. */
  async #left(): Promise<{ readonly queued: number; readonly allParked: boolean } | undefined> {
    const { frontier, claims, limits } = this.#parts;
    const { queued, parked } = await frontier.counts();
    const allParked = queued === parked && this.#linkBatches === 0;
    if (allParked) return { queued, allParked };
    // Hosts that ask for a longer rest than anybody wants to wait must not keep a crawl from its end.
    const isSettled = claims.names === 'none' && this.#linkBatches === 0;
    return isSettled && limits.isTooFar(await frontier.nextDue()) ? { queued, allParked } : undefined;
  }

  /** What is under way when the crawl must end is finished and settled, but not waited for without end. */
  async #leaveUnfinished(): Promise<void> {
    const { clock, settler } = this.#parts;
    const now = clock.now();
    this.#endBy ??= now + END_GRACE_MS;
    // A clock that was set back must not make the wait longer.
    if (now < this.#endBy && now >= this.#endBy - END_GRACE_MS) return;
    // Pages that have arrived come after all that are settled in the archive, too: the next start cuts them off.
    const underWay = [...this.#underWay.values(), ...this.#ahead.values()];
    const left = [...settler.takeAll(), ...underWay.map((claim) => ({ claim }))];
    this.#underWay.clear();
    this.#answered.clear();
    this.#ahead.clear();
    const why = 'the run ended before its page was done';
    await settler.settle(left.map((one) => ({ claim: one.claim, work: lostWork(one, why, now) })));
  }

  /** Until a worker is done, a host falls due, or somebody calls. */
  async #rest(): Promise<void> {
    // Signals and messages come in between, however much there is to settle.
    const { clock, frontier, claims, limits, scheduler, settler } = this.#parts;
    const isPaused = this.#isPaused;
    const isBusy = settler.isBusy || claims.names === 'found' || (this.#linkBatches > 0 && !isPaused);
    if (isBusy || this.#fault !== undefined) return this.#gather();
    if (this.#underWay.size === 0) settler.hurry();
    const called = new Call();
    // Before the first await, or a call that comes meanwhile would be missed.
    this.#wake = () => called.call();
    // Who may claim nothing waits for a worker, whatever is due.
    const full = this.#room() <= 0 || this.#stopping || isPaused || limits.reached !== undefined;
    const due = full ? undefined : await frontier.nextDue();
    const now = clock.now();
    const ends = this.#endBy ?? (limits.endsAt > now ? limits.endsAt : Number.POSITIVE_INFINITY);
    const until = Math.min(due ?? Number.POSITIVE_INFINITY, ends);
    const longest = isPaused ? PAUSED_WAIT_MS : LONGEST_WAIT_MS;
    const wait = Math.min(Math.max(until - now, 0), scheduler?.isReplanning === true ? BETWEEN_PLANS_MS : longest);
    if (wait > 0) await clock.sleep(wait, called);
    this.#wake = () => {};
    await this.#gather();
  }

  /** Whoever else is done in this turn of the event loop is settled in the same transaction. Hosts that go on by themselves need not wait for it. */
  #gather(): Promise<void> {
    const { clock, settler } = this.#parts;
    return this.#ahead.size > 0 && settler.waiting < ENOUGH ? clock.sleep(GATHER_MS) : setImmediate();
  }
}
