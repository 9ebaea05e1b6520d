import { OrbweaverError } from '../../base/errors.ts';
import type { Settlement, SketchSnapshot } from '../../contracts/crawl-task.ts';
import type { CrawlEvents } from '../../contracts/events.ts';
import type { Frontier, SettleVerdict } from '../../contracts/frontier.ts';
import type { RowSettling } from '../extraction/row-settling.ts';
import type { Sinks } from '../plugins/sinks.ts';
import type { EventHub } from '../report/event-hub.ts';
import type { RevisitScheduler } from '../revisits/revisit-scheduler.ts';
import type { RunLimits } from '../run-limits.ts';
import { type FinishedWork, linksOf, type PageWork } from '../visit/page-work.ts';
import { buildSettlements, type SettlementStages } from '../visit/pipeline.ts';
import { unpackBatch } from './link-batch.ts';

export interface SettlerParts {
  readonly frontier: Frontier;
  readonly stages: SettlementStages;
  /** What settling has taught since the last call: written with the settlements. */
  readonly learnt?: () => Uint8Array | undefined;
  /** Of plug-ins: get what is about to be settled. */
  readonly sinks?: Sinks;
  /** Where the rows go that rules read from pages; absent where there are no rules. */
  readonly rows?: RowSettling;
  /** Keeps known pages fresh. */
  readonly scheduler?: RevisitScheduler;
  readonly limits: RunLimits;
  readonly events: EventHub<CrawlEvents>;
}

/** Links that are judged and settled in one go; a page with more makes a batch of its own. About a tenth of a second of work. */
const BATCH_LINKS = 5000;
/** Settling a visit costs as much as judging this many links. */
const VISIT_LINKS = 10;
/** With this many links waiting, nothing more is claimed. They are held in memory. */
const MAX_LINKS = 200_000;

/** With this many visits under way to their settlements the next waits for the oldest. They are held in memory. */
const MOST_BEGUN = 1000;

/** Visits whose settlement is under way. */
interface BegunBatch {
  readonly finished: readonly FinishedWork[];
  readonly batch: readonly Settlement[];
  /** Resolves when the verdicts are there, or never will be. */
  readonly ended: Promise<unknown>;
  readonly hurry: () => void;
  verdicts?: readonly SettleVerdict[];
  fault?: unknown;
}

/**
 * Settles finished visits in the order of their arrival, a batch in one transaction, and tells of them. Batches are bounded by their
 * links, so that limits and signals are looked at in between, however many links the pages hold. Where it takes a while until a settlement is durable,
 * the next begin meanwhile; a visit counts, and is told of, when its own is.
 */
export class Settler {
  readonly #parts: SettlerParts;
  /** Visits that are not settled yet. */
  readonly #waiting: FinishedWork[] = [];
  #links = 0;
  /** The oldest first. */
  readonly #begun: BegunBatch[] = [];
  #begunVisits = 0;
  #notice: () => void = () => {};

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  /** How many visits wait for their settlement to begin. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many visits are not settled yet. */
  get unsettled(): number {
    return this.#waiting.length + this.#begunVisits;
  }

  /** There is something to do for `settleNext`. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || (this.#begun.length > 0 && hasEnded(this.#begun[0]));
  }

  /** Nothing is under way that could be settled together with what was begun. */
  hurry(): void {
    for (const { hurry } of this.#begun) hurry();
  }

  /** Called when a settlement that was begun has come to its end. */
  onEnd(notice: () => void): void {
    this.#notice = notice;
  }

  /** The workers are ahead of the settlements. */
  get isFull(): boolean {
    return this.#links >= MAX_LINKS;
  }

  add(finished: readonly FinishedWork[]): void {
    for (const one of finished) {
      this.#waiting.push(one);
      this.#links += linkCount(one.work);
    }
  }

  /** Removes and returns all that waits. */
  takeAll(): FinishedWork[] {
    this.#links = 0;
    return this.#waiting.splice(0);
  }

  /** Tells of what has become settled, begins to settle the next batch, and returns that. */
  async settleNext(): Promise<readonly FinishedWork[]> {
    while (this.#begun.length > 0 && (hasEnded(this.#begun[0]) || this.#begunVisits > MOST_BEGUN))
      await this.#endOldest();
    let links = 0;
    let count = 0;
    while (count < this.#waiting.length && links + count * VISIT_LINKS < BATCH_LINKS)
      links += linkCount(this.#waiting[count++].work);
    this.#links -= links;
    const batch = this.#waiting.splice(0, count);
    await this.#begin(batch);
    return batch;
  }

  /** Settles these, and whatever was begun before. */
  async settle(finished: readonly FinishedWork[]): Promise<void> {
    await this.#begin(finished);
    this.hurry();
    while (this.#begun.length > 0) await this.#endOldest();
  }

  async #begin(finished: readonly FinishedWork[]): Promise<void> {
    if (finished.length === 0) return;
    const { frontier, stages, learnt, sinks, rows } = this.#parts;
    const batch = await buildSettlements(finished, stages);
    await sinks?.write(finished, batch, stages.clock.now());
    rows?.write(finished, batch);
    if (frontier.beginSettling === undefined) {
      const verdicts = await frontier.settle(batch, learnt?.());
      stages.classifier.settled(writtenSketches(batch, verdicts));
      return await this.#end(finished, batch, verdicts);
    }
    const { settled, hurry } = await frontier.beginSettling(batch, learnt?.());
    // The state that is asked knows of them by now.
    stages.classifier.settled();
    const ended = settled.then(
      (verdicts) => {
        begun.verdicts = verdicts;
        this.#notice();
      },
      (fault: unknown) => {
        begun.fault = fault ?? new Error('A settlement failed without saying why.');
        this.#notice();
      },
    );
    const begun: BegunBatch = { finished, batch, ended, hurry };
    this.#begun.push(begun);
    this.#begunVisits += finished.length;
  }

  async #endOldest(): Promise<void> {
    const [oldest] = this.#begun;
    await oldest.ended;
    this.#begun.shift();
    this.#begunVisits -= oldest.finished.length;
    if (oldest.fault !== undefined) throw oldest.fault;
    await this.#end(oldest.finished, oldest.batch, oldest.verdicts ?? []);
  }

  async #end(
    finished: readonly FinishedWork[],
    batch: readonly Settlement[],
    verdicts: readonly SettleVerdict[],
  ): Promise<void> {
    const { scheduler, limits } = this.#parts;
    if (verdicts.includes('fenced'))
      throw new OrbweaverError(
        'PARTITION_LOST',
        'Another process has taken this crawl over: nothing more is written.',
        {
          remedy: 'Let that one go on. If there is none, run the same command again: it resumes.',
        },
      );
    await scheduler?.settled(finished, batch);
    // What the frontier did not take never was: its URL is visited again.
    for (const [at, settlement] of batch.entries())
      if (verdicts[at] === 'applied') this.#tell(settlement, finished[at]);
    await limits.noticeEndOfDiscovery();
  }

  /** Judges one batch of the waiting links of a page that brought very many. Returns how many batches are left. */
  async settleLinks(): Promise<number> {
    const { frontier, stages, learnt } = this.#parts;
    const batch = await frontier.nextLinkBatch();
    if (batch === undefined) return 0;
    await frontier.settleLinkBatch(batch, await stages.links.ofWaiting(unpackBatch(batch.links)), learnt?.());
    return batch.waiting - 1;
  }

  #tell(settlement: Settlement, { stages: traced }: FinishedWork): void {
    const { limits, events, stages } = this.#parts;
    const { claim, outcome, use, page, nextVisit, planned } = settlement;
    limits.count(settlement);
    if (!events.hears('settled')) return;
    events.emit('settled', {
      claim,
      outcome,
      bytes: use?.bytes ?? 0,
      at: stages.clock.now(),
      ...(use === undefined ? {} : { use }),
      ...(traced === undefined ? {} : { stages: traced }),
      ...(page === undefined ? {} : { status: page.status }),
      ...(use?.pushback === undefined ? {} : { pushback: use.pushback }),
      ...(outcome.kind !== 'failed' || nextVisit === undefined || planned ? {} : { retryAt: nextVisit }),
    });
  }
}

/** Of pages that stand in the state as the visit found them. */
function writtenSketches(batch: readonly Settlement[], verdicts: readonly SettleVerdict[]): SketchSnapshot[] {
  return batch.flatMap(({ claim, outcome, contentSketch }, at) =>
    contentSketch !== undefined &&
    verdicts[at] === 'applied' &&
    outcome.kind === 'stored' &&
    claim.task.purpose === 'page'
      ? contentSketch
      : [],
  );
}

function hasEnded({ verdicts, fault }: BegunBatch): boolean {
  return verdicts !== undefined || fault !== undefined;
}

function linkCount(work: PageWork): number {
  return linksOf(work)?.fingerprints.length ?? 0;
}
