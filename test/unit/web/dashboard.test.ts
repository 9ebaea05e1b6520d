import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlTotals } from '../../../src/contracts/page-store.ts';
import type { CrawlLook } from '../../../src/web/dashboard/crawl-watch.ts';
import { FolderWatch } from '../../../src/web/dashboard/folder-watch.ts';
import { RateBook } from '../../../src/web/dashboard/rate-book.ts';
import { HandClock, NOON, temporaryFolder } from '../archive/archive-fixture.ts';
import { CrawledFolder, html } from '../search/indexing/crawled-folder.ts';
import { busyLook, hostRecord } from './busy-look.ts';
import { serve } from './serving.ts';

const LOOK = busyLook(NOON);
const TOTALS = LOOK.totals;

const watchOf = (look: CrawlLook) => ({ look: async () => look });

test('what has ended cannot be paused', async () => {
  await using running = await serve({ watch: watchOf(LOOK) });
  assert.match((await running.get('/dashboard')).text, /<span class="live"><\/span>/);
  await using ended = await serve({ watch: watchOf({ ...LOOK, ended: { at: NOON, why: 'done' } }) });
  const { text } = await ended.get('/dashboard');
  assert.match(text, /Ended \(done\)/);
  assert.doesNotMatch(text, /class="live"/);
});

test('the dashboard tells what the crawl does, without a script', async () => {
  await using served = await serve({ watch: watchOf(LOOK) });
  const { status, text, headers } = await served.get('/dashboard');
  assert.equal(status, 200);
  assert.match(String(headers['content-security-policy']), /script-src 'self'/);
  for (const said of [
    ...['1,200', '1,100 distinct', '3.2 MB', '12', 'Running', 'robots', 'http-500', 'busy.example', 'in 1.5 s'],
    ...[
      '2.5 s',
      'connection refused',
      'tries again in 9 s',
      '12 more',
      'HTTP 503',
      'cal.example/day/*',
      'nothing new in 40 visits',
      'http://m.example',
    ],
    ...['91.2 %', 'uniform', '2 hosts count as spam'],
  ])
    assert.ok(text.includes(said), said);
  assert.doesNotMatch(text, /http-equiv="refresh"/i);
  assert.match((await served.get('/')).text, /href="\/dashboard"/);
});

test('the pace of a run leaves out the requests of those before it; one of anything is said so', async () => {
  const ended = { at: NOON, why: 'finished' };
  const look = { ...LOOK, startedAt: NOON - 100_000, ended, hosts: 1, queued: 1, requestsBefore: 500 };
  await using served = await serve({ watch: watchOf(look) });
  const { text } = await served.get('/dashboard');
  assert.match(text, /This run, with all waits: 10 requests a second/);
  assert.match(text, /<dt>host<\/dt>.*<dt>near duplicates<\/dt>/s);
  assert.match(text, /<dt>URL waits<\/dt>/);
});

test('trouble with hosts stands above all figures; a crawl that has just begun is not called cut off', async () => {
  const begun = { ...LOOK, startedAt: NOON - 2000, visits: [] };
  await using served = await serve({ watch: watchOf(begun) });
  const { text } = await served.get('/dashboard');
  assert.ok(text.indexOf('gone.example') < text.indexOf('class="tiles"'));
  assert.match(text, /Running, begun/);
  await using calm = await serve({ watch: watchOf({ ...LOOK, waiting: [], waitingHosts: 0 }) });
  assert.doesNotMatch((await calm.get('/dashboard')).text, /do not answer/);
});

test('what came from outside stays inert', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  await using served = await serve({
    watch: watchOf({
      ...LOOK,
      totals: { ...TOTALS, failed: { [hostile]: 1 } },
      busiest: [hostRecord(hostile)],
      waiting: [{ ...hostRecord(hostile), reason: hostile, next: hostile }],
      held: [{ pattern: hostile, reason: hostile, known: 1, visits: 1 }],
      mirrors: [{ mirror: hostile, original: hostile, why: hostile }],
    }),
  });
  const { text } = await served.get('/dashboard');
  assert.ok(!text.includes('<img') && !text.includes('/<script>'));
  assert.ok(text.includes('&lt;img'));
});

test('a page that is open takes the main part alone; programs take JSON', async () => {
  await using served = await serve({ watch: watchOf(LOOK) });
  const part = await served.get('/dashboard?part=1');
  assert.match(part.text, /^<article class="dashboard">/);
  const json = JSON.parse((await served.get('/dashboard.json')).text) as CrawlLook & { rates: { steps: unknown[] } };
  assert.equal(json.totals.pages, 1200);
  assert.deepEqual(json.rates.steps, []);
});

test('an index of imported documents has no crawl to watch', async () => {
  await using served = await serve();
  assert.match((await served.get('/dashboard')).text, /No crawl/);
  assert.equal((await served.get('/dashboard.json')).status, 404);
});

test('the pace is what the totals have grown by, and forgets what is long ago', () => {
  const book = new RateBook();
  const totals = (requests: number): CrawlTotals => ({
    ...TOTALS,
    requests,
    pages: requests / 2,
    bytes: requests * 100,
  });
  assert.equal(book.over(60_000), undefined);
  book.note(0, totals(0));
  book.note(500, totals(999));
  book.note(2000, totals(20));
  book.note(4000, totals(60));
  assert.deepEqual(
    book.steps().map(({ requests, pages }) => [requests, pages]),
    [
      [10, 5],
      [20, 10],
    ],
  );
  assert.equal(book.over(60_000)?.requests, 15);
  assert.equal(book.over(2000)?.requests, 20);
  book.note(6000, totals(10));
  assert.deepEqual(book.steps(), [], 'another crawl has begun in the folder');
  book.note(6000 + 700_000, totals(20));
  assert.deepEqual(book.steps(), []);
  for (let at = 1; at < 1000; at++) book.note(1_000_000 + at * 1000, totals(100 + at));
  assert.ok(book.steps().length <= 400);
});

test('a crawl folder is looked at beside the crawl; several readers share a look', async (t) => {
  const folder = temporaryFolder(t);
  await using crawl = new CrawledFolder(folder);
  await crawl.visit('http://a.example/1', { html: html('One', 'words'), text: 'words' });
  const clock = new HandClock();
  using watch = new FolderWatch(folder, clock);
  const first = await watch.look();
  assert.deepEqual(
    first.visits.map(({ url, status }) => [url, status]),
    [['http://a.example/1', 200]],
  );
  await crawl.visit('http://a.example/2', { html: html('Two', 'words'), text: 'other words' });
  assert.equal(await watch.look(), first);
  clock.time += 1000;
  assert.deepEqual(
    (await watch.look()).visits.map(({ url }) => url),
    ['http://a.example/2', 'http://a.example/1'],
  );
});
