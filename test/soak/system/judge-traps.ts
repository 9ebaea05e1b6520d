import { CrawlReader } from '../../../src/crawl/report/crawl-reader.ts';

/** What a trap cost. */
export interface TrapVerdict {
  readonly host: string;
  readonly pages: number;
  /** `traps` tells the user of it, as growing, slowed down or held. */
  readonly shown: boolean;
}

/** The user is told of a trap that costs more pages than this. */
const UNSHOWN_PAGES = 1000;
/** No trap costs more than this, shown or not: the budget of a host on the domain of a seed, and what was under way. */
const MOST_PAGES = 10_500;

/** `trapPages`: how many pages of each host with a trap were asked for. */
export function judgeTraps(folder: string, trapPages: ReadonlyMap<string, number>): TrapVerdict[] {
  using reader = new CrawlReader(folder);
  const told = (reader.learnedState()?.patterns ?? []).filter(
    ({ state, growing }) => state !== 'open' || growing === true,
  );
  return [...trapPages].map(([host, pages]) => {
    const shown = told.some(({ pattern }) => pattern.startsWith(`${host}/`) || pattern.startsWith(`${host}:`));
    return { host, pages, shown };
  });
}

export function trapFaults(traps: readonly TrapVerdict[]): string[] {
  return traps
    .filter(({ pages, shown }) => pages > (shown ? MOST_PAGES : UNSHOWN_PAGES))
    .map(({ host, pages, shown }) => `${pages} pages of ${host}, ${shown ? 'shown' : 'not shown to the user'}`);
}
