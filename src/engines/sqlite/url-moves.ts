import type { RevisitUpdate } from '../../contracts/frontier.ts';
import type { PlaceChange } from '../../contracts/place.ts';
import type { HostLedger } from '../../frontier/host-ledger.ts';
import type { LeaseRows } from './rows/lease-rows.ts';
import type { PageRows } from './rows/page-rows.ts';
import { type PlaceRows, Waits } from './rows/place-rows.ts';
import { LEAST_OF_PAGES, type QueueRows } from './rows/queue-rows.ts';
import type { RevisitRows } from './rows/revisit-rows.ts';

export interface MovedTables {
  readonly places: PlaceRows;
  readonly queue: QueueRows;
  readonly revisits: RevisitRows;
  readonly leases: LeaseRows;
  readonly pages: PageRows;
  readonly ledger: HostLedger;
}

/** Gives URLs that wait another lane or another time. */
export class UrlMoves {
  readonly #tables: MovedTables;
  readonly #lanes: number;

  constructor(tables: MovedTables, lanes: number) {
    this.#tables = tables;
    this.#lanes = lanes;
  }

  /** Within its new lane a URL stands by its age, as everywhere. Answers whether it changed its lane. */
  move(change: PlaceChange): boolean {
    const { places, queue, revisits, leases, ledger } = this.#tables;
    const place = places.find(change.fingerprint);
    if (place === undefined) return false;
    const lane = Math.min(change.lane, this.#lanes - 1);
    const { host, ord, waits, at } = place;
    if (at === null && leases.has(host, place.lane, ord)) return false;
    // A retry that is due comes next, wherever its URL would stand.
    if (ord < LEAST_OF_PAGES) return false;
    if (lane === place.lane) {
      if (change.why !== place.why) places.shift(change.fingerprint, lane, change.why);
      return false;
    }
    if (waits === Waits.planned) revisits.move(at ?? 0, host, place.lane, ord, lane);
    else queue.move(at, host, place.lane, ord, lane);
    places.shift(change.fingerprint, lane, change.why);
    // One that became less urgent leaves the host in a lane that is too good for it; the next claim finds out.
    if (at === null) ledger.promoted(host, lane);
    return true;
  }

  updateRevisit({ fingerprint, at, why, replan = false }: RevisitUpdate): boolean {
    const { places, revisits, pages } = this.#tables;
    const place = places.find(fingerprint);
    if (place?.waits !== Waits.planned || place.at === null || (at >= place.at && !replan)) return false;
    revisits.hasten(place.at, place.host, place.lane, place.ord, at);
    places.hasten(fingerprint, at);
    pages.plan(fingerprint, at, why);
    return true;
  }
}
