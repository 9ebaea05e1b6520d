import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { createOrder } from '../../../../src/rank/orders/create-order.ts';
import { compilePattern } from '../../../../src/scope/url-pattern.ts';
import { OrderProbe, restored, task } from './order-probe.ts';

const A = 'http://a.example';
const START = 1_800_000_000_000;
const probe = (order: string, more: object = {}): OrderProbe =>
  new OrderProbe(createOrder({ order, lanes: 64, now: () => START, ...more }));
const urls = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test('breadth-first: a queue for each depth, the last for all deeper', () => {
  const order = createOrder({ order: 'breadth-first', lanes: 4, now: () => 0 });
  assert.equal(order.within, 'fifo');
  assert.equal(order.moves, false);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 100].map((depth) => order.place(task(`${A}/`, depth)).lane),
    [0, 1, 2, 3, 3, 3],
  );
});

test('depth-first: one queue, the newest first', () => {
  const order = createOrder({ order: 'depth-first', lanes: 4, now: () => 0 });
  assert.equal(order.within, 'lifo');
  assert.deepEqual(
    [0, 5].map((depth) => order.place(task(`${A}/`, depth)).lane),
    [0, 0],
  );
});

test('a seed is first and stays first; what is no page is first too', () => {
  const crawl = probe('in-degree');
  crawl.seed(`${A}/`);
  assert.deepEqual(crawl.places.get(`${A}/`), { lane: 0, why: 'a seed' });
  for (const page of urls(40, `${A}/p`)) crawl.visit(page, urls(10, `${page}/`));
  assert.equal(crawl.laneOf(`${A}/`), 0);
  assert.equal(crawl.order.place({ ...task(`${A}/robots.txt`), purpose: 'robots' }).lane, 0);
});

for (const order of ['in-degree', 'opic', 'pagerank', 'best-first']) {
  test(`${order}: what more pages link to comes first`, () => {
    const crawl = probe(order);
    for (const page of urls(30, `${A}/p`)) crawl.visit(page, [`${A}/top`, ...urls(5, `${page}-`)]);
    crawl.maintain();
    assert.ok(crawl.laneOf(`${A}/top`) < crawl.laneOf(`${A}/p7-3`));
  });
}

test('in-degree tells how many pages link here, each link once, revisits not again', () => {
  const crawl = probe('in-degree:1,depth:0.5');
  for (const page of urls(12, `${A}/p`)) crawl.visit(page, [`${A}/top`, ...urls(5, `${page}-`)]);
  for (const page of urls(12, `${A}/p`)) crawl.visit(page, [`${A}/top`, ...urls(5, `${page}-`)]);
  crawl.visit(`${A}/q`, [`${A}/top`, `${A}/other`]);
  crawl.maintain();
  assert.equal(crawl.whyOf(`${A}/other`), '1 page links here, depth 2');
  const order = createOrder({ order: 'in-degree', lanes: 64, now: () => 0 });
  const links = BigUint64Array.of(fingerprint(`${A}/x`));
  for (const page of urls(3, `${A}/p`)) {
    for (let time = 0; time < 2; time++) {
      const unknown = page === `${A}/p0` && time === 0 ? [0] : [];
      order.visited({ task: task(page), fingerprint: fingerprint(page), at: 0, found: true, links, unknown });
    }
  }
  assert.equal(order.place(task(`${A}/x`)).why, '3 pages link here');
});

test('out-degree: links of pages with many links come first', () => {
  const crawl = probe('out-degree');
  for (const page of urls(20, `${A}/p`)) crawl.visit(page, urls(page.endsWith('7') ? 50 : 2, `${page}-`));
  crawl.maintain();
  assert.ok(crawl.laneOf(`${A}/p7-1`) < crawl.laneOf(`${A}/p8-1`));
  assert.match(crawl.order.place(task(`${A}/p7-1`)).why ?? '', /50 links on average/);
});

test('opic: the few links of a rich page get more than the many of another', () => {
  const crawl = probe('opic');
  for (const page of urls(20, `${A}/p`)) crawl.visit(page, [`${A}/rich`, `${A}/poor`, ...urls(3, `${page}-`)]);
  crawl.visit(`${A}/rich`, [`${A}/only`]);
  crawl.visit(`${A}/p99`, [`${A}/one`, ...urls(30, `${A}/of-many`)]);
  crawl.maintain();
  assert.ok(crawl.laneOf(`${A}/only`) < crawl.laneOf(`${A}/one`));
  assert.match(crawl.order.place(task(`${A}/only`)).why ?? '', /^OPIC \d+(\.\d)? times the mean$/);
});

test('pagerank: a link from an important page weighs more, also when it became important after its visit', () => {
  const crawl = probe('pagerank');
  crawl.visit(`${A}/hub`, [`${A}/chosen`]);
  crawl.visit(`${A}/nobody`, [`${A}/other`]);
  for (const page of urls(40, `${A}/p`)) crawl.visit(page, [`${A}/hub`, ...urls(3, `${page}-`)]);
  crawl.maintain();
  assert.ok(crawl.laneOf(`${A}/chosen`) < crawl.laneOf(`${A}/other`));
  assert.match(crawl.whyOf(`${A}/chosen`), /^PageRank \d+(\.\d)? times the mean$/);
});

test('pagerank: beyond the limit of edges ranks are still handed on once', () => {
  const crawl = probe('pagerank', { maxEdges: 8 });
  for (const page of urls(30, `${A}/p`)) crawl.visit(page, [`${A}/top`, ...urls(5, `${page}-`)]);
  crawl.maintain();
  assert.ok(crawl.laneOf(`${A}/top`) < crawl.laneOf(`${A}/p7-3`));
});

test('rank-forecast: on a host that is nearly visited the same links are worth less', () => {
  const crawl = probe('rank-forecast');
  const B = 'http://b.example';
  crawl.visit(`${A}/`, urls(30, `${A}/p`));
  for (const page of urls(29, `${A}/p`)) crawl.visit(page, [`${A}/`, `${A}/last`]);
  crawl.visit(`${B}/`, [`${B}/new`, ...urls(30, `${B}/p`)]);
  for (const page of urls(2, `${B}/p`)) crawl.visit(page, [`${B}/`, `${B}/new`]);
  crawl.maintain();
  assert.ok(crawl.laneOf(`${B}/new`) < crawl.laneOf(`${A}/p29`));
  assert.match(
    crawl.order.place(task(`${A}/p29`)).why ?? '',
    /^PageRank [\d.]+ times the mean, \d+ of \d+ known pages of its host visited$/,
  );
});

test('rank-forecast: a vote of another host counts for more', () => {
  const crawl = probe('rank-forecast');
  const far = 'http://c.example';
  for (const page of urls(20, `${A}/p`)) crawl.visit(page, [`${page}/own`, `${page.replace(A, far)}/own`]);
  // The two hosts are known equally well.
  for (const page of urls(20, `${far}/p`)) crawl.visit(page, [`${page}/more`, `${page}/less`]);
  crawl.maintain();
  assert.ok(crawl.laneOf(`${far}/p7/own`) < crawl.laneOf(`${A}/p7/own`));
});

test('host-rank: hosts that other hosts link to come first', () => {
  const crawl = probe('host-rank');
  for (const page of urls(20, 'http://b.example/p'))
    crawl.visit(page, [`${page}/own`, `${A}/${page.length}-${page.slice(-1)}`]);
  crawl.maintain();
  assert.ok(crawl.laneOf(`${A}/20-7`) < crawl.laneOf('http://b.example/p7/own'));
  assert.match(crawl.order.place(task(`${A}/20-7`)).why ?? '', /links lead to its host from others/);
  assert.equal(crawl.order.place(task('http://b.example/p7/own')).why, '');
});

test('host-size: larger sites first', () => {
  const crawl = probe('host-size');
  crawl.visit('http://c.example/', [...urls(200, `${A}/`), 'http://b.example/']);
  crawl.maintain();
  assert.ok(crawl.laneOf(`${A}/7`) < crawl.laneOf('http://b.example/'));
});

test('topic: what the best of its links promises counts', () => {
  const crawl = probe('topic');
  for (const page of urls(20, `${A}/p`)) {
    crawl.visit(page, [`${page}/off`, `${page}/on`], { promise: Float32Array.of(0.1, 0.8) });
  }
  crawl.visit(`${A}/late`, [`${A}/p3/off`], { promise: Float32Array.of(0.9) });
  crawl.maintain();
  assert.ok(crawl.laneOf(`${A}/p4/on`) < crawl.laneOf(`${A}/p4/off`));
  assert.ok(crawl.laneOf(`${A}/p3/off`) < crawl.laneOf(`${A}/p4/on`));
  assert.match(crawl.whyOf(`${A}/p3/off`), /90 % of the topic/);
});

test('feeds: new items first, and less so a day later', () => {
  let now = START;
  const order = createOrder({ order: 'feeds', lanes: 64, now: () => now });
  const item = order.place(task(`${A}/item`, 1, { how: 'feed' }));
  const other = order.place(task(`${A}/other`));
  assert.ok(item.lane < other.lane);
  assert.equal(item.why, 'item of a feed');
  now += 3 * 86_400_000;
  assert.ok(order.place(task(`${A}/newer`, 1, { how: 'feed' })).lane <= item.lane);
});

test('depth, path-depth and boost', () => {
  const order = createOrder({
    order: 'depth:1,path-depth:1',
    lanes: 64,
    boosts: [{ pattern: compilePattern('a.example/news/*'), boost: 20 }],
    now: () => 0,
  });
  const boosted = order.place(task(`${A}/news/1`, 3));
  assert.ok(boosted.lane < order.place(task(`${A}/olds/1`, 3)).lane);
  assert.equal(boosted.why, 'depth 3, path depth 2, boost +20');
  assert.equal(order.place(task(`${A}/a/b/c?q=1`, 0)).why, 'depth 0, path depth 4');
});

for (const [boost, order] of [-100, -3, 3, 100].flatMap((boost) =>
  ['best-first', 'pagerank', 'depth', 'boost'].map((order) => [boost, order] as const),
))
  test(`${order}: a boost of ${boost} holds from the first URL on, and for those that are found later`, () => {
    const crawl = probe(order, { boosts: [{ pattern: compilePattern('/news/*'), boost }] });
    crawl.seed(`${A}/`);
    const sites = [0, 1, 2].map((site) =>
      urls(20, `/${site}`).flatMap((path) => [`${A}/a${path}`, `${A}/news${path}`]),
    );
    const news = boost > 0 ? 'sooner' : 'later';
    const isRight = (url: string): boolean => url.includes('/news/') === (news === 'sooner');
    const waiting = new Set(sites[0]);
    crawl.visit(`${A}/`, sites[0]);
    for (let visit = 0; visit < 50; visit++) {
      const next = [...waiting].sort((one, other) => crawl.laneOf(one) - crawl.laneOf(other))[0];
      const better = [...waiting].filter(isRight);
      assert.ok(better.length === 0 || isRight(next), `visit ${visit}: ${next}, though ${better.length} others wait`);
      waiting.delete(next);
      const found = visit === 3 ? sites[1] : visit === 18 ? sites[2] : [];
      crawl.visit(next, [`${A}/`, ...found]);
      for (const url of found) waiting.add(url);
    }
  });

test('breadth-first: a boost counts like links from the seed; depth-first: the greatest first', () => {
  const boosts = [
    { pattern: compilePattern('/news/*'), boost: 2 },
    { pattern: compilePattern('/old/*'), boost: -100 },
  ];
  const broad = createOrder({ order: 'breadth-first', lanes: 64, boosts, now: () => 0 });
  assert.deepEqual(broad.place(task(`${A}/news/1`, 3)), { lane: 1, why: 'breadth-first: depth 3, boost +2' });
  assert.deepEqual(broad.place(task(`${A}/x`, 3)), { lane: 3, why: 'breadth-first: depth 3' });
  assert.deepEqual([broad.place(task(`${A}/news/1`, 0)).lane, broad.place(task(`${A}/old/1`, 3)).lane], [0, 63]);
  const deep = createOrder({ order: 'depth-first', lanes: 64, boosts, now: () => 0 });
  assert.deepEqual(
    ['news', 'x', 'old'].map((part) => deep.place(task(`${A}/${part}/1`, 3)).lane),
    [30, 32, 63],
  );
});

test('path-children: a page that much lies below comes first', () => {
  const crawl = probe('path-children');
  crawl.visit(`${A}/`, [`${A}/docs`, `${A}/blog/`, ...urls(50, `${A}/x`)]);
  crawl.visit(`${A}/x1`, [...urls(30, `${A}/docs/`), ...urls(20, `${A}/blog/`)]);
  crawl.maintain();
  assert.ok(crawl.laneOf(`${A}/docs`) <= crawl.laneOf(`${A}/blog/`));
  assert.ok(crawl.laneOf(`${A}/blog/`) < crawl.laneOf(`${A}/x7`));
  assert.match(crawl.order.place(task(`${A}/blog/`)).why ?? '', /20 known URLs lie below it/);
});

test('a redirect hands on what spoke for the page', () => {
  for (const name of ['in-degree', 'opic', 'pagerank']) {
    const crawl = probe(name);
    for (const page of urls(30, `${A}/p`)) crawl.visit(page, [`${A}/old`, ...urls(5, `${page}-`)]);
    crawl.visit(`${A}/old`, [], { found: false });
    const moved = crawl.order.place(task(`${A}/new`, 2, { how: 'redirect', from: `${A}/old` as CanonicalUrl }));
    crawl.maintain();
    assert.ok(moved.lane <= crawl.laneOf(`${A}/p7-3`), name);
    assert.notEqual(moved.why, '', name);
  }
});

test('the links of a page that is there at the second try count', () => {
  const order = createOrder({ order: 'in-degree', lanes: 8, now: () => 0 });
  order.place(task(`${A}/x`));
  const page = { task: task(`${A}/p`), fingerprint: fingerprint(`${A}/p`), at: 0, unknown: [] };
  order.visited({ ...page, found: false, links: new BigUint64Array() });
  order.visited({ ...page, found: true, links: BigUint64Array.of(fingerprint(`${A}/x`)) });
  assert.equal(order.place(task(`${A}/x`)).why, '1 page links here');
});

test('a sitemap is no vote', () => {
  const order = createOrder({ order: 'in-degree', lanes: 8, now: () => 0 });
  const links = BigUint64Array.of(fingerprint(`${A}/x`));
  const sitemap = task(`${A}/sitemap.xml`, 0, { how: 'sitemap-file' });
  order.visited({ task: sitemap, fingerprint: sitemap.fingerprint as bigint, at: 0, found: true, links, unknown: [0] });
  assert.equal(order.place(task(`${A}/x`)).why, '');
});

test('after a restart without links the old places hold, and new evidence goes on from there', async () => {
  const order = createOrder({ order: 'in-degree', lanes: 64, now: () => 0 });
  const old = urls(500, `${A}/`).map((url, at) => ({
    fingerprint: fingerprint(url),
    url: url as CanonicalUrl,
    host: 'a.example' as HostKey,
    depth: 3,
    lane: at % 64,
    inFeed: false,
    foundAt: START,
  }));
  await restored(order, { waiting: () => old });
  const crawl = new OrderProbe(order);
  for (const place of old) crawl.places.set(`${A}/${old.indexOf(place)}`, place);
  const before = new Map(old.map(({ fingerprint, lane }) => [fingerprint, lane]));
  for (let page = 0; page < 20; page++) {
    const links = BigUint64Array.of(old[63].fingerprint, old[40].fingerprint);
    const visited = task(`${A}/v${page}`);
    for (const { fingerprint, lane } of order.visited({
      task: visited,
      fingerprint: visited.fingerprint as bigint,
      at: 0,
      found: true,
      links: page < 18 ? links : BigUint64Array.of(),
      unknown: [],
    }))
      before.set(fingerprint, lane);
  }
  for (const { fingerprint, lane } of order.maintain(0)) before.set(fingerprint, lane);
  const laneOf = (at: number): number => before.get(old[at].fingerprint) as number;
  assert.ok(laneOf(0) < laneOf(20) && laneOf(20) < laneOf(62), 'the order of the lanes is kept');
  assert.ok(laneOf(63) < laneOf(62), 'what 18 pages link to has gone up');
});

test('random: by chance within some depths, the same whatever the host, sitemaps first', () => {
  const order = createOrder({ order: 'random', lanes: 64, now: () => 0 });
  const laneOf = (url: string, depth: number, how: 'link' | 'sitemap-file' = 'link'): number =>
    order.place({
      ...{ url: url as CanonicalUrl, host: 'a' as HostKey, depth, redirects: 0, lane: 0, purpose: 'page' as const },
      discovery: { how },
    }).lane;
  const near = Array.from({ length: 200 }, (_, page) => laneOf(`https://a.test/${page}`, 1));
  assert.ok(new Set(near).size === 16 && Math.min(...near) === 4 && Math.max(...near) === 19);
  assert.ok(
    Math.min(...Array.from({ length: 200 }, (_, page) => laneOf(`https://a.test/${page}`, 6))) > Math.max(...near),
  );
  assert.equal(laneOf('https://b.test:81/7', 1), near[7]);
  assert.equal(laneOf('https://a.test/sitemap.xml', 1, 'sitemap-file'), 0);
});
