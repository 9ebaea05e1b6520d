import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { CrawlState } from '../contracts/state/crawl-state.ts';
import type { FrontierOptions } from '../contracts/state/frontier-options.ts';
import type { OwnedPartition } from '../contracts/state/owned-partition.ts';
import { type AdaptOptions, SqliteState } from './sqlite/sqlite-state.ts';
import type { OpenStateOptions } from './sqlite/state-database.ts';

export interface StateToOpen {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly options: FrontierOptions & OpenStateOptions;
  readonly adapt?: AdaptOptions;
}

/** Opens the state of a crawl folder for writing; made where there is none. A second writer is refused. */
export function openCrawlState({ folder, clock, random, options, adapt }: StateToOpen): CrawlState {
  return new SqliteState(folder, clock, random, options, adapt);
}

/** The state of an engine that has but one partition, for its owner. */
export async function openOnlyPartition(state: CrawlState): Promise<OwnedPartition> {
  const [lease] = await state.partitions.acquire(1);
  if (lease === undefined)
    throw new OrbweaverError('PARTITION_LOST', 'Another process has the state of this crawl.', {
      remedy:
        'Let it end. If it was killed, try again in a minute. Another crawl needs a folder, and a database or ?schema= of --store, of its own.',
    });
  return await state.open(lease);
}
