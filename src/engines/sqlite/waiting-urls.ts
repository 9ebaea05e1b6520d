import type { DatabaseSync } from 'node:sqlite';
import type { CrawlTask, Outcome, Settlement } from '../../contracts/crawl-task.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { HostLedger } from '../../frontier/host-ledger.ts';
import type { HostId, HostTable } from '../../frontier/host-table.ts';
import type { Counters } from './counters.ts';
import type { HostRows } from './hosts/host-rows.ts';
import { turnQueues } from './queue-direction.ts';
import { fingerprintOf } from './rejected-urls.ts';
import type { LeaseRows } from './rows/lease-rows.ts';
import type { PageRows } from './rows/page-rows.ts';
import { PlaceRows, Waits } from './rows/place-rows.ts';
import {
  FRONT_LANE,
  frontPlace,
  LEAST_OF_PAGES,
  type QueueRow,
  QueueRows,
  rowOf,
  type Visited,
} from './rows/queue-rows.ts';
import { type PlannedPlace, RevisitRows } from './rows/revisit-rows.ts';
import { UrlMoves } from './url-moves.ts';

/** URLs that return from a calendar in one claim; more wait for the next. */
const RETURN_BATCH = 5000;

/** A robots.txt that cannot be had is asked for again after a day at the latest; a page that failed mostly much sooner. */
const LONGEST_RETRY_MS = 86_400_000;
const MOST_DOUBLINGS = 2 ** 8;

export interface WaitingParts {
  readonly hosts: HostTable;
  readonly hostRows: HostRows;
  readonly ledger: HostLedger;
  readonly counters: Counters;
  readonly leases: LeaseRows;
  readonly pages: PageRows;
}

/**
 * Where URLs wait: in the back queue of their host, in the calendar of those that are tried again, in that of those that are
 * visited again. Keeps the counts of the ledger and, where URLs can be moved, the place of each in step.
 */
export class WaitingUrls {
  readonly #db: DatabaseSync;
  readonly #parts: WaitingParts;
  readonly #options: FrontierOptions;
  readonly #revisits: RevisitRows;
  readonly queue: QueueRows;
  /** Only where URLs can be moved. */
  readonly places: PlaceRows | undefined;
  readonly moves: UrlMoves | undefined;

  constructor(db: DatabaseSync, parts: WaitingParts, options: FrontierOptions) {
    this.#db = db;
    this.#parts = parts;
    this.#options = options;
    this.queue = new QueueRows(db);
    this.#revisits = new RevisitRows(db);
    if (options.movable !== true) return;
    this.places = new PlaceRows(db);
    const { places, queue } = this;
    this.moves = new UrlMoves({ ...parts, places, queue, revisits: this.#revisits }, options.lanes);
  }

  /** Without visits again those that had fallen due go back to where they take no part. Before hosts are scheduled. */
  load(now: number, clockFell: boolean): void {
    const { hosts, hostRows, counters } = this.#parts;
    turnQueues(this.#db, this.#options.order);
    if (this.#options.revisits === true) this.#revisits.begin();
    const putBack = this.#options.revisits === true ? [] : this.#revisits.putBack(now);
    for (const { host, count } of putBack) {
      hosts.queued[host] -= count;
      counters.values.planned += count;
      hostRows.touch(host);
    }
    if (this.places === undefined || putBack.length > 0) PlaceRows.forget(this.#db);
    this.#trustClock(now, clockFell);
  }

  /** A retry whose time a wrong clock set (set back since, or too far ahead) is made at once, as its host allows. */
  #trustClock(now: number, clockFell: boolean): void {
    const { backoffMaxMs, backoffStartMs } = this.#options.politeness;
    const longest = Math.max(LONGEST_RETRY_MS, backoffMaxMs, MOST_DOUBLINGS * backoffStartMs);
    const latest = clockFell ? now : now + longest;
    if (this.queue.bringForward(latest, now)) this.places?.bringForward(Waits.retry, latest, now);
  }

  enter(task: CrawlTask, host: HostId, now: number, visited: Visited): QueueRow {
    const row = rowOf(task, host, this.#nextOrd(), now, this.#options.lanes);
    row.visited = visited;
    this.queue.insert(row);
    if (task.purpose === 'page') this.places?.enter(fingerprintOf(task), row, task);
    this.#parts.ledger.entered(host, row.lane, visited > 0);
    return row;
  }

  /** A visit has ended: the URL leaves its queue, permanently or until its next visit. `visited`: what is left of the page. */
  leave(
    { outcome, nextVisit, nextVisitLane, planned = false }: Settlement,
    row: QueueRow,
    visited: Visited = row.visited,
  ): void {
    this.queue.remove(row.host, row.lane, row.ord);
    const failed = !planned && (outcome.kind === 'failed' || outcome.kind === 'refused');
    if (nextVisit === undefined) this.places?.leave(row);
    else if (failed || row.for_origin !== null) {
      const retry = { ...row, ...this.#backInLine(row), tries: failed ? row.tries + 1 : 0, visited };
      this.queue.postpone(retry, nextVisit);
      this.#parts.counters.values.later++;
      this.places?.wait(retry, Waits.retry, nextVisit);
    } else {
      const lane = this.#within(nextVisitLane ?? row.lane);
      const again = { ...row, ...this.#backInLine(row), lane, tries: 0, visited };
      this.#revisits.insert(again, nextVisit);
      this.#parts.counters.values.planned++;
      this.places?.wait(again, Waits.planned, nextVisit);
    }
    this.#parts.ledger.left(row.host);
  }

  /** Visits again a page that waits for nothing or for the visit `before`; retries it where `retry` tells how it ended. */
  plan(row: QueueRow, at: number, retry?: Outcome, before?: PlannedPlace): void {
    const { counters } = this.#parts;
    if (before !== undefined) {
      this.#revisits.remove(before);
      counters.values.planned--;
    }
    const planned = { ...row, lane: this.#within(row.lane), ord: this.#nextOrd() };
    this.places?.plan(planned, at);
    if (retry === undefined) {
      this.#revisits.insert(planned, at);
      counters.values.planned++;
    } else {
      this.queue.postpone(planned, at);
      this.places?.wait(planned, Waits.retry, at);
      counters.values.later++;
      counters.reopen(retry);
    }
  }

  /** When the next URL comes back from a calendar. */
  firstReturn(now: number): number | undefined {
    const { later, planned } = this.#parts.counters.values;
    const retry = later > 0 ? this.queue.firstLater() : undefined;
    const due = this.#options.revisits === true && planned > 0 ? this.#revisits.first() : undefined;
    const allowed = due === undefined ? 0 : (this.#options.allowance?.nextAt(now) ?? 0);
    const visit = due === undefined ? undefined : Math.max(due, allowed);
    return retry === undefined || visit === undefined ? (retry ?? visit) : Math.min(retry, visit);
  }

  /** Puts URLs whose time has come back into their queues. */
  returnDue(now: number): void {
    if ((this.firstReturn(now) ?? Number.POSITIVE_INFINITY) > now) return;
    const { counters, ledger, hostRows } = this.#parts;
    const { revisits, allowance } = this.#options;
    const retries = this.queue.takeDue(now, RETURN_BATCH);
    const room = Math.min(RETURN_BATCH, allowance?.available(now) ?? RETURN_BATCH);
    const visits = revisits === true && room > 0 ? this.#revisits.takeDue(now, room) : [];
    allowance?.spend(visits.length);
    counters.values.later -= retries.length;
    counters.values.planned -= visits.length;
    const returned =
      revisits === true
        ? [...retries.map((row) => this.#atFront(row)), ...visits.map((row) => this.#atEnd(row))]
        : retries;
    for (const row of returned) {
      this.queue.insert(row);
      if (row.for_origin === null) this.places?.wait(row, Waits.again, null);
      ledger.entered(row.host, row.lane, true);
      hostRows.touch(row.host);
    }
  }

  /** Where pages are revisited their queue never ends and worse lanes would starve, so a retry comes next. */
  #atFront(row: QueueRow): QueueRow {
    if (row.for_origin !== null) return row;
    return { ...row, lane: FRONT_LANE, ord: frontPlace(this.#nextOrd()) };
  }

  /** Visits again come in the order in which they fell due; by their age, the oldest pages of a busy host would starve others. */
  #atEnd(row: QueueRow): QueueRow {
    return { ...row, ord: Math.abs(this.#nextOrd()) };
  }

  /** A page that leaves the front of its queue gets a place among pages again. */
  #backInLine(row: QueueRow): { ord?: number } {
    return row.for_origin === null && row.ord < LEAST_OF_PAGES ? { ord: this.#nextOrd() } : {};
  }

  #nextOrd(): number {
    const seq = ++this.#parts.counters.values.seq;
    return this.#options.order === 'lifo' ? -seq : seq;
  }

  #within(lane: number): number {
    return Math.min(lane, this.#options.lanes - 1);
  }
}
