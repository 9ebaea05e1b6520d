import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { audit } from '../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../src/simulate/audit/format-audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { RICH_WEB } from '../../src/simulate/model/web-presets.ts';
import type { WebSpecOverrides } from '../../src/simulate/model/web-spec.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { quickOrLong } from '../property-runs.ts';
import { crawlWeb, createClockedCrawl, storedPages, temporaryFolder } from './crawl-web.ts';

const SMALL = {
  ...{
    hosts: quickOrLong(8, 10),
    pagesPerHost: quickOrLong(20, 40),
    crawlDelaySeconds: 0.1,
    retryAfterSeconds: 1,
    slowRobotsMs: 50,
  },
  // What pages say is judged elsewhere; the web with everything in it has larger ones.
  pageBytes: [1_000, 8_000],
} as const;

/** For what does not depend on rare kinds of pages. */
const SMALLER = { ...SMALL, hosts: 6, pagesPerHost: quickOrLong(12, 25) };

test('fetches exactly the reachable, allowed, in-scope set, politely by the server log', async () => {
  await using web = await startSyntheticWeb({ ...SMALL, seed: 3 });
  using folder = temporaryFolder();
  const summary = await crawlWeb(web, folder.path);
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
  assert.equal(summary.distinctDocuments, expected.distinctDocuments);
  const report = audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 });
  assert.ok(report.passed, formatAudit(report));
});

test('two page threads do the same, exactly', async () => {
  await using web = await startSyntheticWeb({ ...SMALLER, seed: 12 });
  using folder = temporaryFolder();
  const summary = await crawlWeb(web, folder.path, { workers: 2 });
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
  assert.equal(summary.distinctDocuments, expected.distinctDocuments);
  const report = audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 });
  assert.ok(report.passed, formatAudit(report));
});

test('a web with everything in it but traps: mirrors, near copies, charsets, sitemaps, odd robots.txt', async () => {
  await using web = await startSyntheticWeb({
    ...RICH_WEB,
    hosts: quickOrLong(10, 12),
    pagesPerHost: quickOrLong(14, 25),
    ...quickOrLong<WebSpecOverrides>({ pageBytes: SMALL.pageBytes }, {}),
    seed: 14,
    retryAfterSeconds: 1,
  });
  using folder = temporaryFolder();
  await crawlWeb(web, folder.path);
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
  const report = audit(web.log, expected, { minGapMs: 20, gapFrom: 'start', toleranceMs: 0 });
  assert.ok(report.passed, formatAudit(report));
});

test('scope host stays on the seed hosts', async () => {
  await using web = await startSyntheticWeb({ ...SMALLER, seed: 5 });
  using folder = temporaryFolder();
  const seeds = web.origins.slice(0, 3);
  await crawlWeb(web, folder.path, { seeds, scope: 'host' });
  const expected = truth(web.web, { seeds, scope: 'host', agent: 'orbweaver' });
  assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
  assert.ok(audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 }).passed);
});

test('politeness by address: hosts of one server are asked one after another', async () => {
  await using web = await startSyntheticWeb({ ...SMALL, hosts: 4, pagesPerHost: 12, seed: 8 });
  using folder = temporaryFolder();
  await crawlWeb(web, folder.path, { politeness: 'host+ip' });
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  const report = audit(web.log, expected, { minGapMs: 20, addressGapMs: 20, toleranceMs: 0 });
  assert.ok(report.passed, formatAudit(report));
});

test('a budget of pages per host parks the rest, and a later run with a larger one goes on', async () => {
  await using web = await startSyntheticWeb({ ...SMALLER, hosts: 3, seed: 2, robots: { broken: 0 } });
  using folder = temporaryFolder();
  const first = await crawlWeb(web, folder.path, { hostMaxPages: 5 });
  assert.equal(first.ended, 'parked');
  assert.equal(first.pages, 15);
  const second = await crawlWeb(web, folder.path);
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  assert.equal(second.ended, 'finished');
  assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
  const report = audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 });
  assert.ok(report.passed, formatAudit(report));
});

test('max-pages pauses exactly there; a wider scope in the next run takes in what was refused', async () => {
  await using web = await startSyntheticWeb({ ...SMALLER, hosts: 4, seed: 9, robots: { broken: 0 } });
  using folder = temporaryFolder();
  const seeds = web.origins.slice(0, 1);
  const paused = await crawlWeb(web, folder.path, { seeds, scope: 'host', maxPages: 7 });
  assert.equal(paused.ended, 'limit: max-pages');
  assert.equal(paused.pages, 7);
  const narrow = await crawlWeb(web, folder.path, { seeds, scope: 'host' });
  assert.ok((narrow.refused.scope ?? 0) > 0);
  const wide = await crawlWeb(web, folder.path, { seeds, scope: 'any' });
  const expected = truth(web.web, { seeds, scope: 'any', agent: 'orbweaver' });
  assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
  assert.equal(wide.refused.scope, undefined);
});

test('stop drains and saves; the next run completes without fetching a page twice', async () => {
  await using web = await startSyntheticWeb({ ...SMALLER, seed: 4, robots: { broken: 0 } });
  using folder = temporaryFolder();
  const settings = {
    seeds: web.origins,
    scope: 'any',
    delay: 20,
    delayFactor: 0,
    backoffStart: 50,
    // In a thread of its own a page is settled later than the stop.
    workers: 1,
    allowPrivate: true,
  } as const;
  {
    // Pages under way at a stop have a second to end, which on a busy machine is too short: here it does not pass.
    let stoppedAt: number | undefined;
    const clock = { ...systemClock, now: () => stoppedAt ?? systemClock.now() };
    await using crawl = await createClockedCrawl(clock, { folder: folder.path, ...settings, hosts: web.hostsMap() });
    let settled = 0;
    crawl.on('settled', () => {
      if (++settled !== 30) return;
      stoppedAt = systemClock.now();
      crawl.stop();
    });
    assert.equal((await crawl.run()).ended, 'stopped');
  }
  await crawlWeb(web, folder.path);
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  const report = audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 });
  assert.ok(report.passed, formatAudit(report));
});
