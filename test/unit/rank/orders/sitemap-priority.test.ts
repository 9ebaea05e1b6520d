import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { createOrder } from '../../../../src/rank/orders/create-order.ts';
import { OrderProbe, restored, task } from './order-probe.ts';

const A = 'http://a.example';
const START = 1_800_000_000_000;
const PAGES = Array.from({ length: 60 }, (_, at) => `${A}/p${at}`);
const newOrder = (order = 'sitemap-priority') => createOrder({ order, lanes: 64, now: () => START });

/** Reads a sitemap of all pages with these priorities. */
function list(crawl: OrderProbe, priorityOf: (at: number) => number): void {
  const sitemap = { ...task(`${A}/sitemap.xml`), discovery: { how: 'sitemap-file' } as const };
  crawl.visit(sitemap.url, PAGES, { task: sitemap, priority: Float32Array.from(PAGES, (_, at) => priorityOf(at)) });
}

const believed = (crawl: OrderProbe, page: string): number =>
  Number(/\((\d+) % believed\)/.exec(crawl.order.place(task(page)).why ?? '')?.[1]);

test('pages of higher priority come first, and explain says why', () => {
  const crawl = new OrderProbe(newOrder());
  list(crawl, (at) => (at === 7 ? 0.9 : at === 8 ? 0.1 : 0.5));
  crawl.maintain();
  assert.ok(crawl.laneOf(PAGES[7]) < crawl.laneOf(PAGES[0]) && crawl.laneOf(PAGES[0]) < crawl.laneOf(PAGES[8]));
  assert.equal(crawl.order.place(task(PAGES[7])).why, 'its sitemap gives it priority 0.9 (25 % believed)');
});

test('what links found before a sitemap named it has its priority, too', () => {
  const crawl = new OrderProbe(newOrder('sitemap-priority:1,depth:1'));
  crawl.visit(`${A}/`, PAGES);
  list(crawl, (at) => at / 60);
  crawl.maintain();
  assert.ok(crawl.laneOf(PAGES[59]) < crawl.laneOf(PAGES[0]));
});

test('priorities count as far as links agree with them', () => {
  const agreeing = new OrderProbe(newOrder());
  const opposed = new OrderProbe(newOrder());
  for (const [crawl, sign] of [
    [agreeing, 1],
    [opposed, -1],
  ] as const) {
    list(crawl, (at) => (sign > 0 ? at : 59 - at) / 60);
    // The later a page, the more others link to it.
    for (let from = 0; from < 59; from++) crawl.visit(`${A}/from/${from}`, PAGES.slice(from + 1));
    crawl.maintain();
  }
  assert.ok(believed(agreeing, PAGES[59]) > 60, agreeing.order.place(task(PAGES[59])).why);
  assert.equal(believed(opposed, PAGES[0]), 0);
});

test('a site that gives every page the highest priority says nothing by that', () => {
  const crawl = new OrderProbe(newOrder('sitemap-priority:5,depth:1'));
  list(crawl, () => 1);
  crawl.visit(`${A}/`, [`${A}/plain`]);
  crawl.maintain();
  const lane = crawl.laneOf(`${A}/plain`);
  for (const page of PAGES) assert.equal(crawl.laneOf(page), lane);
});

test('a priority is known again after a restart', async () => {
  const order = newOrder();
  const waiting = [0.2, 0.8].map((priority, at) => ({
    ...{ fingerprint: fingerprint(PAGES[at]), url: PAGES[at] as CanonicalUrl, host: 'a.example' as HostKey, depth: 1 },
    ...{ inFeed: false, foundAt: START, lane: 5, why: `its sitemap gives it priority ${priority} (25 % believed)` },
  }));
  await restored(order, { waiting: () => waiting });
  assert.match(order.place(task(PAGES[1])).why ?? '', /priority 0\.8/);
});
