import { plainNumber } from '../../src/laboratory/plots/plain-number.ts';
import { inChild } from '../harness/in-child.ts';
import { DECODING, type ParserMeasures, type ParserOptions } from '../parser.ts';
import type { Bench } from './bench.ts';

/** Bytes to links, beside the parsers of others, in one run. */
export const parser: Bench = {
  name: 'parser',
  title: 'Reading HTML',
  async run(quick) {
    const options: ParserOptions = quick ? { rounds: 1, everyNth: 4 } : { rounds: 6 };
    const { result } = await inChild<ParserMeasures>('parser.ts', options);
    const { pages, megabytes, source, speeds, absent } = result;
    return {
      table: {
        columns: ['what', 'MB/CPU s, median', 'best'],
        rows: speeds.map(({ name, median, best }) => [name, median, best]),
      },
      checks: [],
      charts: [
        {
          kind: 'bars',
          name: 'parser',
          title: 'Reading HTML',
          unit: 'MB per CPU-second; peers in grey find anchors alone',
          bars: speeds
            .filter(({ name }) => name !== DECODING)
            .map(({ name, median, peer }) => ({ label: name, value: median, peer })),
        },
      ],
      notes: [
        `${pages} ${source}, ${plainNumber(megabytes)} MB.`,
        ...absent.map(
          (name) => `Skipped: ${name} (not installed; BENCH_PEERS may name a node_modules folder with it).`,
        ),
      ],
      data: result,
    };
  },
};
