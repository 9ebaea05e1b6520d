/**
 * What does it cost a crawl to be watched, and how old is what the dashboard shows?
 *
 *   npx node bench/watching.ts [hosts] [pages per host] [--seconds 120] [--window 5] [--warm-up 15] [--readers 1] [--links]
 *
 * One crawl with everything on (text, index, near-duplicates), of a web in which nothing waits: no Crawl-delay, no slow or broken
 * robots.txt, no errors. It ends after `--seconds`. Times with and without a browser at the dashboard take turns in it, each of
 * `--window` seconds, in the order a b b a; the first pair is warm-up. The server of the dashboard runs in the process of the crawl,
 * the dearest place for it; browsers run in processes of their own. CPU time of the process of the crawl is compared, for pages per
 * second on a shared machine tell of its neighbours. With `--links` pages are not understood and there are no page threads, which
 * makes the crawl faster and the share of the dashboard larger.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { resolveSettings } from '../src/base/settings/resolve-settings.ts';
import { version } from '../src/cli/version.ts';
import { openCrawl } from '../src/crawl/assemble.ts';
import { openHandOver } from '../src/search/indexing/handed/hand-over-ports.ts';
import { startFollowing } from '../src/search/indexing/start-following.ts';
import { PLAIN_SHARES } from '../src/simulate/model/web-spec.ts';
import { startWebProcess } from '../src/simulate/server/child-web.ts';
import type { CrawlWatch } from '../src/web/dashboard/crawl-watch.ts';
import { FolderWatch } from '../src/web/dashboard/folder-watch.ts';
import { startWebApp } from '../src/web/http/listen.ts';
import { WebApp, type WebAppParts } from '../src/web/web-app.ts';
import { DashboardReader, type WatchReport } from './harness/dashboard-reader.ts';
import { disturbance, machineUse, usedTicks } from './harness/machine-use.ts';
import { shownLags } from './harness/shown-lag.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    links: { type: 'boolean' },
    seconds: { type: 'string', default: '120' },
    window: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '15' },
    readers: { type: 'string', default: '1' },
  },
});
const [hosts = 2000, pagesPerHost = 10] = positionals.map(Number);
const [totalMs, windowMs, warmUpMs] = [flags.seconds, flags.window, flags['warm-up']].map(
  (text) => Number(text) * 1000,
);
const LINKS_ONLY = {
  ...{ text: false, nearDuplicates: false, spam: false, trapLearning: false, index: false, workers: 0 },
} as const;
/** In which nothing waits, and every request that is not for robots.txt brings a page. */
const WEB = { ...PLAIN_SHARES, seed: 5, hosts, pagesPerHost, pageBytes: [2_000, 8_000], linksPerPage: 12 } as const;
const TURNS = [false, true, true, false] as const;
const LIMIT_PERCENT = 3;
const LIMIT_MS = 1000;

interface Slice {
  readonly isWatched: boolean;
  readonly cpuMs: number;
  readonly pages: number;
  readonly ms: number;
  /** CPU time of the thread that decides, in which the dashboard is made. */
  readonly lookMs: number;
  readonly looks: number;
}

/** Counts what looks cost, from the question to the moment in which all that follows from the answer has been written. */
class CountedWatch implements CrawlWatch {
  readonly #watch: CrawlWatch;
  ms = 0;
  looks = 0;

  constructor(watch: CrawlWatch) {
    this.#watch = watch;
  }

  look(): ReturnType<CrawlWatch['look']> {
    const before = process.threadCpuUsage();
    this.looks++;
    return this.#watch.look().finally(() => {
      // After all microtasks, in which the answer becomes markup and is sent.
      process.nextTick(() => {
        const { user, system } = process.threadCpuUsage(before);
        this.ms += (user + system) / 1000;
      });
    });
  }
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const epochNow = (): number => performance.timeOrigin + performance.now();

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-watching-'));
try {
  await using web = await startWebProcess(WEB);
  const { settings } = resolveSettings({
    overrides: {
      ...{ scope: 'any', delay: 0, delayFactor: 0, sitemaps: 'off', allowPrivate: true, hosts: web.hostsMap },
      ...(flags.links ? LINKS_ONLY : {}),
    },
  });
  const handOver = openHandOver(settings);
  const handing = handOver === undefined ? {} : { handOver };
  await using crawl = await openCrawl({ folder, settings, version, ...handing });
  await crawl.addSeeds(web.origins);
  // As `orbweaver crawl` does: the index is filled in this process, and counts.
  const following = settings.index ? startFollowing(folder, handing) : undefined;
  const stored: number[] = [];
  using _heard = crawl.on('settled', ({ outcome, claim }) => {
    if (claim.task.purpose === 'page' && (outcome.kind === 'stored' || outcome.kind === 'duplicate'))
      stored.push(epochNow());
  });
  let isRunning = true;
  const running = crawl.run().finally(() => {
    isRunning = false;
  });
  using folderWatch = new FolderWatch(folder, systemClock);
  const watch = new CountedWatch(folderWatch);
  // Nothing is searched here.
  const parts = { search: { documents: 0 } as WebAppParts['search'], reader: {} as WebAppParts['reader'] };
  await using listening = await startWebApp(new WebApp({ ...parts, title: 'Bench', watch }));
  await using readers = new AsyncDisposableStack();
  const browsers = Array.from({ length: Number(flags.readers) }, () => readers.use(new DashboardReader()));

  const slices: Slice[] = [];
  const watches: { readonly report: WatchReport; readonly until: number }[] = [];
  const measureSlice = async (isWatched: boolean): Promise<Slice> => {
    const before = { cpu: cpuMs(), pages: stored.length, at: performance.now(), look: watch.ms, looks: watch.looks };
    if (isWatched) for (const browser of browsers) browser.watch(listening.url);
    await sleep(windowMs);
    const until = epochNow();
    const slice = {
      ...{ isWatched, cpuMs: cpuMs() - before.cpu, pages: stored.length - before.pages },
      ...{ ms: performance.now() - before.at, lookMs: watch.ms - before.look, looks: watch.looks - before.looks },
    };
    if (isWatched) for (const browser of browsers) watches.push({ report: await browser.leave(), until });
    return slice;
  };

  const began = performance.now();
  const left = (): number => totalMs - (performance.now() - began);
  await Promise.race([sleep(warmUpMs), running]);
  await measureSlice(true);
  watches.length = 0;
  const ticks = usedTicks();
  const measured = { at: performance.now(), cpu: cpuMs(), server: await web.cpuSeconds() };
  for (let turn = 0; isRunning && left() > windowMs; turn++) {
    const slice = await measureSlice(TURNS[turn % TURNS.length]);
    if (isRunning) slices.push(slice);
  }
  const use = machineUse(ticks, usedTicks(), {
    ownSeconds: (cpuMs() - measured.cpu) / 1000 + (await web.cpuSeconds()) - measured.server,
    wallSeconds: (performance.now() - measured.at) / 1000,
  });
  const wasCutOff = isRunning;
  crawl.stop();
  const summary = await running;
  await following?.stop('pause');
  if (following?.fault !== undefined) throw following.fault;

  // Pairs of neighbours: what drifts touches both alike.
  const pairs = Array.from({ length: Math.floor(slices.length / 2) }, (_, at) => slices.slice(2 * at, 2 * at + 2));
  const paired = pairs.flat();
  const perPage = (isWatched: boolean, of: readonly Slice[]): number => {
    const some = of.filter((slice) => slice.isWatched === isWatched);
    return sum(some, ({ cpuMs: ms }) => ms) / sum(some, ({ pages }) => pages);
  };
  const differences = pairs.map((pair) => (perPage(true, pair) / perPage(false, pair) - 1) * 100);
  const watched = slices.filter(({ isWatched }) => isWatched);
  const answered = [...(await web.log())]
    .filter(({ located, status, complete }) => located.kind === 'page' && status === 200 && complete)
    .map(({ done }) => done)
    .sort((a, b) => a - b);
  const lagBehind = (truth: readonly number[]) => {
    const lags = watches
      .flatMap(({ report: { shown }, until }) => shownLags(shown, truth, until))
      .sort((a, b) => a - b);
    return { p50: quantile(lags, 0.5), p95: quantile(lags, 0.95), most: quantile(lags, 1) };
  };
  const share = (100 * sum(watched, ({ lookMs }) => lookMs)) / sum(watched, ({ cpuMs: ms }) => ms);
  const lag = { behindState: lagBehind(stored), behindServer: lagBehind(answered) };
  const shownCounts = sum(watches, ({ report }) => report.shown.length);
  if (shownCounts === 0)
    throw new Error('nobody was shown a number of pages: the crawl ended too soon, or the dashboard is silent');
  const round = (value: number): number => Math.round(value * 100) / 100;
  console.log(
    JSON.stringify(
      {
        web: { hosts, pagesPerHost, pages: hosts * pagesPerHost },
        crawl: {
          indexed: following?.report?.total ?? 0,
          pages: summary.pages,
          requests: summary.requests,
          ended: wasCutOff ? 'after --seconds' : 'by itself',
        },
        pairs: { count: pairs.length, windowSeconds: windowMs / 1000, readers: browsers.length },
        cores: {
          used: round(sum(paired, ({ cpuMs: ms }) => ms) / sum(paired, ({ ms }) => ms)),
          of: availableParallelism(),
        },
        cpuMsPerPage: { alone: round(perPage(false, paired)), watched: round(perPage(true, paired)) },
        costPercent: {
          // By the CPU time of its own code: exact, without what it costs others.
          ownCode: round(share),
          // Watched against alone, pair by pair: with everything, and with the noise of the crawl.
          ofPairs: {
            median: round(
              quantile(
                differences.toSorted((a, b) => a - b),
                0.5,
              ),
            ),
            standardError: round(standardError(differences)),
          },
        },
        look: {
          cpuMs: round(sum(watched, ({ lookMs }) => lookMs) / sum(watched, ({ looks }) => looks)),
          perSecond: round(sum(watched, ({ looks }) => looks) / (sum(watched, ({ ms }) => ms) / 1000)),
          percentOfOneCore: round((100 * sum(watched, ({ lookMs }) => lookMs)) / sum(watched, ({ ms }) => ms)),
        },
        lagMs: lag,
        shown: {
          numbers: shownCounts,
          eventsPerSecond: round(
            sum(watches, ({ report }) => report.events) / (sum(watched, ({ ms }) => ms) / 1000) / browsers.length,
          ),
          bytesPerEvent: Math.round(
            sum(watches, ({ report }) => report.bytes) / sum(watches, ({ report }) => report.events),
          ),
          pageLoadMs: round(
            quantile(
              watches.map(({ report }) => report.loadMs).sort((a, b) => a - b),
              0.5,
            ),
          ),
        },
        goals: {
          cost: share <= LIMIT_PERCENT,
          lag: lag.behindState.p95 <= LIMIT_MS,
          machine: disturbance(use) ?? 'quiet',
        },
      },
      (_, value) => (typeof value === 'number' ? round(value) : value),
      2,
    ),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function standardError(values: readonly number[]): number {
  const mean = sum(values, (value) => value) / values.length;
  return Math.sqrt(sum(values, (value) => (value - mean) ** 2) / (values.length - 1) / values.length);
}
