import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeSwitches } from '../../src/crawl/learning/switches.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { duplicateClusters } from '../../src/crawl/report/duplicate-clusters.ts';
import { audit } from '../../src/simulate/audit/audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { quickOrLong } from '../property-runs.ts';
import { crawlWeb, storedPages, temporaryFolder } from './crawl-web.ts';

const PLAIN = { ...PLAIN_SHARES, hosts: 2, pagesPerHost: 60, pageBytes: [2000, 4000] } as const;

test('near copies are stored, told, and found in one cluster with their originals', async () => {
  await using web = await startSyntheticWeb({ ...PLAIN, seed: 5, pages: { nearCopy: 0.2, copy: 0.1 } });
  using folder = temporaryFolder();
  const summary = await crawlWeb(web, folder.path, { delay: 0 });
  const { web: model } = web;
  const near = Array.from({ length: model.pageCount }, (_, page) => model.url(page)).filter((url) =>
    url.includes('/also-'),
  );
  assert.ok(near.length > 5);
  assert.ok(summary.nearDuplicates >= 0.5 * near.length, `${summary.nearDuplicates} of ${near.length}`);
  using reader = new CrawlReader(folder.path);
  const clusters = duplicateClusters(reader.duplicateListing);
  const together = (url: string) => clusters.find(({ members }) => members.some((member) => member.url === url));
  const told = near.filter((url) => together(url) !== undefined);
  assert.ok(told.length >= 0.5 * near.length);
  const cluster = clusters.find(({ members }) => members.some(({ kind }) => kind === 'near'));
  const member = cluster?.members.find(({ kind }) => kind === 'near');
  const story = await reader.explain(String(member?.url));
  assert.equal(story.page?.facts?.nearDuplicateOf?.url, member?.of);
  assert.ok(Number(member?.jaccard) >= 0.8);
});

test('a calendar without end is held after few requests; opened by hand, its URLs come in again', async () => {
  await using web = await startSyntheticWeb({ ...PLAIN, seed: 3, hosts: 1, traps: { calendar: 1 } });
  using folder = temporaryFolder();
  // A calendar shows its empty page for any address, which is an error in disguise as well.
  const settings = { delay: 0, trapYearsAhead: Number.POSITIVE_INFINITY, softNotFound: false } as const;
  const first = await crawlWeb(web, folder.path, settings);
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  const report = audit(web.log, expected, {});
  assert.equal(report.missed.count, 0);
  assert.ok(report.trapRequests > 0 && report.trapRequests <= 100, String(report.trapRequests));
  assert.ok((first.refused.trap ?? 0) > 0);
  const held = learnedState(folder.path).patterns.find(({ state }) => state === 'held');
  assert.ok(held?.reason, 'the reason is told');

  writeSwitches(folder.path, { traps: { [String(held?.pattern)]: 'open' }, mirrors: {} });
  const second = await crawlWeb(web, folder.path, { ...settings, maxPages: first.pages + 60 });
  assert.equal(second.ended, 'limit: max-pages', 'an open calendar goes on for ever');
  assert.equal(
    learnedState(folder.path).patterns.find(({ pattern }) => pattern === held?.pattern)?.state,
    'opened-by-hand',
  );
});

test('a mirror is crawled once: its pages are asked for on the other host', async () => {
  await using web = await startSyntheticWeb({
    ...PLAIN,
    seed: 2,
    hosts: 6,
    pagesPerHost: quickOrLong(40, 80),
    sites: { mirror: 0.4 },
  });
  using folder = temporaryFolder();
  const summary = await crawlWeb(web, folder.path, { delay: 0 });
  const { mirrors } = learnedState(folder.path);
  assert.ok(mirrors.length > 0);
  assert.ok((summary.refused.mirror ?? 0) > 0, 'fetches were saved');
  const paths = new Set(storedPages(folder.path).map((url) => new URL(url).pathname));
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored');
  for (const url of expected) assert.ok(paths.has(new URL(url).pathname), `${url} is on neither host`);
});

test('pages that are not there are told by what a probe brings, and their links are not followed', async () => {
  await using web = await startSyntheticWeb({
    ...PLAIN,
    seed: 4,
    pagesPerHost: quickOrLong(60, 120),
    pages: { notFound: 0.2 },
    sites: { softNotFound: 1 },
  });
  using folder = temporaryFolder();
  const summary = await crawlWeb(web, folder.path, { delay: 0 });
  const soft = truth(web.web, { seeds: web.origins, softNotFound: 'failed' }).urls('failed').length;
  assert.ok(soft > 10);
  assert.ok((summary.failed['soft-not-found'] ?? 0) >= 0.7 * soft, `${summary.failed['soft-not-found']} of ${soft}`);
  assert.ok(summary.pages <= truth(web.web, { seeds: web.origins }).counts().stored);
});

test('bytes that lie in an earlier crawl are not stored again, and are found there', async () => {
  await using web = await startSyntheticWeb({ ...PLAIN, seed: 6, hosts: 1 });
  using before = temporaryFolder();
  using now = temporaryFolder();
  const first = await crawlWeb(web, before.path, { delay: 0 });
  const second = await crawlWeb(web, now.path, { delay: 0, duplicatesOf: [before.path] });
  assert.equal(second.pages, first.pages);
  assert.equal(second.distinctDocuments, first.distinctDocuments, 'for this crawl they are new');
  using reader = new CrawlReader(now.path);
  using earlier = new CrawlReader(before.path);
  const [url] = storedPages(now.path);
  assert.ok((await reader.versions(url)).every(({ revisit }) => revisit));
  assert.deepEqual((await reader.get(url)).body, (await earlier.get(url)).body);
  assert.deepEqual(storedPages(now.path), storedPages(before.path));
});

function learnedState(folder: string) {
  using reader = new CrawlReader(folder);
  const kept = reader.learnedState();
  assert.ok(kept, 'what was learnt is kept');
  return kept;
}
