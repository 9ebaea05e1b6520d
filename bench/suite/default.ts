import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { startWebProcess } from '../../src/simulate/server/child-web.ts';
import type { DefaultCrawl, DefaultCrawlOptions } from '../harness/default-crawl.ts';
import { inChild } from '../harness/in-child.ts';
import { serveHtml } from '../harness/serve-html.ts';
import { stageShares } from '../harness/stage-shares.ts';
import type { Bench } from './bench.ts';

const LIMIT_SECONDS = 900;
const MOST_ANALYSES = 1.05;
const MOST_SECONDS = 2;
const MOST_WRITTEN = 3;
const MOST_MB = 300;

/** The crawl as people run it: everything on, and its search index beside it. BENCH_HTML names a folder of HTML to crawl instead. */
export const defaultCrawl: Bench = {
  name: 'default',
  title: 'The default crawl: text, metadata, near-duplicates, spam, search index',
  async run(quick) {
    await using site = await servedSite(quick);
    const crawl = async (nodeOptions: readonly string[]) => {
      const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
      try {
        const { seeds, hosts, scope } = site;
        const settings = { ...{ scope, delay: 0, delayFactor: 0, allowPrivate: true }, ...(hosts && { hosts }) };
        const options: DefaultCrawlOptions = { folder: join(folder, 'crawl'), seeds, settings };
        return await inChild<DefaultCrawl>('harness/default-crawl.ts', options, nodeOptions, LIMIT_SECONDS);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    };
    const { result, cpuSeconds, maxRssMb } = await crawl([]);
    const profiles = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
    try {
      await crawl(['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
      const { summary, documents, analysed, secondsToComplete, writeAmplification, threads } = result;
      const { pages, bytes } = summary;
      if (documents === 0)
        throw new Error(`No page was found. ${site.what}: is there an index.html that leads to the others?`);
      const analyses = analysed / documents;
      const msPerPage = (1000 * cpuSeconds) / pages;
      const shares = stageShares(profiles);
      return {
        table: {
          columns: ['what', 'figure', 'of the CPU time'],
          rows: [
            ['pages', pages, undefined],
            ['KB a page', bytes / pages / 1000, undefined],
            ['pages per CPU-second', pages / cpuSeconds, undefined],
            ['CPU ms a page', msPerPage, '100 %'],
            ...threads.map(([kind, seconds]) => [
              `  threads: ${kind}`,
              (1000 * seconds) / pages,
              percent(seconds / cpuSeconds),
            ]),
            ...shares.map(([stage, share]) => [`  ${stage}`, msPerPage * share, percent(share)]),
            ['most MB of memory', maxRssMb, undefined],
            ['analyses a document', analyses, undefined],
            ['bytes written for a byte of the index', writeAmplification, undefined],
            ['seconds from the last page to the complete index', secondsToComplete, undefined],
          ],
        },
        checks: [
          goal(`at most ${MOST_ANALYSES} analyses a document`, analyses, MOST_ANALYSES),
          goal(`index complete at most ${MOST_SECONDS} s after the last page`, secondsToComplete, MOST_SECONDS),
          goal(`at most ${MOST_WRITTEN} bytes written for a byte of the index`, writeAmplification, MOST_WRITTEN),
          goal(`at most ${MOST_MB} MB of memory`, maxRssMb, MOST_MB),
        ],
        charts: [
          {
            kind: 'bars',
            name: 'default',
            title: 'CPU time of a page by stage',
            unit: 'ms',
            bars: shares.map(([stage, share]) => ({ label: stage, value: msPerPage * share })),
          },
        ],
        notes: [
          `${site.what}. CPU time is that of the whole process, its start included.`,
          'Shares are those of a second crawl with the profiler on: samples of all threads in which one was busy, by the stage that the code belongs to. What the engine does in threads of its own is in no profile: it is among the threads.',
        ],
        data: { result, cpuSeconds, maxRssMb, shares },
      };
    } finally {
      rmSync(profiles, { recursive: true, force: true });
    }
  },
};

interface ServedSite extends AsyncDisposable {
  readonly seeds: readonly string[];
  readonly scope: 'any' | 'host';
  readonly hosts?: Readonly<Record<string, string>>;
  readonly what: string;
}

async function servedSite(quick: boolean): Promise<ServedSite> {
  const folder = process.env.BENCH_HTML;
  if (folder !== undefined) {
    const served = await serveHtml(folder);
    return {
      ...{ seeds: [served.origin], scope: 'host', what: `The pages of ${folder}, one host` },
      [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
    };
  }
  const size = quick ? { hosts: 4, pagesPerHost: 40 } : { hosts: 20, pagesPerHost: 150 };
  const web = await startWebProcess({
    ...PLAIN_SHARES,
    ...size,
    seed: 7,
    linksPerPage: 60,
    pageBytes: [10_000, 70_000],
  });
  return {
    ...{ seeds: web.origins, scope: 'any', hosts: web.hostsMap, what: `A synthetic web of ${size.hosts} hosts` },
    [Symbol.asyncDispose]: () => web[Symbol.asyncDispose](),
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function goal(what: string, value: number, most: number) {
  return { kind: 'goal', what, found: value.toFixed(2), passed: value <= most } as const;
}
