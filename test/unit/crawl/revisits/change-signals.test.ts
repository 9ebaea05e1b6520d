import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import type { ListEntry } from '../../../../src/contracts/content/page.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { PageRecord } from '../../../../src/contracts/page-store.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { ChangeSignals } from '../../../../src/crawl/revisits/change-signals.ts';
import { packLinks } from '../../../../src/crawl/workers/packed-links.ts';
import { createRevisitPlanner } from '../../../../src/revisit/revisit-planner.ts';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;
const HOST = 'site.test' as HostKey;
const PAGE = 'http://site.test/a' as CanonicalUrl;

const planner = createRevisitPlanner({
  policy: 'freshness',
  requestsPerDay: 10,
  minIntervalMs: DAY / 24,
  maxIntervalMs: 60 * DAY,
  random: () => 0.5,
  now: NOW - 10 * DAY,
});
const visitedAt = NOW - 3 * DAY;
// Among so many pages a visit has its price.
for (let page = 0; page < 400; page++) planner.next(planner.observe(undefined, { at: visitedAt }), {});
const record: PageRecord = {
  url: PAGE,
  host: HOST,
  depth: 1,
  discovery: { how: 'link' },
  discoveredAt: NOW - 10 * DAY,
  state: 'queued',
  tries: 0,
  visitedAt,
  nextVisit: NOW + 40 * DAY,
  changes: planner.observe(undefined, { at: visitedAt }),
  history: [],
};

function signals(): ChangeSignals {
  return new ChangeSignals({
    planner,
    weightOf: () => ({}),
    pagesOf: async (urls) => urls.map((url) => (url === PAGE ? record : undefined)),
  });
}

function sitemapSaying(entry: ListEntry, host: string = HOST) {
  const link = { kind: 'sitemap', rel: '', nofollow: false, ugc: false, sponsored: false } as const;
  const claim = { task: { url: `http://${host}/sitemap.xml`, host } } as unknown as Claim;
  return [claim, packLinks([{ ...link, url: PAGE, text: '', entry }], 200)] as const;
}

test('a sitemap that names a page as changed since its last visit brings the next one forward', async () => {
  const [claim, links] = sitemapSaying({ modified: NOW - DAY });
  const [recall] = await signals().read(claim, links, NOW);
  assert.equal(recall.fingerprint, fingerprint(PAGE));
  assert.ok(recall.at < NOW + 40 * DAY && recall.at >= NOW);
  assert.match(recall.why, /sitemap/);
});

test('a sitemap speaks for the pages of its own domain alone', async () => {
  const entry = { modified: NOW - DAY };
  const [ofCdn, byCdn] = sitemapSaying(entry, 'maps.site.test');
  assert.equal((await signals().read(ofCdn, byCdn, NOW)).length, 1);
  const [ofOther, byOther] = sitemapSaying(entry, 'other.test');
  assert.deepEqual(await signals().read(ofOther, byOther, NOW), []);
});

test('what lies before the last visit, or says nothing of changes, moves nothing', async () => {
  for (const entry of [{ modified: NOW - 30 * DAY }, { priority: 0.5 }, {}]) {
    const [claim, links] = sitemapSaying(entry);
    assert.deepEqual(await signals().read(claim, links, NOW), [], JSON.stringify(entry));
  }
});

test('changefreq moves a visit once pages were found to keep to it, and then the less, the better a page is known', async () => {
  const keeping = signals();
  const [claim, links] = sitemapSaying({ changeFrequency: 'daily' });
  assert.deepEqual(await keeping.read(claim, links, NOW), [], 'nothing is measured yet');
  for (let time = 0; time < 30; time++) {
    await keeping.read(claim, links, NOW);
    keeping.visited(PAGE, HOST, visitedAt, NOW, true);
  }
  const [update] = await keeping.read(claim, links, NOW);
  assert.ok(update.at >= NOW && update.at < NOW + 40 * DAY);
  assert.match(update.why, /^a sitemap gives its changefreq as daily \(\d+ % believed\)/);
  const kept = JSON.parse(JSON.stringify(keeping));
  const later = new ChangeSignals({ planner, weightOf: () => ({}), pagesOf: async () => [record] }, kept);
  assert.deepEqual(await later.read(claim, links, NOW), [update], 'the next run knows it, too');
  const [slow, never] = sitemapSaying({ changeFrequency: 'never' });
  assert.deepEqual(await later.read(slow, never, NOW), []);
});

test('changefreq that is mere decoration moves nothing, and is asked of every page in turn', async () => {
  const decorated = signals();
  const [claim, links] = sitemapSaying({ changeFrequency: 'hourly' });
  for (let time = 0; time < 30; time++) {
    await decorated.read(claim, links, NOW);
    decorated.visited(PAGE, HOST, visitedAt, NOW, time % 10 === 0);
  }
  assert.deepEqual(await decorated.read(claim, links, NOW), []);
  const asked = new Set<string>();
  const many = new ChangeSignals({
    planner,
    weightOf: () => ({}),
    pagesOf: async (urls) => {
      for (const url of urls) asked.add(url);
      return urls.map(() => undefined);
    },
  });
  const link = { kind: 'sitemap', rel: '', nofollow: false, ugc: false, sponsored: false, text: '' } as const;
  const all = Array.from({ length: 6000 }, (_, at) => `http://site.test/${at}` as CanonicalUrl);
  const large = packLinks(
    all.map((url) => ({ ...link, url, entry: { changeFrequency: 'weekly' as const } })),
    200,
  );
  for (let time = 0; time < 12; time++) await many.read(claim, large, NOW + time);
  assert.ok(asked.size > 5500, `${asked.size} of 6000`);
});

test('a site that cries wolf is believed less and less, and that is kept', async () => {
  const crying = signals();
  const [claim, links] = sitemapSaying({ modified: NOW - DAY });
  assert.equal((await crying.read(claim, links, NOW)).length, 1);
  for (let time = 0; time < 30; time++) {
    await crying.read(claim, links, NOW);
    crying.visited(PAGE, HOST, visitedAt, NOW, false);
  }
  assert.deepEqual(await crying.read(claim, links, NOW), []);
  const kept = JSON.parse(JSON.stringify(crying));
  assert.equal(kept.sitemaps[0][0], HOST);
});

test('what the user pushes is visited at once, unless it was visited since; what is under way is to be pushed again', async () => {
  const pagesOf = (page: Partial<PageRecord>) => async () => [{ ...record, ...page }];
  const ordered = (page: Partial<PageRecord>, since = NOW) =>
    new ChangeSignals({ planner, weightOf: () => ({}), minIntervalMs: DAY, pagesOf: pagesOf(page) }).ordered(
      PAGE,
      since,
      NOW,
    );
  const asked = (visitedAt: number) => ({ changes: planner.observe(undefined, { at: visitedAt }), visitedAt: NOW });
  const recent = await ordered({ ...asked(NOW - 1000), nextVisit: NOW + 1000 });
  assert.deepEqual(recent, { fingerprint: fingerprint(PAGE), at: NOW, why: 'you pushed it: visited at once' });
  assert.deepEqual(await ordered({ changes: undefined }), recent, 'also what was never a page');
  assert.equal(await ordered({ nextVisit: NOW }), 'due');
  assert.deepEqual(await ordered(asked(NOW - 2000), NOW - 1000), recent, 'that visit began before');
  assert.equal(await ordered(asked(NOW - 1000), NOW - 1000), undefined);
  assert.equal(await ordered({ nextVisit: undefined }), undefined);
});

test('a push is believed at once, of a page that is known', async () => {
  const recall = await signals().pushed(PAGE, NOW);
  assert.ok((recall?.at ?? Number.POSITIVE_INFINITY) <= NOW + DAY);
  assert.equal(await signals().pushed('http://site.test/other' as CanonicalUrl, NOW), undefined);
});
