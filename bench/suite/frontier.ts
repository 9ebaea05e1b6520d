import { plainNumber } from '../../src/laboratory/plots/plain-number.ts';
import type { FrontierMeasures, FrontierOptions } from '../frontier.ts';
import { inChild } from '../harness/in-child.ts';
import type { Bench } from './bench.ts';

const PER_HOST = 10;
const LIMIT_SECONDS = 900;

/** Adds, claims and settlements per second, and memory per known URL, at two sizes. */
export const frontier: Bench = {
  name: 'frontier',
  title: 'Frontier',
  async run(quick) {
    const sizes: readonly FrontierOptions[] = quick
      ? [{ hosts: 20_000, perHost: PER_HOST, adds: 200_000, claims: 5000 }]
      : [
          { hosts: 100_000, perHost: PER_HOST, adds: 1_000_000, claims: 20_000 },
          { hosts: 1_000_000, perHost: PER_HOST, adds: 2_000_000, claims: 20_000 },
        ];
    const measured: FrontierMeasures[] = [];
    for (const size of sizes) {
      const { result } = await inChild<FrontierMeasures>('frontier.ts', size, [], LIMIT_SECONDS);
      measured.push(result);
    }
    const size = ({ hosts, perHost }: FrontierOptions): string => plainNumber(hosts * perHost);
    const bars = (key: keyof FrontierMeasures) =>
      measured.map((one, at) => ({ label: `at ${size(sizes[at])} URLs`, value: Math.round(one[key]) }));
    return {
      table: {
        columns: [
          ...['URLs', 'new/CPU s', '9 in 10 known/CPU s', 'claim+settle/CPU s', 'claim p50 µs', 'p99 µs'],
          ...['seen B/URL', 'RSS B/URL', 'RSS MB', 'disk B/URL', 'reopen s'],
        ],
        rows: measured.map((one, at) => [
          ...[size(sizes[at]), Math.round(one.newPerCpuSecond), Math.round(one.mixedAddsPerCpuSecond)],
          ...[Math.round(one.claimAndSettlePerCpuSecond), one.claimP50, one.claimP99],
          ...[one.seenBytesPerUrl, one.rssBytesPerUrl, Math.round(one.rssMb), one.diskBytesPerUrl, one.reopenSeconds],
        ]),
      },
      checks: [],
      charts: [
        {
          kind: 'bars',
          name: 'frontier-adds',
          title: 'Frontier: URLs added',
          unit: 'per CPU-second, nine in ten known already',
          bars: bars('mixedAddsPerCpuSecond'),
        },
        {
          kind: 'bars',
          name: 'frontier-claims',
          title: 'Frontier: URLs claimed and settled',
          unit: 'per CPU-second, in batches of 16',
          bars: bars('claimAndSettlePerCpuSecond'),
        },
      ],
      notes: [`${PER_HOST} URLs for each host, virtual time. RSS per URL: beyond what one URL for each host took.`],
      data: { sizes, measured },
    };
  },
};
