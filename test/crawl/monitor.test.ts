import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMonitorReader } from '../../src/engines/open-monitor.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const SITE = 'http://site.test/';

test('a crawl notes how it goes, run after run: sums, answers, errors, and pauses beside what was owed', async () => {
  using folder = temporaryFolder();
  const pages = Array.from({ length: 8 }, (_, i) => `${SITE}${i}`);
  const site = ({ href, pathname }: URL) =>
    pathname === '/7' || pathname === '/robots.txt' ? undefined : pageOf(href, textOf(href), pages);
  const settings = { delay: 30, delayFactor: 0, softNotFound: false };
  const first = await crawlAnyHosts(site, folder.path, [SITE], { ...settings, maxPages: 4 });
  const samplesOfFirst = read(folder.path, (reader) => reader.samples());
  assert.ok(samplesOfFirst.length >= 1);
  assert.equal(samplesOfFirst.at(-1)?.pages, first.summary.pages);

  const second = await crawlAnyHosts(site, folder.path, [SITE], settings);
  using reader = openMonitorReader(folder.path);
  assert.ok(reader);
  const samples = reader.samples();
  const last = samples.at(-1);
  assert.equal(new Set(samples.map(({ run }) => run)).size, 2, 'both runs are there');
  assert.deepEqual(
    [last?.pages, last?.requests, last?.queued],
    [second.summary.pages, second.summary.requests, 0],
    'the last sample is the end',
  );
  assert.ok((last?.memory ?? 0) > 1e6);
  assert.equal(reader.statuses()[200], second.summary.pages);
  assert.ok(reader.statuses()[404] >= 1);
  const tally = reader.host('site.test');
  assert.equal(tally?.requests, second.summary.requests);
  assert.equal(tally?.status[2], second.summary.pages);
  assert.match(tally?.lastError?.what ?? '', /404/);
  assert.ok(reader.troubles(9).some(({ url }) => url === `${SITE}7`));
  // Two runs, and the first request of each follows none.
  assert.equal(reader.politeness()?.count, second.summary.requests - 2);
  assert.equal(reader.politeness()?.early, 0);
  assert.ok((tally?.gaps.tightest?.owedMs ?? 0) >= 30);
  assert.equal(reader.rules()?.politeness.minimumDelayMs, 30);
});

function read<T>(folder: string, of: (reader: NonNullable<ReturnType<typeof openMonitorReader>>) => T): T {
  using reader = openMonitorReader(folder);
  assert.ok(reader);
  return of(reader);
}
