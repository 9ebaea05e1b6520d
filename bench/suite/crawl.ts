import { type AuditedCrawl, auditedCrawl } from '../harness/audited-crawl.ts';
import { todaysWeb } from '../harness/todays-web.ts';
import type { BenchResult } from '../report/bench-result.ts';
import type { Bench } from './bench.ts';

const WORKERS = [0, 1, 2];

/** Whole crawls with 0, 1 and 2 page threads: archive, exact duplicates and robots.txt on, politeness off. */
export const crawl: Bench = {
  name: 'crawl',
  title: 'Whole crawl of 50 hosts, no latency, no delay',
  async run(quick) {
    const runs: { readonly workers: number; readonly done: AuditedCrawl }[] = [];
    for (const workers of WORKERS) {
      const done = await auditedCrawl(`workers ${workers}`, {
        web: todaysWeb(quick ? 25 : 200),
        settings: { workers },
        limitSeconds: 120,
      });
      runs.push({ workers, done });
    }
    return present(runs);
  },
};

function present(runs: readonly { readonly workers: number; readonly done: AuditedCrawl }[]): BenchResult {
  const figures = runs.map(({ workers, done }) => {
    const { summary, cpuSeconds, serverCpuSeconds, maxRssMb, audit } = done;
    return {
      workers,
      pages: summary.pages,
      htmlMb: audit.bytes / 1e6,
      seconds: summary.seconds,
      cpuSeconds,
      serverCpuSeconds,
      maxRssMb,
      pagesPerSecond: summary.pages / summary.seconds,
      pagesPerCpuSecond: summary.pages / cpuSeconds,
      htmlMbPerCpuSecond: audit.bytes / 1e6 / cpuSeconds,
      coresUsed: (cpuSeconds + serverCpuSeconds) / summary.seconds,
    };
  });
  const bars = (key: 'pagesPerSecond' | 'pagesPerCpuSecond') =>
    figures.map((figure) => ({ label: `workers ${figure.workers}`, value: figure[key] }));
  return {
    table: {
      columns: ['workers', 'pages', 'MB', 's', 'pages/s', 'CPU s', 'pages/CPU s', 'MB/CPU s', 'RSS MB', 'server CPU s'],
      rows: figures.map((one) => [
        ...[one.workers, one.pages, one.htmlMb, one.seconds, one.pagesPerSecond, one.cpuSeconds],
        ...[one.pagesPerCpuSecond, one.htmlMbPerCpuSecond, one.maxRssMb, one.serverCpuSeconds],
      ]),
    },
    checks: runs.map(({ done }) => done.check),
    charts: [
      {
        kind: 'bars',
        name: 'crawl-pages-per-cpu-second',
        title: 'Whole crawl: pages per CPU-second',
        unit: 'crawler alone, its start included; the server is counted apart',
        bars: bars('pagesPerCpuSecond'),
      },
      {
        kind: 'bars',
        name: 'crawl-pages-per-second',
        title: 'Whole crawl: pages per second',
        unit: 'crawler and server share the machine',
        bars: bars('pagesPerSecond'),
      },
      {
        kind: 'lines',
        name: 'crawl-rss',
        title: 'Whole crawl: memory',
        x: 'pages stored',
        y: 'resident memory, MB',
        lines: runs.map(({ workers, done }) => ({
          label: `workers ${workers}`,
          points: done.samples.map(({ pages, rssMb }) => [pages, rssMb] as const),
        })),
      },
    ],
    notes: [],
    data: { figures, audits: runs.map(({ done }) => done.audit), samples: runs.map(({ done }) => done.samples) },
  };
}
