import type { CrawlLoad } from '../../contracts/events.ts';

const WHY: Readonly<Record<NonNullable<CrawlLoad['why']>, (load: CrawlLoad) => string>> = {
  late: ({ lagMs }) => `the machine was busy or its disk slow; at the last look the crawl was ${lagMs} ms late`,
  memory: () => 'memory is nearly used up',
  network: () => 'most requests are lost on the line',
};

/** Such as "12 of 100 requests at once: memory is nearly used up". */
export function formatLoad(load: CrawlLoad): string {
  const { allowed, most, why } = load;
  return `${allowed} of ${most} requests at once${why === undefined ? '' : `: ${WHY[why](load)}`}`;
}
