/**
 * What does it cost a crawl to be watched, and how far behind is the dashboard? The server runs in the process of the crawl, as with `start`:
 * the dearest place for it. Crawls with and without readers take turns, and CPU time is compared, for throughput on a shared machine
 * says more about its neighbours. `node bench/watching.ts [hosts] [pages per host] [rounds] [--links]`; with --links pages are not
 * understood, which makes the crawl several times faster and the share of the readers the larger.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { createCrawl } from '../src/index.ts';
import { startWebProcess } from '../src/simulate/server/child-web.ts';
import { FolderWatch } from '../src/web/dashboard/folder-watch.ts';
import { startWebApp } from '../src/web/http/listen.ts';
import { WebApp, type WebAppParts } from '../src/web/web-app.ts';

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { links: { type: 'boolean' } } });
const [hosts = 200, pagesPerHost = 20, rounds = 3] = positionals.map(Number);
const LINKS_ONLY = { text: false, nearDuplicates: false, spam: false, trapLearning: false, index: false } as const;
const READERS = 3;

interface Measured {
  readonly pages: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
  /** How old the number of pages was, when a reader heard of it. */
  readonly lags: readonly number[];
}

async function measure(readers: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-watching-'));
  await using web = await startWebProcess({ hosts, pagesPerHost, seed: 5 });
  const truth: { at: number; pages: number }[] = [];
  const lags: number[] = [];
  try {
    await using crawl = await createCrawl({
      ...{ folder, seeds: web.origins, scope: 'any', delay: 0, delayFactor: 0, concurrency: 64, sitemaps: 'off' },
      ...{ allowPrivate: true, hosts: web.hostsMap, workers: 0 },
      ...(flags.links ? LINKS_ONLY : {}),
    });
    let pages = 0;
    using _heard = crawl.on('settled', ({ outcome, claim }) => {
      if (claim.task.purpose !== 'page' || (outcome.kind !== 'stored' && outcome.kind !== 'duplicate')) return;
      truth.push({ at: performance.now(), pages: ++pages });
    });
    const running = crawl.run();
    using watch = readers === 0 ? undefined : new FolderWatch(folder, systemClock);
    // Nothing is searched here.
    const search = { documents: 0 } as WebAppParts['search'];
    const reader = {} as WebAppParts['reader'];
    const app = new WebApp({ search, reader, title: 'Bench', ...(watch && { watch }) });
    await using listening = await startWebApp(app);
    const gone = new AbortController();
    const reading = Array.from({ length: readers }, () =>
      read(`${listening.url}dashboard/events`, gone.signal, truth, lags),
    );
    const summary = await running;
    gone.abort();
    await Promise.allSettled(reading);
    return { pages: summary.pages, cpuSeconds: summary.cpuSeconds, seconds: summary.seconds, lags };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function read(
  url: string,
  signal: AbortSignal,
  truth: readonly { at: number; pages: number }[],
  lags: number[],
): Promise<void> {
  const response = await fetch(url, { signal });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const shown = /class=\\"value\\">([\d,]+)<\/dd>/.exec(event)?.[1];
      // The picture was right until the next page was settled.
      const next = shown === undefined ? undefined : truth[Number(shown.replaceAll(',', ''))];
      if (next !== undefined) lags.push(performance.now() - next.at);
    }
  }
}

const runs: Record<'alone' | 'watched', Measured[]> = { alone: [], watched: [] };
for (let round = 0; round < rounds; round++)
  for (const kind of ['alone', 'watched'] as const) runs[kind].push(await measure(kind === 'alone' ? 0 : READERS));
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const perPage = (kind: 'alone' | 'watched'): number =>
  median(runs[kind].map(({ cpuSeconds, pages }) => (cpuSeconds * 1000) / pages));
const lags = runs.watched.flatMap((run) => run.lags).sort((a, b) => a - b);
console.log(
  JSON.stringify({
    pages: runs.alone[0].pages,
    msCpuPerPage: { alone: perPage('alone'), watched: perPage('watched') },
    costPercent: (perPage('watched') / perPage('alone') - 1) * 100,
    pagesPerSecond: {
      alone: median(runs.alone.map(({ pages, seconds }) => pages / seconds)),
      watched: median(runs.watched.map(({ pages, seconds }) => pages / seconds)),
    },
    lagMs: { median: median(lags), p95: lags[Math.floor(lags.length * 0.95)], most: lags.at(-1), heard: lags.length },
  }),
);
