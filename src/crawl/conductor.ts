import { setImmediate } from 'node:timers/promises';
import { type Clock, dateOf } from '../base/clock.ts';
import type { Claim, CrawlTask, Settlement } from '../contracts/crawl-task.ts';
import type { CrawlEvents, CrawlProgress } from '../contracts/events.ts';
import type { Frontier, HostPlace } from '../contracts/frontier.ts';
import type { Focus } from './learning/focus.ts';
import type { NewHostPace } from './learning/new-host-pace.ts';
import type { HeldBack, PageClassifier } from './learning/page-classifier.ts';
import type { CrawlLimits } from './limits.ts';
import { limitReached } from './limits.ts';
import type { Sinks } from './plugins/sinks.ts';
import type { EventHub } from './report/event-hub.ts';
import type { RevisitScheduler } from './revisits/revisit-scheduler.ts';
import type { SettlementRules } from './settlement/build-settlement.ts';
import { ForbiddenUrls } from './settlement/forbidden-urls.ts';
import { RunCounts } from './settlement/run-counts.ts';
import { SettlementBuilder } from './settlement/settlement-builder.ts';
import { SettlingBacklog } from './settlement/settling-backlog.ts';
import type { FinishedWork, WorkerPool, WorkerReports } from './workers/worker-pool.ts';

/** 'held-back': nothing is left but URLs that the crawl holds back by what it has learnt. */
export type EndReason = 'finished' | 'held-back' | 'parked' | 'stopped' | `limit: ${string}`;

export interface ConductorParts {
  readonly frontier: Frontier;
  /** Makes those who do hops 5 to 8. */
  readonly startWorkers: (reports: WorkerReports) => WorkerPool;
  readonly rules: SettlementRules;
  /** What is made of a visit in the light of all others. */
  readonly classifier: PageClassifier;
  /** What settling has taught since the last call: written with the settlements. */
  readonly learnt?: () => Uint8Array | undefined;
  readonly pace: NewHostPace;
  /** Get what is about to be settled. */
  readonly sinks?: Sinks;
  /** Why a URL is not asked for after all, though its turn has come. */
  readonly holds: (task: CrawlTask) => HeldBack | undefined;
  /** Keeps the crawl on a topic. */
  readonly focus?: Focus;
  /** Keeps known pages fresh. */
  readonly upkeep?: RevisitScheduler;
  /** Saves what was learnt and lets in what is no longer held back; called now and then, and at the end. True: some came in. */
  readonly maintain: (last?: boolean) => Promise<boolean>;
  readonly clock: Clock;
  readonly events: EventHub<CrawlEvents>;
  /** Of the whole crawl but for the duration, which is that of this run. */
  readonly limits: CrawlLimits;
  /** What earlier runs have done. */
  readonly before: { readonly pages: number; readonly bytes: number };
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
const LOOKUPS_AT_ONCE = 1000;
const CROWD_MS = 200;
const CROWDED = 'other hosts of its domain are looked at first';
const LAST_PAGES = 'the last pages up to max-pages are under way';
const NONE: readonly Claim[] = [];

/**
 * Claims while there is room, lets the workers work, settles what they bring back in batches.
 * It keeps no state that matters: whatever it knows can be lost, for the frontier holds the truth.
 */
export class Conductor implements AsyncDisposable {
  readonly #parts: ConductorParts;
  readonly #startedAt: number;
  readonly #finished = new SettlingBacklog();
  readonly #settlements: SettlementBuilder;
  readonly #forbidden: ForbiddenUrls;
  readonly #workers: WorkerPool;
  readonly #places: HostPlace[] = [];
  readonly #counts = new RunCounts();
  #lookUps = 0;
  /** Claims that workers have, by id. */
  readonly #underWay = new Map<number, Claim>();
  /** Claims of URLs that were never visited; of a crawl that goes on at its limit. */
  readonly #newUnderWay = new Set<number>();
  /** Batches of links that are not judged yet. */
  #linkBatches = 0;
  #full = false;
  #dry = false;
  #stopping = false;
  /** When the crawl must end: the time after which nothing is waited for. */
  #endBy: number | undefined;
  #fault: unknown;
  #wake: () => void = () => {};

  constructor(parts: ConductorParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#settlements = new SettlementBuilder(parts);
    this.#forbidden = new ForbiddenUrls(parts.frontier);
    this.#workers = parts.startWorkers({
      done: (finished) => {
        for (const { claim, work } of finished) {
          this.#underWay.delete(claim.id);
          parts.pace.end(claim.task.host, work.kind === 'page');
        }
        this.#finished.add(finished.flatMap((one) => this.#forbidden.spread(one)));
        this.#wake();
      },
      placed: (places) => {
        this.#lookUps -= places.length;
        this.#places.push(...places);
        this.#wake();
      },
      replaced: (message) => parts.events.emit('warning', { code: 'PAGE_THREAD_DIED', message }),
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

  /** Runs until nothing is left, a limit is reached, or it is stopped. Throws only what ends the crawl: our faults, the disk's. */
  async run(): Promise<EndReason> {
    this.#noticeFull();
    for (;;) {
      await this.#settle();
      await this.#parts.maintain();
      if (this.#fault !== undefined) throw this.#fault;
      const limit = this.#limit();
      await this.#placeHosts();
      if (!this.#stopping && limit === undefined) {
        await this.#judgeLinks();
        await this.#claim();
        await this.#lookUp();
      }
      if (this.#stopping || limit === 'max-duration') await this.#leaveUnfinished();
      if (this.#underWay.size === 0 && this.#finished.length === 0) {
        if (this.#stopping) return 'stopped';
        if (limit !== undefined) return `limit: ${limit}`;
        const { queued, parked } = await this.#parts.frontier.counts();
        // What was held back may be let in at the very end.
        const allParked = queued === parked && this.#linkBatches === 0;
        if ((allParked || (await this.#nothingSoon())) && !(await this.#parts.maintain(true))) {
          if (!allParked) return 'limit: max-wait';
          if (queued === 0) return 'finished';
          // What waits are new URLs, and no more pages are taken in.
          return this.#full ? 'limit: max-pages' : 'parked';
        }
      }
      await this.#rest();
    }
  }

  /** Where a page brought very many, one batch of them: hosts that are due, limits and signals come in between. */
  async #judgeLinks(): Promise<void> {
    const { frontier, learnt } = this.#parts;
    const batch = await frontier.nextLinkBatch();
    this.#linkBatches = batch === undefined ? 0 : batch.waiting - 1;
    if (batch !== undefined) await frontier.settleLinkBatch(batch, await this.#settlements.ofLinks(batch), learnt?.());
  }

  /** Every host that is left asks for a longer rest than anybody wants to wait: one of them must not keep a crawl from its end. */
  async #nothingSoon(): Promise<boolean> {
    const { limits, clock, frontier } = this.#parts;
    if (limits.endless === true || this.#lookUps > 0 || this.#places.length > 0 || this.#linkBatches > 0) return false;
    const due = await frontier.nextDue();
    return due !== undefined && due - clock.now() > limits.maxWaitMs;
  }

  async progress(): Promise<CrawlProgress> {
    const elapsedMs = this.#parts.clock.now() - this.#startedAt;
    // Both at the same moment: the end of a lease that is settled in between is nothing that falls due.
    const [nextDue, frontier] = await Promise.all([this.#parts.frontier.nextDue(), this.#parts.frontier.counts()]);
    const { compared } = this.#parts.classifier;
    return {
      elapsedMs,
      pages: this.#counts.pages,
      requests: this.#counts.requests,
      bytes: this.#counts.bytes,
      failed: this.#counts.failed,
      refused: this.#counts.refused,
      pagesPerSecond: elapsedMs === 0 ? 0 : (this.#counts.pages * 1000) / elapsedMs,
      frontier,
      inFlight: this.#underWay.size,
      ...(this.#parts.focus === undefined ? {} : { harvest: this.#parts.focus.harvest }),
      ...(nextDue === undefined ? {} : { nextDue: dateOf(this.#parts.clock, nextDue) }),
      ...(compared === undefined ? {} : { compared }),
    };
  }

  #limit(): string | undefined {
    const { limits, before, clock } = this.#parts;
    if (this.#parts.focus?.driedUp === true && limits.goesOn !== true) return 'dry-after';
    return limitReached(
      limits,
      before.pages + this.#counts.pages,
      before.bytes + this.#counts.bytes,
      clock.now() - this.#startedAt,
    );
  }

  async #claim(): Promise<void> {
    const room = this.#room();
    if (room <= 0) return;
    const claims = await this.#parts.frontier.claim(room);
    const asked = claims.filter((claim) => !this.#holdBack(claim));
    const surplus = this.#surplus(asked);
    if (surplus.length > 0) await this.#putOff(surplus, LAST_PAGES);
    const wanted = surplus.length === 0 ? asked : asked.filter((claim) => !surplus.includes(claim));
    const crowded = wanted.filter(({ task }) => !this.#parts.pace.begin(task.host));
    if (crowded.length > 0) await this.#putOff(crowded, CROWDED);
    await this.#start(crowded.length === 0 ? wanted : wanted.filter((claim) => !crowded.includes(claim)));
  }

  /** New URLs beyond the last pages of a limit, which may all be under way; of a crawl that goes on at its limit. */
  #surplus(claims: readonly Claim[]): readonly Claim[] {
    const { limits, before } = this.#parts;
    if (limits.goesOn !== true || limits.maxPages === Number.POSITIVE_INFINITY) return NONE;
    const room = Math.max(0, limits.maxPages - before.pages - this.#counts.pages - this.#newUnderWay.size);
    return claims.filter(isNew).slice(room);
  }

  async #putOff(claims: readonly Claim[], why: string): Promise<void> {
    const { frontier, clock } = this.#parts;
    await frontier.release(claims);
    await frontier.holdHosts(
      claims.map(({ task }) => task.host),
      clock.now() + CROWD_MS,
      why,
    );
  }

  async #start(wanted: readonly Claim[]): Promise<void> {
    if (wanted.length === 0) return;
    const { upkeep } = this.#parts;
    for (const claim of wanted) this.#underWay.set(claim.id, claim);
    if (this.#parts.limits.goesOn === true)
      for (const claim of wanted) if (isNew(claim)) this.#newUnderWay.add(claim.id);
    const prepared = upkeep === undefined ? wanted : wanted.map((claim) => upkeep.prepare(claim));
    this.#workers.start(await this.#forbidden.takeAlong(prepared));
  }

  /** A URL that came in before more was known is not asked for after all. */
  #holdBack(claim: Claim): boolean {
    // What the crawl has learnt of new URLs says nothing of pages that it has.
    if (claim.earlier?.digest !== undefined) return false;
    const held = this.#parts.holds(claim.task);
    if (held === undefined) return false;
    this.#finished.add([{ claim, work: { kind: 'refused', ...held } }]);
    return true;
  }

  /** How many claims may be taken. The last pages of a limit are not overshot by what is under way or not settled yet. */
  #room(): number {
    const { concurrency, limits, before } = this.#parts;
    if (this.#finished.isFull || this.#linkBatches > MOST_LINK_BATCHES) return 0;
    const room = concurrency - this.#underWay.size;
    if (limits.goesOn === true) return room;
    const open = this.#underWay.size + this.#finished.length;
    return Math.min(room, limits.maxPages - before.pages - this.#counts.pages - open);
  }

  async #settle(): Promise<void> {
    if (this.#finished.length === 0) return;
    await this.#settleAll(this.#finished.takeBatch());
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
    await this.#settleAll(claims.map((claim) => ({ claim, work: { kind: 'lost', why, use } })));
  }

  async #settleAll(finished: readonly FinishedWork[]): Promise<void> {
    if (finished.length === 0) return;
    const batch = await this.#settlements.of(finished);
    await this.#parts.sinks?.write(finished, batch, this.#parts.clock.now());
    const verdicts = await this.#parts.frontier.settle(batch, this.#parts.learnt?.());
    this.#parts.classifier.settled();
    await this.#parts.upkeep?.settled(finished, batch);
    // What the frontier did not take never was: its URL is visited again.
    for (const [at, settlement] of batch.entries()) if (verdicts[at] === 'applied') this.#count(settlement);
    for (const { claim } of batch) this.#newUnderWay.delete(claim.id);
    this.#noticeFull();
    await this.#noticeDry();
  }

  /** Told once in a run: nothing new is taken in from then on. */
  #noticeFull(): void {
    const { limits, before, upkeep, events } = this.#parts;
    if (limits.goesOn !== true || this.#full || before.pages + this.#counts.pages < limits.maxPages) return;
    this.#full = true;
    upkeep?.filled(limits.maxPages);
    const message = `max-pages is reached: ${limits.maxPages} pages are kept, which are visited again. No new ones are taken in.`;
    events.emit('warning', { code: 'MAX_PAGES', message });
  }

  /** The same where nothing on topic has come for long. */
  async #noticeDry(): Promise<void> {
    const { limits, focus, frontier, upkeep, events } = this.#parts;
    if (limits.goesOn !== true || this.#dry || focus?.driedUp !== true) return;
    this.#dry = true;
    await frontier.stopDiscovery();
    upkeep?.driedUp();
    const message =
      'dry-after is reached: so many pages in a row were off topic. No new ones are taken in; those that are kept are visited again.';
    events.emit('warning', { code: 'DRY_AFTER', message });
  }

  #count(settlement: Settlement): void {
    const { claim, outcome, use, page, nextVisit, planned } = settlement;
    this.#counts.count(settlement);
    if (this.#parts.events.hears('settled')) {
      this.#parts.events.emit('settled', {
        claim,
        outcome,
        bytes: use?.bytes ?? 0,
        ...(page === undefined ? {} : { status: page.status }),
        ...(use?.pushback === undefined ? {} : { pushback: use.pushback }),
        ...(outcome.kind !== 'failed' || nextVisit === undefined || planned ? {} : { retryAt: nextVisit }),
      });
    }
  }

  /** Until a worker is done, a host falls due, or somebody calls. */
  async #rest(): Promise<void> {
    // Signals and messages come in between, however much there is to settle.
    const isBusy = this.#finished.length > 0 || this.#places.length > 0 || this.#linkBatches > 0;
    if (isBusy || this.#fault !== undefined) return setImmediate();
    const { clock, frontier } = this.#parts;
    const called = new AbortController();
    // Before the first await, or a call that comes meanwhile would be missed.
    this.#wake = () => called.abort();
    // Who may claim nothing waits for a worker, whatever is due.
    const full = this.#room() <= 0 || this.#stopping || this.#limit() !== undefined;
    const due = full ? undefined : await frontier.nextDue();
    const longest = this.#parts.upkeep?.isReplanning === true ? BETWEEN_PLANS_MS : LONGEST_WAIT_MS;
    const now = clock.now();
    const lastMoment = this.#startedAt + this.#parts.limits.maxDurationMs;
    const ends = this.#endBy ?? (lastMoment > now ? lastMoment : Number.POSITIVE_INFINITY);
    const until = Math.min(due ?? Number.POSITIVE_INFINITY, ends);
    const wait = Math.min(Math.max(until - now, 0), longest);
    if (wait > 0) await clock.sleep(wait, called.signal);
    this.#wake = () => {};
    // Whoever else is done in this turn of the event loop is settled in the same transaction.
    await setImmediate();
  }

  async #placeHosts(): Promise<void> {
    if (this.#places.length > 0) await this.#parts.frontier.setAddresses(this.#places.splice(0));
  }

  /** Names are found before a host is claimed, so that no claim waits for one. */
  async #lookUp(): Promise<void> {
    const room = LOOKUPS_AT_ONCE - this.#lookUps;
    if (room <= 0) return;
    const hosts = await this.#parts.frontier.unresolvedHosts(room);
    if (hosts.length === 0) return;
    this.#lookUps += hosts.length;
    this.#workers.lookUp(hosts);
  }
}

function isNew({ task, earlier }: Claim): boolean {
  return task.purpose === 'page' && earlier === undefined;
}
