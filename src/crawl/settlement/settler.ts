import type { Settlement } from '../../contracts/crawl-task.ts';
import type { CrawlEvents } from '../../contracts/events.ts';
import type { Frontier } from '../../contracts/frontier.ts';
import type { Sinks } from '../plugins/sinks.ts';
import type { EventHub } from '../report/event-hub.ts';
import type { RevisitScheduler } from '../revisits/revisit-scheduler.ts';
import type { RunLimits } from '../run-limits.ts';
import type { FinishedWork } from '../visit/page-work.ts';
import { concludeVisits, type SettlementStages } from '../visit/pipeline.ts';
import { unpackBatch } from './link-batch.ts';

export interface SettlerParts {
  readonly frontier: Frontier;
  readonly stages: SettlementStages;
  /** What settling has taught since the last call: written with the settlements. */
  readonly learnt?: () => Uint8Array | undefined;
  /** Of plug-ins: get what is about to be settled. */
  readonly sinks?: Sinks;
  /** Keeps known pages fresh. */
  readonly upkeep?: RevisitScheduler;
  readonly limits: RunLimits;
  readonly events: EventHub<CrawlEvents>;
}

/** Settles finished visits, a batch in one transaction, and tells of them. */
export class Settler {
  readonly #parts: SettlerParts;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  async settle(finished: readonly FinishedWork[]): Promise<void> {
    if (finished.length === 0) return;
    const { frontier, stages, learnt, sinks, upkeep, limits } = this.#parts;
    const batch = await concludeVisits(finished, stages);
    await sinks?.write(finished, batch, stages.now());
    const verdicts = await frontier.settle(batch, learnt?.());
    stages.classifier.settled();
    await upkeep?.settled(finished, batch);
    // What the frontier did not take never was: its URL is visited again.
    for (const [at, settlement] of batch.entries()) if (verdicts[at] === 'applied') this.#tell(settlement);
    await limits.noticeEndOfDiscovery();
  }

  /**
   * Where a page brought very many links, judges one batch of those that wait: hosts that are due, limits and signals come in
   * between. Answers how many batches are left.
   */
  async settleLinks(): Promise<number> {
    const { frontier, stages, learnt } = this.#parts;
    const batch = await frontier.nextLinkBatch();
    if (batch === undefined) return 0;
    await frontier.settleLinkBatch(batch, await stages.links.ofWaiting(unpackBatch(batch.links)), learnt?.());
    return batch.waiting - 1;
  }

  #tell(settlement: Settlement): void {
    const { limits, events } = this.#parts;
    const { claim, outcome, use, page, nextVisit, planned } = settlement;
    limits.count(settlement);
    if (!events.hears('settled')) return;
    events.emit('settled', {
      claim,
      outcome,
      bytes: use?.bytes ?? 0,
      ...(page === undefined ? {} : { status: page.status }),
      ...(use?.pushback === undefined ? {} : { pushback: use.pushback }),
      ...(outcome.kind !== 'failed' || nextVisit === undefined || planned ? {} : { retryAt: nextVisit }),
    });
  }
}
