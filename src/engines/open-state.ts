import type { Clock } from '../base/clock.ts';
import type { CrawlState } from '../contracts/state/crawl-state.ts';
import type { FrontierOptions } from '../contracts/state/frontier-options.ts';
import { SqliteState } from './sqlite/sqlite-state.ts';
import type { OpenStateOptions } from './sqlite/state-database.ts';

export interface StateToOpen {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly options: FrontierOptions & OpenStateOptions;
  /** Is asked with what the folder holds: an earlier run may have left much to be moved, or an unfinished round. */
  readonly adapt?: (read: <T>(name: string) => T | undefined) => Pick<FrontierOptions, 'movable' | 'revisits'>;
}

/** Opens the state of a crawl folder for writing; made where there is none. A second writer is refused. */
export function openCrawlState({ folder, clock, random, options, adapt }: StateToOpen): CrawlState {
  return new SqliteState(folder, clock, random, options, adapt);
}
