import { plainNumber } from '../../src/laboratory/plots/plain-number.ts';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { auditedCrawl } from '../harness/audited-crawl.ts';
import type { RssSample } from '../harness/crawl.ts';
import type { Bench } from './bench.ts';

const ALLOWED = 1.2;
const LIMIT_SECONDS = 900;

/** One long crawl of pages like those of today's web: does memory grow with the number of pages? */
export const memory: Bench = {
  name: 'memory',
  title: 'Memory of a long crawl',
  async run(quick) {
    const early = quick ? 2000 : 20_000;
    const late = 10 * early;
    const hosts = 200;
    const web = {
      ...PLAIN_SHARES,
      seed: 4,
      hosts,
      // A few pages are linked from nowhere.
      pagesPerHost: Math.ceil((1.02 * late) / hosts),
      linksPerPage: 60,
      pageBytes: [20_000, 200_000],
    } as const;
    const done = await auditedCrawl('memory', { web, settings: {}, limitSeconds: LIMIT_SECONDS });
    const { samples, summary, cpuSeconds, maxRssMb } = done;
    const [before, after] = [early, late].map((pages) => rssAround(samples, pages));
    const ratio = after / before;
    return {
      table: {
        columns: [
          ...['pages', `RSS MB at ${plainNumber(early)}`, `RSS MB at ${plainNumber(late)}`, 'ratio', 'most'],
          ...['pages/s', 'pages/CPU s', 's'],
        ],
        rows: [
          [
            ...[summary.pages, before, after, ratio, maxRssMb],
            ...[summary.pages / summary.seconds, summary.pages / cpuSeconds, summary.seconds],
          ],
        ],
      },
      checks: [
        done.check,
        {
          kind: 'goal',
          what: `resident memory at ${plainNumber(late)} pages is at most 1.2 times that at ${plainNumber(early)}`,
          found: `${plainNumber(ratio)} times`,
          passed: ratio <= ALLOWED,
        },
      ],
      charts: [
        {
          kind: 'lines',
          name: 'memory',
          title: `Memory over ${plainNumber(summary.pages)} pages`,
          x: 'pages stored',
          y: 'MB',
          lines: [
            { label: 'whole process', points: samples.map(({ pages, rssMb }) => [pages, rssMb] as const) },
            {
              label: 'heap of the deciding thread',
              points: samples.map(({ pages, heapMb }) => [pages, heapMb] as const),
            },
          ],
        },
      ],
      notes: ['RSS at a number of pages: mean of the samples taken within a tenth of it. The collector is left alone.'],
      data: { early, late, before, after, ratio, maxRssMb, cpuSeconds, summary, samples, audit: done.audit },
    };
  },
};

/** Memory goes up and down with the collector: one sample says little. */
function rssAround(samples: readonly RssSample[], pages: number): number {
  const near = samples.filter((sample) => Math.abs(sample.pages - pages) <= pages / 10);
  return near.reduce((sum, { rssMb }) => sum + rssMb, 0) / near.length;
}
