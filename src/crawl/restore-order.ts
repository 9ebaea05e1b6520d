import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { CrawlOrder } from '../contracts/crawl-order.ts';
import type { WaitingPlace } from '../contracts/place.ts';
import type { OwnedPartition } from '../contracts/state/owned-partition.ts';
import { openPastVisits } from './learning/open-past-visits.ts';
import { orderChange } from './order-change.ts';
import type { RunRecord } from './report/run-record.ts';

interface OrderSources {
  readonly order: CrawlOrder;
  readonly state: OwnedPartition;
  readonly settings: Settings;
  readonly folder: string;
  readonly clock: Clock;
}

/** Gives the crawl order what it must know of earlier runs. False after a stop, which leaves the rest to the next run. */
export async function restoreOrder(
  { order, state, settings, folder, clock }: OrderSources,
  run: RunRecord,
  isStopping: () => boolean,
): Promise<boolean> {
  const changed = orderChange(run.order, settings);
  const archived = [...state.archiveFiles().values()].reduce((sum, { fileEnd }) => sum + fileEnd, 0);
  const past = order.moves ? openPastVisits({ folder, urlOptions: run.urlOptions, archived, clock }) : undefined;
  const seeds = new Set(run.seeds);
  const waiting = (): Iterable<WaitingPlace> =>
    Iterator.from(state.frontier.waiting()).map((place) => ({ ...place, isSeed: seeds.has(place.url) }));
  try {
    for await (const moves of order.restore({ waiting, ...(past && { past }), ...(changed && { changed }) })) {
      await state.frontier.move(moves);
      await setImmediate();
      if (isStopping()) return false;
    }
  } finally {
    past?.[Symbol.dispose]?.();
  }
  return true;
}
