import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { PageRecord } from '../../../../src/contracts/page-store.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { readFeedList } from '../../../../src/crawl/content/list-reader.ts';
import { ChangeSignals, type SignalsSnapshot } from '../../../../src/crawl/revisits/change-signals.ts';
import { FeedAssertions } from '../../../../src/crawl/revisits/feed-assertions.ts';
import { packLinks } from '../../../../src/crawl/workers/packed-links.ts';
import { createRevisitPlanner } from '../../../../src/revisit/revisit-planner.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;
const HOST = 'site.test' as HostKey;
const FEED = 'http://site.test/feed' as CanonicalUrl;

const planner = createRevisitPlanner({
  policy: 'freshness',
  requestsPerDay: 10,
  minIntervalMs: HOUR,
  maxIntervalMs: 60 * DAY,
  random: () => 0.5,
  now: NOW - 10 * DAY,
});
const visitedAt = NOW - 3 * DAY;
// Among so many pages a visit has its price.
for (let page = 0; page < 400; page++) planner.next(planner.observe(undefined, { at: visitedAt }), {});

/** Pages /p1 to /p9, all visited at the same time unless the test says otherwise. */
const visits = new Map<string, number>();
function pageOf(url: string): PageRecord | undefined {
  if (!/^http:\/\/site\.test\/p\d$/.test(url)) return undefined;
  const at = visits.get(url) ?? visitedAt;
  return {
    url: url as CanonicalUrl,
    host: HOST,
    depth: 1,
    discovery: { how: 'link' },
    discoveredAt: NOW - 10 * DAY,
    state: 'queued',
    tries: 0,
    visitedAt: at,
    nextVisit: NOW + 40 * DAY,
    changes: planner.observe(undefined, { at }),
    history: [],
  };
}

const signals = (kept?: SignalsSnapshot): ChangeSignals =>
  new ChangeSignals({ planner, weightOf: () => ({}), pagesOf: async (urls) => urls.map(pageOf) }, kept);

interface Item {
  readonly page: string;
  readonly title?: string;
  readonly updated?: number;
}

/** Through the reader, as a crawl has it. */
function reading(items: readonly Item[], readBefore?: number) {
  const entries = items.map(
    ({ page, title = page, updated }) =>
      `<item><guid isPermaLink="false">${page}</guid><title>${title}</title><link>http://site.test/${page}</link>
       ${updated === undefined ? '' : `<pubDate>${new Date(updated).toUTCString()}</pubDate>`}</item>`,
  );
  const xml = `<rss version="2.0"><channel><title>News</title>${entries.join('')}</channel></rss>`;
  const { links } = readFeedList(Buffer.from(xml), FEED, 'application/rss+xml') ?? { links: [] };
  const plain = { nofollow: false, ugc: false, sponsored: false };
  const earlier = readBefore === undefined ? {} : { earlier: { at: readBefore } };
  const claim = { task: { url: FEED, host: HOST }, ...earlier } as unknown as Claim;
  const packed = packLinks(
    links.map((link) => ({ rel: '', ...link, ...plain })),
    200,
  );
  return [claim, packed] as const;
}

const read = (by: ChangeSignals, items: readonly Item[], now = NOW, readBefore?: number) =>
  by.read(...reading(items, readBefore), now);

test('an item dated after the last visit of its page brings the next one forward; older ones do not', async () => {
  const recalls = await read(signals(), [
    { page: 'p1', updated: NOW - DAY },
    { page: 'p2', updated: NOW - 9 * DAY },
    { page: 'unknown', updated: NOW - DAY },
  ]);
  assert.deepEqual(
    recalls.map((recall) => recall.fingerprint),
    [fingerprint('http://site.test/p1')],
  );
  assert.ok(recalls[0].at >= NOW && recalls[0].at < NOW + DAY);
  assert.match(recalls[0].why, /a feed says that it has changed \(60 % believed\)/);
});

test('the same word is not taken twice; another date or title is another word', async () => {
  const by = signals();
  const item = { page: 'p1', updated: NOW - DAY };
  assert.equal((await read(by, [item])).length, 1);
  assert.equal((await read(by, [item])).length, 0);
  assert.equal((await read(signals(JSON.parse(JSON.stringify(by))), [item])).length, 0, 'after a restart too');
  assert.equal((await read(by, [{ ...item, updated: NOW - HOUR }])).length, 1);
  assert.equal((await read(by, [{ ...item, updated: NOW - HOUR, title: 'now with pictures' }])).length, 1);
});

test('items without dates are news when they appear or change, but not when the feed is new to us', async () => {
  const by = signals();
  assert.equal((await read(by, [{ page: 'p1' }, { page: 'p2' }])).length, 0);
  assert.equal((await read(by, [{ page: 'p1' }, { page: 'p2' }])).length, 0);
  const [appeared] = await read(by, [{ page: 'p3' }, { page: 'p1' }, { page: 'p2' }]);
  assert.equal(appeared.fingerprint, fingerprint('http://site.test/p3'));
  const [changed] = await read(by, [{ page: 'p3' }, { page: 'p1', title: 'another' }, { page: 'p2' }]);
  assert.equal(changed.fingerprint, fingerprint('http://site.test/p1'));
});

test('a feed that cries wolf is believed less and less; one that is right is believed more', async () => {
  for (const right of [false, true]) {
    const by = signals();
    for (let time = 0; time < 30; time++) {
      await read(by, [{ page: 'p1', updated: NOW - DAY + time * 60_000 }]);
      by.visited('http://site.test/p1' as CanonicalUrl, HOST, visitedAt, NOW, right);
    }
    const again = signals(JSON.parse(JSON.stringify(by)));
    const recalls = await read(again, [{ page: 'p1', updated: NOW - HOUR }]);
    if (right) assert.match(recalls[0].why, /99 % believed|98 % believed|97 % believed/);
    else assert.deepEqual(recalls, []);
  }
});

test('it is the feed that loses trust, not the sitemap of the same host', async () => {
  const by = signals();
  await read(by, [{ page: 'p1', updated: NOW - DAY }]);
  by.visited('http://site.test/p1' as CanonicalUrl, HOST, visitedAt, NOW, false);
  const kept = JSON.parse(JSON.stringify(by)) as SignalsSnapshot;
  assert.deepEqual(kept.sitemaps, []);
  assert.equal(kept.feeds?.trust[0][1].dated.failed, 1);
});

test('every item stamped with the time of the build, or a date in the future, moves nothing and costs trust', async () => {
  const names = ['p1', 'p2', 'p3', 'p4', 'p5'];
  const by = signals();
  const at = (updated: number): Item[] => names.map((page) => ({ page, updated }));
  assert.deepEqual(await read(by, at(NOW - 2 * HOUR)), [], 'at first sight');
  for (let time = 1; time <= 5; time++) {
    const now = NOW + time * HOUR;
    assert.deepEqual(await read(by, at(now - 60_000), now, now - HOUR), []);
  }
  const stamped = JSON.parse(JSON.stringify(by)) as SignalsSnapshot;
  assert.ok((stamped.feeds?.trust[0][1].dated.failed ?? 0) > 4.9);

  const ahead = signals();
  for (let time = 0; time < 3; time++) {
    assert.deepEqual(await read(ahead, [{ page: 'p1', updated: NOW + (5 + time) * DAY }]), []);
  }
  const kept = JSON.parse(JSON.stringify(ahead)) as SignalsSnapshot;
  assert.ok((kept.feeds?.trust[0][1].dated.failed ?? 0) > 2.9);
});

test('a hub that cannot prove who it is only has its feed read sooner', async () => {
  visits.set('http://site.test/p9', NOW - 60_000);
  const by = signals();
  const late = await by.polled('http://site.test/p1' as CanonicalUrl, 'hub', NOW);
  assert.equal(late?.at, NOW);
  const soon = await by.polled('http://site.test/p9' as CanonicalUrl, 'hub', NOW);
  assert.equal(soon?.at, NOW + 240_000, 'not within five minutes of the last time');
  assert.equal(await by.polled(FEED, 'hub', NOW), undefined, 'what is not known is not asked for');
});

test('an item that a hub sends does not make a large feed forgotten', () => {
  for (const size of [300, 500]) {
    const claims = new FeedAssertions();
    const items = Array.from({ length: size + 1 }, (_, at) => ({ url: `${FEED}/${at}` as CanonicalUrl, mark: at }));
    const read = (shown: typeof items, readBefore?: number): number =>
      claims.heard({ feed: FEED, host: HOST, items: shown, ...(readBefore === undefined ? {} : { readBefore }) }, NOW)
        .length;
    assert.equal(read(items.slice(1)), 0);
    assert.equal(read(items.slice(1), NOW - DAY), 0);
    assert.equal(read(items.slice(0, 1)), 1, 'the new one');
    assert.equal(read(items, NOW - HOUR), 0, `nothing is new among ${size}`);
  }
});
