/**
 * How long after its last byte was served a page is found by a search, in a running crawl with everything on:
 * `npx node bench/served-to-found.ts [--hosts 20] [--pages 300]`.
 *
 * The crawl and the servers are processes of their own; this one opens the index as a search does, every 25 ms, and looks for each page by its address. Of pages that were served in the last
 * tenth of the crawl the end of the crawl decides, so they are told apart. By the clock: to be run on a quiet machine.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SegmentIndexSet } from '../src/index/segment-index-set.ts';
import { newestManifest } from '../src/index/store/manifest.ts';
import { indexFolder } from '../src/search/indexing/index-folder.ts';
import { truth } from '../src/simulate/model/truth.ts';
import { PLAIN_SHARES } from '../src/simulate/model/web-spec.ts';
import { startWebProcess } from '../src/simulate/server/child-web.ts';
import type { DefaultCrawl, DefaultCrawlOptions } from './harness/default-crawl.ts';
import { inChild } from './harness/in-child.ts';

const { values } = parseArgs({
  options: { hosts: { type: 'string', default: '20' }, pages: { type: 'string', default: '300' } },
});
const LOOK_EVERY_MS = 25;
const LAST_SHARE = 0.9;
const LIMIT_SECONDS = 900;

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-found-'));
try {
  await using web = await startWebProcess({
    ...PLAIN_SHARES,
    ...{ hosts: Number(values.hosts), pagesPerHost: Number(values.pages), seed: 7 },
    ...{ linksPerPage: 60, pageBytes: [10_000, 70_000] },
  });
  const crawlFolder = join(folder, 'crawl');
  const settings = { scope: 'any', delay: 0, delayFactor: 0, allowPrivate: true, hosts: web.hostsMap } as const;
  const options: DefaultCrawlOptions = { folder: crawlFolder, seeds: web.origins, settings };
  let isOver = false;
  const crawl = inChild<DefaultCrawl>('harness/default-crawl.ts', options, [], LIMIT_SECONDS).finally(() => {
    isOver = true;
  });
  const missing = new Set<string>(truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored'));
  const foundAt = new Map<string, number>();
  await Promise.all([crawl, lookFor(missing, foundAt, indexFolder(crawlFolder), () => isOver)]);

  const log = await web.log();
  const served = new Map<string, number>();
  for (const { host, target, status, complete, done } of log) {
    const url = new URL(target, web.origins[host]).href;
    if (status === 200 && complete && foundAt.has(url) && !served.has(url)) served.set(url, done);
  }
  const [first, last] = [Math.min(...served.values()), Math.max(...served.values())];
  const ages = { running: [] as number[], end: [] as number[] };
  for (const [url, at] of served)
    ages[at < first + LAST_SHARE * (last - first) ? 'running' : 'end'].push(Number(foundAt.get(url)) - at);
  console.log(
    `${served.size} pages in ${((last - first) / 1000).toFixed(1)} s; ${missing.size} never found by their own address (duplicates)`,
  );
  console.log(told('while the crawl runs', ages.running));
  console.log(told('the last tenth', ages.end));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Moves to `found` what the index holds, with the moment in which it was seen. */
async function lookFor(
  missing: Set<string>,
  found: Map<string, number>,
  index: string,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver() && !(existsSync(index) && newestManifest(index) > 0)) await setTimeout(LOOK_EVERY_MS);
  using committed = new SegmentIndexSet({ folders: [index] });
  let seen = 0;
  for (let isLast = false; !isLast; await setTimeout(LOOK_EVERY_MS)) {
    isLast = isOver();
    const manifest = newestManifest(index);
    if (manifest === seen) continue;
    seen = manifest;
    using snapshot = committed.snapshot();
    const now = performance.timeOrigin + performance.now();
    for (const url of missing) {
      if (snapshot.find(url) === undefined) continue;
      found.set(url, now);
      missing.delete(url);
    }
  }
}

function told(what: string, ages: number[]): string {
  const sorted = ages.sort((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))])}`;
  return `${what}: ${sorted.length} pages, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`;
}
