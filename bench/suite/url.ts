import { plainNumber } from '../../src/laboratory/plots/plain-number.ts';
import { inChild } from '../harness/in-child.ts';
import type { UrlMeasures } from '../url.ts';
import type { Bench } from './bench.ts';

/** URLs in canonical form per second, beside the platform's parser, which does less. */
export const url: Bench = {
  name: 'url',
  title: 'URLs made canonical',
  async run(quick) {
    const { result } = await inChild<UrlMeasures>('url.ts', { rounds: quick ? 5 : 40 });
    const { pages, references, source, speeds } = result;
    return {
      table: {
        columns: ['what', 'URLs/CPU s, median', 'best'],
        rows: speeds.map(({ name, median, best }) => [name, Math.round(median), Math.round(best)]),
      },
      checks: [],
      charts: [
        {
          kind: 'bars',
          name: 'url',
          title: 'URLs made canonical',
          unit: "per CPU-second; in grey the platform's parser, which keeps tracking parameters and spellings apart",
          bars: speeds.map(({ name, median, peer }) => ({ label: name, value: Math.round(median), peer })),
        },
      ],
      notes: [`${plainNumber(references)} references of ${pages} ${source}.`],
      data: result,
    };
  },
};
