import { availableParallelism } from 'node:os';
import type { WebSpecOverrides } from '../../src/simulate/web-spec.ts';
import { type AuditedCrawl, auditedCrawl } from '../harness/audited-crawl.ts';
import type { BenchResult } from '../report/bench-result.ts';
import { plainNumber } from '../report/plain-number.ts';
import type { Bench } from './bench.ts';

const WORKERS = [0, 1, 2];

/**
 * Pages like those of today's web, with all that a crawler can get wrong and nothing that makes it wait: what asks for
 * patience (Crawl-delay, Retry-After, slow files, errors worth another try) would measure the waiting.
 */
function webOf(quick: boolean): WebSpecOverrides {
  return {
    seed: 50,
    hosts: 50,
    pagesPerHost: quick ? 25 : 200,
    linksPerPage: 60,
    pageBytes: [20_000, 200_000],
    pages: { broken: 0, tooManyRequests: 0, unavailable: 0 },
    robots: { crawlDelay: 0, slow: 0 },
  };
}

/** Whole crawls with 0, 1 and 2 page threads: archive, exact duplicates and robots.txt on, politeness off. */
export const crawl: Bench = {
  name: 'crawl',
  title: 'Whole crawl of 50 hosts, no latency, no delay',
  async run(quick) {
    const runs: { readonly workers: number; readonly done: AuditedCrawl }[] = [];
    for (const workers of WORKERS) {
      const done = await auditedCrawl(`workers ${workers}`, {
        web: webOf(quick),
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
    checks: [...runs.map(({ done }) => done.check), threadsCheck(figures)],
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

interface Figures {
  readonly workers: number;
  readonly pages: number;
  readonly pagesPerSecond: number;
  readonly cpuSeconds: number;
  readonly serverCpuSeconds: number;
}

/**
 * Two threads against one. The server and the deciding thread need cores too, so that the speed-up is held against
 * what the cores of this machine allow: all of them busy, at the cost per page that one thread had.
 */
function threadsCheck(figures: readonly Figures[]) {
  const one = figures.find(({ workers }) => workers === 1) as Figures;
  const two = figures.find(({ workers }) => workers === 2) as Figures;
  const speedUp = two.pagesPerSecond / one.pagesPerSecond;
  const most = (availableParallelism() * one.pages) / (one.cpuSeconds + one.serverCpuSeconds) / one.pagesPerSecond;
  const possible = Math.min(2, most);
  return {
    kind: 'goal' as const,
    what: 'two threads give 1.7 times one, or 85 % of what the cores allow',
    found: `${plainNumber(speedUp)} times; the cores allow ${plainNumber(possible)}`,
    passed: speedUp >= 0.85 * possible,
  };
}
