import type { DatabaseSync } from 'node:sqlite';
import { dateOf } from '../../base/clock.ts';
import type { Claim, Settlement } from '../../contracts/crawl-task.ts';
import type { SettleVerdict } from '../../contracts/frontier.ts';
import type { VisitAllowance } from '../../contracts/state/frontier-options.ts';
import type { HostId } from '../../frontier/host-table.ts';
import type { HostClocks, HostClocksParts } from './hosts/host-clocks.ts';
import type { HostRoster } from './hosts/host-roster.ts';
import type { HostTurns } from './hosts/host-turns.ts';
import type { IncomingUrls } from './incoming-urls.ts';
import { fingerprintOf, heldBack, type RejectedUrls } from './rejected-urls.ts';
import type { RobotsEffects } from './robots-effects.ts';
import { ChangeRows } from './rows/change-rows.ts';
import type { LinkBatchRows } from './rows/link-batch-rows.ts';
import { type QueueRow, Visited } from './rows/queue-rows.ts';
import { holds } from './stored-page.ts';
import type { WaitingParts, WaitingUrls } from './waiting-urls.ts';

export interface SettlingParts extends WaitingParts, HostClocksParts {
  readonly roster: HostRoster;
  readonly turns: HostTurns;
  readonly refusals: RejectedUrls;
  readonly robots: RobotsEffects;
  readonly waiting: WaitingUrls;
  readonly incoming: IncomingUrls;
  readonly linkBatches: LinkBatchRows;
  readonly clocks: HostClocks;
  readonly allowance: VisitAllowance | undefined;
}

interface VisitEnding {
  /** It gave a page that counts against the budget of its host: each does once. */
  readonly isNewPage: boolean;
  /** What is left of the page; undefined: what was before. */
  readonly visited?: Visited;
}

const NOT_VISITED: VisitEnding = { isNewPage: false };

/** Ends one lease with everything that follows from its visit. To be called within a transaction. */
export class VisitSettling {
  readonly #parts: SettlingParts;
  readonly #changes: ChangeRows;

  constructor(db: DatabaseSync, parts: SettlingParts) {
    this.#parts = parts;
    this.#changes = new ChangeRows(db);
  }

  settle(settlement: Settlement): SettleVerdict {
    const { hosts, leases, clocks, clock, waiting, refusals, pages, robots, ledger, incoming } = this.#parts;
    const { linkBatches, hostRows, schedule, roster } = this.#parts;
    const { claim } = settlement;
    const use = clocks.ended(settlement.use);
    const now = clock.now();
    const host = hosts.idOf(claim.task.host);
    const lease = leases.get(claim.id, host);
    if (host === undefined || lease === undefined) return 'expired';
    // It ran out, though nobody has taken it back yet: the URL returns with the next claim.
    if (lease.until <= now) return 'expired';
    if (claim.place !== undefined) return this.#settleAlong(settlement, claim.place, host, now);
    const { row } = lease;
    leases.remove(lease);
    this.#parts.turns.ended(claim.id, settlement);
    const held = heldBack(settlement);
    const { isNewPage, visited } = held === undefined ? this.#visited(settlement, row, now) : NOT_VISITED;
    if (held !== undefined) {
      refusals.holdBack(held, now);
      if (row.visited > 0) pages.plan(fingerprintOf(row), undefined, undefined);
    }
    if (settlement.robots !== undefined) robots.known(settlement, host);
    this.#payFor(settlement);
    if (use !== undefined) ledger.spend(host, use, lease.since, isNewPage, settlement.robots?.state !== 'moved');
    else if (ledger.isConcurrent(host) && lease.stage !== 'ahead') ledger.unbegun(host, lease);
    if (settlement.outcome.kind !== 'deferred') waiting.leave(settlement, row, visited);
    else ledger.promoted(host, lease.lane);
    incoming.addLinks(settlement.links ?? [], settlement.refusals ?? []);
    for (const batch of settlement.linkBatches ?? []) linkBatches.add(batch);
    for (const change of settlement.moves ?? []) waiting.moves?.move(change);
    ledger.parkIfExhausted(host);
    hostRows.touch(host);
    schedule.release(host, use !== undefined, lease.stage);
    if (use?.address !== undefined) roster.answeredFrom(host, use.address);
    return 'applied';
  }

  /** A URL of a leased host for which nobody was asked: its lease stays with the claim that it came along with. */
  #settleAlong(
    settlement: Settlement,
    { lane, ord }: NonNullable<Claim['place']>,
    host: HostId,
    now: number,
  ): SettleVerdict {
    const { waiting, incoming, leases } = this.#parts;
    const row = waiting.queue.at(host, lane, ord);
    // It may have got another place since, or is asked for by another claim.
    if (row === undefined || row.url !== settlement.claim.task.url || settlement.use !== undefined) return 'expired';
    if (leases.has(host, lane, ord)) return 'expired';
    const { visited } = this.#visited(settlement, row, now);
    waiting.leave(settlement, row, visited);
    incoming.addLinks(settlement.links ?? [], settlement.refusals ?? []);
    return 'applied';
  }

  /** A visit again was paid for when it fell due; what else it takes, robots.txt and retries, is paid for here. */
  #payFor({ claim, outcome, use }: Settlement): void {
    if (claim.earlier === undefined || use === undefined || use.unsent === true) return;
    if (outcome.kind === 'deferred' || claim.tries > 0) this.#parts.allowance?.spend(1);
  }

  /** Writes what a visit tells. */
  #visited(settlement: Settlement, row: QueueRow, now: number): VisitEnding {
    const { pages, counters, clock } = this.#parts;
    const { change, page } = settlement;
    const isPage = settlement.claim.task.purpose === 'page';
    const stored = isPage && row.visited > 0 ? pages.stored(row.url) : undefined;
    const outcome = pages.judge(settlement, stored);
    counters.count(settlement, outcome, stored);
    pages.write(settlement, row, row.host, now, outcome, stored);
    for (const nearChange of settlement.nearChanges ?? []) {
      const before = pages.changeNear(nearChange);
      if (before !== undefined) counters.countNear(nearChange.near !== undefined, before);
    }
    if (change !== undefined)
      this.#changes.append(
        settlement.at ?? dateOf(clock, now),
        row.url,
        change,
        page?.title ?? stored?.title ?? undefined,
      );
    const wasHeld = stored?.held !== undefined;
    return {
      isNewPage: isPage && holds(outcome) && !wasHeld,
      visited: wasHeld || holds(outcome) ? Visited.held : Visited.withoutCopy,
    };
  }
}
