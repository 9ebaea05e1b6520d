import { OrbweaverError } from '../../base/errors.ts';
import type { Settlement } from '../../contracts/crawl-task.ts';
import type { CrawlEvents } from '../../contracts/events.ts';
import type { Frontier } from '../../contracts/frontier.ts';
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

/**
 * Settles finished visits in the order of their arrival, a batch in one transaction, and tells of them. Batches are bounded by their
 * links, so that limits and signals are looked at in between, however many links the pages hold.
 */
export class Settler {
  readonly #parts: SettlerParts;
  /** Visits that are not settled yet. */
  readonly #waiting: FinishedWork[] = [];
  #links = 0;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  /** How many visits wait for their settlement. */
  get waiting(): number {
    return this.#waiting.length;
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

  /** Settles the next batch, and returns it. */
  async settleNext(): Promise<readonly FinishedWork[]> {
    let links = 0;
    let count = 0;
    while (count < this.#waiting.length && links + count * VISIT_LINKS < BATCH_LINKS)
      links += linkCount(this.#waiting[count++].work);
    this.#links -= links;
    const batch = this.#waiting.splice(0, count);
    await this.settle(batch);
    return batch;
  }

  async settle(finished: readonly FinishedWork[]): Promise<void> {
    if (finished.length === 0) return;
    const { frontier, stages, learnt, sinks, rows, scheduler, limits } = this.#parts;
    const batch = await buildSettlements(finished, stages);
    await sinks?.write(finished, batch, stages.clock.now());
    rows?.write(finished, batch);
    const verdicts = await frontier.settle(batch, learnt?.());
    if (verdicts.includes('fenced'))
      throw new OrbweaverError(
        'PARTITION_LOST',
        'Another process has taken this crawl over: nothing more is written.',
        {
          remedy: 'Let that one go on. If there is none, run the same command again: it resumes.',
        },
      );
    stages.classifier.settled();
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

function linkCount(work: PageWork): number {
  return linksOf(work)?.fingerprints.length ?? 0;
}
