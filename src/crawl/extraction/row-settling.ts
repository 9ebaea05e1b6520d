import { type Clock, dateOf } from '../../base/clock.ts';
import type { Settlement } from '../../contracts/crawl-task.ts';
import type { RowStore, RowVisit } from '../../contracts/state/row-store.ts';
import type { FinishedWork, PageWork } from '../visit/page-work.ts';

/** Writes what rules made of pages, before their visits are settled: after a kill they come again, and change nothing more. */
export class RowSettling {
  readonly #rows: Pick<RowStore, 'apply'>;
  readonly #clock: Clock;

  constructor(rows: Pick<RowStore, 'apply'>, clock: Clock) {
    this.#rows = rows;
    this.#clock = clock;
  }

  write(finished: readonly FinishedWork[], settlements: readonly Settlement[]): void {
    this.#rows.apply(settlements.flatMap((settlement, at) => this.#visitOf(settlement, finished[at].work)));
  }

  /** A page that failed, or was not asked for, keeps its rows. One that is gone, moved, refused or a copy has none. */
  #visitOf({ claim, outcome, page }: Settlement, work: PageWork): RowVisit[] {
    const { url, purpose } = claim.task;
    if (purpose !== 'page') return [];
    const at = page?.requestedAt ?? dateOf(this.#clock, this.#clock.now());
    switch (outcome.kind) {
      case 'stored':
        return [{ url, at, sets: (work.kind === 'page' ? work.extracted : undefined) ?? [] }];
      case 'unchanged':
        // Where no body came there is nothing to read.
        return work.kind === 'page' && work.extracted !== undefined ? [{ url, at, sets: work.extracted }] : [];
      case 'gone':
      case 'redirected':
      case 'duplicate':
      case 'refused':
        return [{ url, at, sets: undefined }];
      default:
        return [];
    }
  }
}
