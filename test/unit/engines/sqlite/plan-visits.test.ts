import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { Outcome } from '../../../../src/contracts/crawl-task.ts';
import type { ChangeHistory } from '../../../../src/contracts/revisit.ts';
import type { SettledPage } from '../../../../src/contracts/state/settled-page.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { factsOf, openedState, page, temporaryFolder, visitAll } from './state-folder.ts';

const HOUR = 3_600_000;
const ENDINGS: readonly Outcome[] = [
  { kind: 'stored' },
  { kind: 'redirected', to: 'http://a.test/0' },
  { kind: 'gone', status: 404 },
  { kind: 'refused', by: 'robots', rule: 'Disallow: /' },
  { kind: 'failed', code: 'reset' },
];

const LEFT_OUT: ReadonlySet<string> = new Set(['redirected', 'refused', 'failed']);

test('a crawl that visited every URL once goes on visiting them again, and none twice', async (t) => {
  const folder = temporaryFolder(t);
  const clock = new VirtualClock();
  const urls = Array.from({ length: 1300 }, (_, i) => `http://h${i % 60}.test/${i}`);
  const once = openedState(folder, clock);
  const numberOf = (url: string): number => Number(url.split('/').at(-1));
  await visitAll(once, clock, urls, ({ task: { url } }) => {
    const outcome = ENDINGS[numberOf(url) % ENDINGS.length];
    return { outcome, ...(outcome.kind === 'stored' ? { page: factsOf(url) } : {}) };
  });
  await once.frontier.add([page('http://new.test/')]);
  once[Symbol.dispose]();

  const on = openedState(folder, clock, { movable: true, revisits: true });
  const at = clock.now() + HOUR;
  const seen: SettledPage[] = [];
  const history = {
    since: 1,
    visitedAt: 1,
    visits: 1,
    changes: 0,
    intervals: [],
    rate: 1,
    evidence: 0,
  } as ChangeHistory;
  const plan = (settled: SettledPage) => {
    seen.push(settled);
    if (LEFT_OUT.has(settled.outcome.kind)) return undefined;
    return settled.outcome.kind === 'gone' ? at : { at, why: 'first plan', history, lane: 2 };
  };
  const some = [urls[0], 'https://nobody.test/'] as CanonicalUrl[];
  assert.equal(await on.planVisits((settled) => void seen.push(settled), { urls: some }), 0);
  assert.deepEqual(
    seen.splice(0).map(({ url }) => url),
    [urls[0]],
    'only the named page is asked about',
  );
  assert.equal(await on.planVisits(plan, { lane: 5 }), 520);
  assert.equal(seen.length, urls.length);
  const stored = seen.find(({ outcome }) => outcome.kind === 'stored');
  assert.equal(stored?.facts?.digest, stored?.url);
  assert.equal(stored?.host, new URL(stored?.url ?? '').host);
  seen.length = 0;
  assert.equal(await on.planVisits(plan), 0);
  assert.ok(
    seen.every(({ outcome }) => LEFT_OUT.has(outcome.kind)),
    'those that were left out are asked about again',
  );
  assert.deepEqual([(await on.frontier.counts()).queued, (await on.frontier.counts()).planned], [521, 520]);
  const record = await on.pages.page(urls[0] as CanonicalUrl);
  assert.deepEqual(
    [record?.state, record?.nextVisit, record?.nextVisitWhy, record?.changes, record?.place?.lane],
    ['queued', at, 'first plan', history, 2],
  );
  assert.equal((await on.pages.page(urls[2] as CanonicalUrl))?.place?.lane, 5);
  assert.equal(await on.frontier.updateRevisits([{ fingerprint: fingerprint(urls[0]), at: at - 1, why: 'push' }]), 1);
  clock.advance(HOUR + 1);
  const again: string[] = [];
  await visitAll(on, clock, [], ({ task, earlier }) => {
    again.push(task.url);
    return { outcome: earlier === undefined ? { kind: 'stored' } : { kind: 'unchanged' } };
  });
  assert.equal(again.length, 521);
  assert.equal(new Set(again).size, 521);
  on[Symbol.dispose]();
});

test('places of more URLs than fit a slice are found when a frontier becomes movable', async (t) => {
  const folder = temporaryFolder(t);
  const clock = new VirtualClock();
  const urls = Array.from({ length: 4500 }, (_, i) => `http://h${i % 7}.test/${i}`);
  const fixed = openedState(folder, clock);
  await fixed.frontier.add(urls.map((url, i) => page(url, { lane: i % 8 })));
  const robots = page('http://h0.test/robots.txt', { purpose: 'robots', forOrigin: 'http://x.test' });
  await fixed.frontier.add([robots]);
  fixed[Symbol.dispose]();
  const movable = openedState(folder, clock, { movable: true });
  const lanes = new Map([...movable.frontier.waiting()].map((place) => [place.fingerprint, place.lane]));
  assert.deepEqual(lanes, new Map(urls.map((url, i) => [fingerprint(url), i % 8])));
  movable[Symbol.dispose]();
});

test('the sketch of a page that has changed replaces the one it had', async (t) => {
  const clock = new VirtualClock();
  const state = openedState(temporaryFolder(t), clock, { revisits: true });
  const contentSketch = (document: number) => ({
    document,
    simhash: BigInt(document),
    shingles: 5,
    sketch: new Uint8Array(4),
  });
  const endings = [
    { page: factsOf('d1', { document: 1 }), contentSketch: contentSketch(1) },
    { outcome: { kind: 'unchanged' } as const, page: { ...factsOf('', { status: 304 }), digest: undefined } as never },
    { page: factsOf('d2', { document: 2 }), contentSketch: contentSketch(2) },
    { outcome: { kind: 'gone', status: 404 } as const, page: factsOf('', { status: 404 }) },
    { page: factsOf('d3', { document: 2 }), contentSketch: contentSketch(2) },
    { page: factsOf('d4') },
  ];
  const documents: number[][] = [];
  const left: boolean[] = [];
  for (const [round, ending] of endings.entries()) {
    await visitAll(state, clock, ['http://a.test/'], () => ({ ...ending, nextVisit: clock.now() + HOUR }));
    documents.push([...state.sketches.all()].map(([document]) => document));
    left.push(state.sketches.left(2) !== undefined);
    assert.equal((await state.frontier.counts()).planned, 1, `round ${round}`);
    clock.advance(HOUR);
  }
  assert.deepEqual(documents, [[1], [1], [2], [], [2], []]);
  assert.deepEqual(left, [false, false, false, true, false, false], 'kept while the page is gone');
  state[Symbol.dispose]();
});

test('what is tried again leaves its planned visit, also where that had fallen due', async (t) => {
  const folder = temporaryFolder(t);
  const clock = new VirtualClock();
  const urls = ['http://a.test/', 'http://b.test/', 'http://c.test/'];
  const failed = { kind: 'failed', code: 'http-500' } as const;
  const continuous = openedState(folder, clock, { revisits: true });
  await visitAll(continuous, clock, urls, ({ task: { url } }) => ({
    outcome: failed,
    ...{ nextVisit: clock.now() + (url === urls[0] ? HOUR : 9 * HOUR), nextVisitWhy: 'no page', planned: true },
  }));
  assert.equal(await continuous.retry(() => true, [urls[2] as CanonicalUrl]), 1);
  assert.equal(await continuous.retry(() => true, [urls[2] as CanonicalUrl]), 0, 'it is to be tried already');
  assert.deepEqual(
    [(await continuous.frontier.counts()).planned, (await continuous.pages.totals()).failed],
    [2, { 'http-500': 2 }],
  );
  await visitAll(continuous, clock, [], ({ task: { url } }) => ({ page: factsOf(url) }));
  clock.advance(2 * HOUR);
  // It falls due, so that it stands in its queue.
  assert.deepEqual(
    (await continuous.frontier.claim(5)).map(({ task }) => task.url),
    [urls[0]],
  );
  continuous[Symbol.dispose]();

  clock.advance(HOUR);
  const once = openedState(folder, clock);
  assert.equal(await once.retry(() => true), 2);
  const again: string[] = [];
  await visitAll(once, clock, [], ({ task }) => {
    again.push(task.url);
    return { page: factsOf(task.url) };
  });
  assert.deepEqual(again.sort(), urls.slice(0, 2));
  const { pages, failed: left } = await once.pages.totals();
  assert.deepEqual([pages, left], [3, {}]);
  once[Symbol.dispose]();
});

test('a URL redirects to where its last visit was sent, of those that tell', async (t) => {
  const clock = new VirtualClock();
  const state = openedState(temporaryFolder(t), clock, { revisits: true });
  const url = 'http://a.test/' as CanonicalUrl;
  const endings: readonly Outcome[] = [
    { kind: 'redirected', to: 'http://b.test/' },
    { kind: 'redirected', to: 'http://c.test/' },
    { kind: 'failed', code: 'reset' },
    { kind: 'stored' },
  ];
  const told: (string | undefined)[] = [state.pages.redirectOf(url)];
  for (const outcome of endings) {
    const page = outcome.kind === 'stored' ? { page: factsOf('d') } : {};
    await visitAll(state, clock, [url], () => ({ outcome, ...page, nextVisit: clock.now() + HOUR, planned: true }));
    told.push(state.pages.redirectOf(url));
    clock.advance(HOUR);
  }
  assert.deepEqual(told, [undefined, 'http://b.test/', 'http://c.test/', 'http://c.test/', undefined]);
  state[Symbol.dispose]();
});
