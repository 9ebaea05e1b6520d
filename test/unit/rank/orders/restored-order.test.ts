import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import type { CrawlOrder, PastVisit } from '../../../../src/contracts/crawl-order.ts';
import type { WaitingPlace } from '../../../../src/contracts/place.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { generateGraph } from '../../../../src/laboratory/generated-graph.ts';
import { createOrder } from '../../../../src/rank/orders/create-order.ts';
import { compilePattern } from '../../../../src/scope/url-pattern.ts';
import { OrderProbe, restored, task } from './order-probe.ts';

const START = 1_800_000_000_000;
const boost = (pattern: string, boost: number) => ({ pattern: compilePattern(pattern), boost });
const BOOSTS = [boost('/a/*', 2)];
const make = (order: string, boosts = BOOSTS): CrawlOrder =>
  createOrder({ order, lanes: 64, boosts, now: () => START });

/** A crawl of a small web, breadth-first whatever the order says, as far as `visits` pages. */
function crawl(order: CrawlOrder, visits: number): { probe: OrderProbe; past: PastVisit[]; waiting: WaitingPlace[] } {
  const { urls, starts, targets } = generateGraph({ pages: 600, seed: 5, pagesPerHost: 60 });
  const probe = new OrderProbe(order);
  const queue = [urls[0]];
  const past: PastVisit[] = [];
  const numbers = new Map(urls.map((url, page) => [url, page]));
  probe.seed(urls[0]);
  while (past.length < visits) {
    const url = queue.shift() as string;
    const page = numbers.get(url) as number;
    const links = Array.from(targets.subarray(starts[page], starts[page + 1]), (target) => urls[target]);
    queue.push(...links.filter((link) => !probe.places.has(link)));
    probe.visit(url, links);
    past.push({ url: url as CanonicalUrl, links: links as CanonicalUrl[] });
  }
  const waiting = queue.map((url) => ({
    ...{ url: url as CanonicalUrl, fingerprint: fingerprint(url), host: new URL(url).host as HostKey, depth: 2 },
    ...{ inFeed: false, foundAt: START, ...(probe.places.get(url) as { lane: number; why?: string }) },
  }));
  return { probe, past, waiting };
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

const earlier = (past: readonly PastVisit[], waiting: readonly WaitingPlace[]) => ({
  waiting: () => waiting,
  past: { pages: () => past.map(({ url }) => fingerprint(url)), visits: () => each(past) },
});

for (const kind of [
  'in-degree',
  'out-degree',
  'host-rank',
  'host-size',
  'depth:1,path-depth:1',
  'in-degree:1,path-children:1,boost:1',
]) {
  test(`${kind}: what is known after a restart is what was known before`, async () => {
    const { probe, past, waiting } = crawl(make(kind), 150);
    const order = make(kind);
    order.place(task(past[0].url, 0, { how: 'seed' }));
    await restored(order, earlier(past, waiting));
    assert.ok(waiting.length > 100);
    for (const { url } of waiting) assert.equal(order.place(task(url)).why, probe.order.place(task(url)).why);
  });
}

for (const kind of ['pagerank', 'opic', 'best-first']) {
  test(`${kind}: nearly the same is known after a restart, and places agree`, async () => {
    const { probe, past, waiting } = crawl(make(kind), 150);
    probe.maintain();
    const order = make(kind);
    order.place(task(past[0].url, 0, { how: 'seed' }));
    await restored(order, earlier(past, waiting));
    let moved = 0;
    for (const { url } of waiting) {
      const now = order.place(task(url));
      const before = probe.order.place(task(url));
      assert.ok(Math.abs(timesIn(now.why) - timesIn(before.why)) <= 0.03 * timesIn(before.why) + 0.11, now.why);
      if (Math.abs(now.lane - before.lane) > 8) moved++;
    }
    assert.ok(moved < 0.05 * waiting.length, `${moved} of ${waiting.length} have another place`);
  });
}

test('where no links were kept the lanes tell, and the URLs what they can', async () => {
  const { waiting } = crawl(make('best-first'), 150);
  const order = make('best-first');
  await restored(order, { waiting: () => waiting });
  for (const { url, lane } of waiting) {
    const place = order.place(task(url));
    assert.ok(Math.abs(place.lane - lane) <= 1, `${url} ${place.lane} ${lane}`);
    assert.match(place.why ?? '', /path depth [0-9]+.*known before the last stop/);
  }
});

test('what a feed named and what links promised is known again', async () => {
  const place = {
    ...{ fingerprint: fingerprint('http://a.example/x'), url: 'http://a.example/x' as CanonicalUrl },
    ...{ host: 'a.example' as HostKey, depth: 1, lane: 3, foundAt: START, inFeed: true },
    why: 'its links promise 63 % of the topic, item of a feed',
  };
  const order = make('topic:1,feeds:1');
  await restored(order, earlier([], [place]));
  assert.equal(order.place(task(place.url)).why, place.why);
});

for (const past of ['with links', 'without links']) {
  const known = (links: readonly PastVisit[], waiting: readonly WaitingPlace[]) =>
    past === 'with links' ? earlier(links, waiting) : { waiting: () => waiting };
  const isWished = ({ url }: WaitingPlace): boolean => /[0-9a-h]$/.test(url);

  for (const [before, after] of [
    [[], [boost('re:[0-9a-h]$', 20)]],
    [[boost('re:[i-z]$', 20)], [boost('re:[0-9a-h]$', 20)]],
    [[boost('re:[0-9a-h]$', -100)], [boost('re:[i-z]$', -20)]],
  ])
    test(`other boosts at a restart move what waits, ${past}: ${named(before)} then ${named(after)}`, async () => {
      const { past: links, waiting } = crawl(make('best-first', before), 150);
      const order = make('best-first', after);
      const changes = await restored(order, { ...known(links, waiting), changed: 'boosts' });
      assert.equal(changes.length, waiting.length);
      const lanes = new Map(changes.map(({ fingerprint, lane }) => [fingerprint, lane]));
      const laneOf = ({ fingerprint }: WaitingPlace): number => lanes.get(fingerprint) as number;
      const wished = waiting.filter(isWished).map(laneOf);
      const others = waiting.filter((place) => !isWished(place)).map(laneOf);
      assert.ok(wished.length > 50 && others.length > 50);
      // A lane at the border may hold some of both.
      assert.ok(Math.max(...wished) <= Math.min(...others), `${Math.max(...wished)} ${Math.min(...others)}`);
    });

  test(`boosts that are gone at a restart leave nothing behind, ${past}`, async () => {
    const { past: links, waiting } = crawl(make('best-first', [boost('re:[0-9a-h]$', -100)]), 150);
    const order = make('best-first', []);
    const changes = await restored(order, { ...known(links, waiting), changed: 'boosts' });
    const lanes = new Map(changes.map(({ fingerprint, lane }) => [fingerprint, lane]));
    const meanOf = (places: readonly WaitingPlace[]): number =>
      places.reduce((sum, { fingerprint }) => sum + (lanes.get(fingerprint) ?? 0), 0) / places.length;
    const wished = meanOf(waiting.filter(isWished));
    const others = meanOf(waiting.filter((place) => !isWished(place)));
    assert.ok(Math.abs(wished - others) < 12, `${wished} ${others}`);
    assert.ok(changes.every(({ why }) => !why.includes('boost')));
  });

  for (const [from, to] of [
    ['breadth-first', 'in-degree'],
    ['host-size', 'depth:1,in-degree:0.1'],
    ['best-first', 'breadth-first'],
    ['depth-first', 'breadth-first'],
    ['in-degree', 'depth-first'],
  ])
    test(`${from}, then ${to}: all that wait get places of the new order, ${past}`, async () => {
      const { past: links, waiting } = crawl(make(from, []), 150);
      const order = make(to, []);
      const seed = { ...waiting[7], isSeed: true };
      const all = waiting.with(7, seed);
      const changes = await restored(order, { ...known(links, all), changed: 'order' });
      assert.deepEqual(
        changes.map(({ fingerprint }) => fingerprint).sort(),
        waiting.map(({ fingerprint }) => fingerprint).sort(),
      );
      const told = new Map(changes.map((change) => [change.fingerprint, change]));
      assert.equal(told.get(seed.fingerprint)?.lane, 0);
      for (const place of waiting) {
        if (place.fingerprint === seed.fingerprint) continue;
        const { lane, why } = order.place(task(place.url, place.depth));
        const change = told.get(place.fingerprint);
        assert.deepEqual({ lane: change?.lane, why: change?.why }, { lane, why });
      }
    });
}

test('a restart can be left between batches', async () => {
  const { past, waiting } = crawl(make('best-first'), 150);
  const { past: known, ...rest } = earlier(past, waiting);
  let read = 0;
  const counted = async function* () {
    for await (const visit of known.visits()) {
      read++;
      yield visit;
    }
  };
  for await (const _ of make('best-first').restore({ ...rest, past: { ...known, visits: counted } })) break;
  assert.ok(read > 0 && read < 50, `${read} of ${past.length}`);
});

function named(boosts: readonly { pattern: { text: string }; boost: number }[]): string {
  return boosts.map(({ pattern, boost }) => `${pattern.text}=${boost}`).join(' ') || 'none';
}

function timesIn(why = ''): number {
  return Number(/([\d.]+) times the mean/.exec(why)?.[1]);
}
