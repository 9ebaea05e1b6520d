/**
 * What it costs to keep a search index beside a crawl: analyses per page, bytes written for each byte of the index, CPU time of the
 * thread that follows, and how long the index takes to be complete after the last page, by the clock and by CPU time.
 * `npx node tools/measure-indexing.ts http://localhost:8000/ --delay 0 --allow-private [--keep FOLDER]`; any other flag is a setting of the crawl.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSettings } from '../src/base/settings/resolve-settings.ts';
import { openHandOver } from '../src/cli/commands/run-crawl.ts';
import { openCrawl } from '../src/crawl/assemble.ts';
import { version } from '../src/index.ts';
import { indexFolder } from '../src/search/indexing/index-folder.ts';
import { startFollowing } from '../src/search/indexing/start-following.ts';
import { readScoreOptions } from './crawl-synthetic-web.ts';

/** Of Linux: a thread's CPU time comes in hundredths of a second. */
const TICK_MS = 10;
const SAMPLE_MS = 50;

const [seed, ...flags] = process.argv.slice(2);
const { settings: overrides, folder: kept } = readScoreOptions(flags);
const { settings } = resolveSettings({ overrides });
const folder = kept ?? mkdtempSync(join(tmpdir(), 'orbweaver-measure-indexing-'));
try {
  // As `orbweaver crawl` does.
  const handOver = openHandOver(settings);
  const handing = handOver === undefined ? {} : { handOver };
  await using crawl = await openCrawl({ folder, settings, version, ...handing });
  await crawl.addSeeds([seed]);
  const others = new Set(threads());
  const following = startFollowing(folder, handing);
  const [thread] = threads().filter((id) => !others.has(id));
  let cpuMs = 0;
  const sampler = setInterval(() => {
    cpuMs = cpuOf(thread) ?? cpuMs;
  }, SAMPLE_MS);
  const began = performance.now();
  const { pages } = await crawl.run();
  const crawledAt = performance.now();
  const cpuBefore = cpuOf(thread) ?? cpuMs;
  await following.stop('finish');
  const doneAt = performance.now();
  clearInterval(sampler);
  if (following.fault !== undefined) throw following.fault;
  const { analysed, bytesWritten, total } = following.report!;
  const bytes = bytesOf(indexFolder(folder));
  const per = (value: number, of: number): number => Math.round((value / of) * 1000) / 1000;
  const result = {
    ...{ pages, documents: total, analysed, analysesPerPage: per(analysed, total) },
    ...{ bytesWritten, bytes, writeAmplification: per(bytesWritten, bytes) },
    crawlSeconds: per(crawledAt - began, 1000),
    secondsToComplete: per(doneAt - crawledAt, 1000),
    cpuSecondsToComplete: per(cpuMs - cpuBefore, 1000),
    followMsPerPage: per(cpuMs, total),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

function threads(): string[] {
  return readdirSync('/proc/self/task');
}

/** Undefined once the thread has ended. */
function cpuOf(thread: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return undefined;
  }
}

function bytesOf(index: string): number {
  const segments = readdirSync(index).filter((name) => name.startsWith('segment-'));
  return segments.reduce((sum, name) => sum + statSync(join(index, name)).size, 0);
}
