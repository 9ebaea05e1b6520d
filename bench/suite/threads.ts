import { plainNumber } from '../../src/laboratory/plots/plain-number.ts';
import { type AuditedCrawl, auditedCrawl } from '../harness/audited-crawl.ts';
import { type Cores, ownCores, whyNoCores } from '../harness/cores.ts';
import { todaysWeb } from '../harness/todays-web.ts';
import type { BenchResult } from '../report/bench-result.ts';
import type { Bench } from './bench.ts';

const ROUNDS = 3;
const GOAL = 1.7;

interface Setup {
  readonly name: 'two' | 'one' | 'alone';
  readonly label: string;
  readonly workers: number;
  /** On how many cores the crawler runs; on two the server shares them, beside one it has another to itself. */
  readonly cores: 1 | 2;
}

const SETUPS: readonly Setup[] = [
  { name: 'one', label: '1 page thread, 1 core', workers: 1, cores: 1 },
  { name: 'two', label: '2 page threads, 2 cores shared with the server', workers: 2, cores: 2 },
  { name: 'alone', label: 'no page thread, 1 core', workers: 0, cores: 1 },
];

interface Figures {
  readonly pages: number;
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly pagesPerCpuSecond: number;
  /** Cores' worth of time: 1 is a core that is never idle. */
  readonly crawlerShare: number;
  readonly serverShare: number;
}

/**
 * What a second core brings, with the server's share counted. One core of work is what the crawler does on a core of its
 * own, the server being elsewhere. Two free cores cannot be had on a machine of two, for the server needs some of them; so
 * its CPU is taken off: what the crawler does on the 2 - s cores that the server leaves, scaled to 2.
 */
export const threads: Bench = {
  name: 'threads',
  title: 'Two page threads on two cores against one on one',
  async run(quick) {
    const lacking = whyNoCores();
    if (lacking !== undefined) return nothing(`Left out: ${lacking}.`);
    const [first, second] = ownCores();
    if (second === undefined) return nothing('Left out: this process may use one core only.');
    const both = `${first},${second}`;
    const measured: Record<Setup['name'], AuditedCrawl[]> = { one: [], two: [], alone: [] };
    for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
      for (const { name, label, workers, cores } of SETUPS) {
        const places: Cores =
          cores === 1 ? { crawler: String(first), server: String(second) } : { crawler: both, server: both };
        const web = todaysWeb(quick ? 25 : 480);
        measured[name].push(
          await auditedCrawl(label, { web, settings: { workers }, cores: places, limitSeconds: 120 }),
        );
      }
    }
    return present(measured);
  },
};

function present(measured: Readonly<Record<Setup['name'], readonly AuditedCrawl[]>>): BenchResult {
  const all = {
    one: measured.one.map(figuresOf),
    two: measured.two.map(figuresOf),
    alone: measured.alone.map(figuresOf),
  };
  const one = medians(all.one);
  const two = medians(all.two);
  const alone = medians(all.alone);
  const clock = two.pagesPerSecond / one.pagesPerSecond;
  const counted = (2 / (2 - two.serverShare)) * two.pagesPerSecond;
  const speedUp = counted / one.pagesPerSecond;
  return {
    table: {
      columns: [
        'threads and cores',
        'pages',
        's',
        'pages/s',
        'pages/CPU s',
        'crawler, cores',
        'server, cores',
        'idle, cores',
      ],
      rows: SETUPS.map(({ name, label, cores }) => {
        const { pages, seconds, pagesPerSecond, pagesPerCpuSecond, crawlerShare, serverShare } = medians(all[name]);
        const idle = cores === 1 ? 1 - crawlerShare : 2 - crawlerShare - serverShare;
        return [label, pages, seconds, pagesPerSecond, pagesPerCpuSecond, crawlerShare, serverShare, idle];
      }),
    },
    checks: [
      ...Object.values(measured).flatMap((runs) => runs.map(({ check }) => check)),
      {
        kind: 'goal',
        what: `two threads on two cores give ${GOAL} times one on one, with the server's share counted`,
        found: `${plainNumber(speedUp)} times: ${plainNumber(two.pagesPerSecond)} pages/s on the ${plainNumber(2 - two.serverShare)} cores that the server leaves are ${plainNumber(counted)} on 2, against ${plainNumber(one.pagesPerSecond)} on 1`,
        passed: speedUp >= GOAL,
      },
    ],
    charts: [
      {
        kind: 'bars',
        name: 'threads',
        title: 'Threads and cores: pages per second',
        unit: 'median of the rounds',
        bars: [
          { label: '1 core, no page thread', value: alone.pagesPerSecond },
          { label: '1 core, 1 page thread', value: one.pagesPerSecond },
          { label: '2 cores less the server', value: two.pagesPerSecond },
          { label: '2 cores, server counted', value: counted },
        ],
      },
    ],
    notes: [
      `By the clock alone: ${plainNumber(clock)} times, the server taking ${plainNumber(two.serverShare)} of the two cores.`,
      `Against a crawl without page threads on one core, which hands nothing from thread to thread: ${plainNumber(counted / alone.pagesPerSecond)} times.`,
      'Cores: CPU-seconds per second of the crawl. Beside one core the server has another to itself. Rounds take turns; medians.',
    ],
    data: { speedUp, clock, one, two, alone, rounds: all },
  };
}

function figuresOf({ summary, runCpuSeconds, serverCpuSeconds }: AuditedCrawl): Figures {
  const { pages, seconds } = summary;
  return {
    pages,
    seconds,
    pagesPerSecond: pages / seconds,
    pagesPerCpuSecond: pages / runCpuSeconds,
    crawlerShare: runCpuSeconds / seconds,
    serverShare: serverCpuSeconds / seconds,
  };
}

function medians(rounds: readonly Figures[]): Figures {
  const median = (key: keyof Figures): number =>
    rounds.map((figures) => figures[key]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
  return {
    pages: median('pages'),
    seconds: median('seconds'),
    pagesPerSecond: median('pagesPerSecond'),
    pagesPerCpuSecond: median('pagesPerCpuSecond'),
    crawlerShare: median('crawlerShare'),
    serverShare: median('serverShare'),
  };
}

function nothing(why: string): BenchResult {
  return { table: { columns: ['threads and cores'], rows: [] }, checks: [], charts: [], notes: [why], data: { why } };
}
