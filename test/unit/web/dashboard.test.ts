import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlLook } from '../../../src/web/dashboard/crawl-watch.ts';
import { FolderWatch } from '../../../src/web/dashboard/folder-watch.ts';
import { amountBins, rateBins } from '../../../src/web/dashboard/time-bins.ts';
import { niceTop } from '../../../src/web/dashboard/time-chart.ts';
import { formatCount } from '../../../src/web/frame/written-amount.ts';
import { HandClock, NOON, temporaryFolder } from '../archive/archive-fixture.ts';
import { CrawledFolder, html } from '../search/indexing/crawled-folder.ts';
import { busyLook, busySample, hostRecord } from './busy-look.ts';
import { serve } from './serving.ts';

const LOOK = busyLook(NOON);
const TOTALS = LOOK.totals;

const watchOf = (look: CrawlLook) => ({ look: async () => look });

test('a crawl that has ended is watched on: its next run shows on the open page', async () => {
  let look: CrawlLook = { ...LOOK, ended: { at: NOON, why: 'done' } };
  await using served = await serve({ watch: { look: async () => look } });
  const { text } = await served.get('/dashboard');
  assert.match(text, /Ended \(done\)/);
  assert.match(text, /<span class="live"><\/span>/);
  const stream = await fetch(`${served.listening.url}dashboard/events`);
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  let heard = '';
  const hear = async (what: string): Promise<void> => {
    while (!heard.includes(what)) heard += Buffer.from((await reader.read()).value ?? []).toString();
  };
  await hear('data-stands=\\"ended\\"');
  look = LOOK;
  await hear('data-stands=\\"running\\"');
  await reader.cancel();
});

test('the dashboard tells what the crawl does, without a script', async () => {
  await using served = await serve({ watch: watchOf(LOOK) });
  const { status, text, headers } = await served.get('/dashboard');
  assert.equal(status, 200);
  assert.match(String(headers['content-security-policy']), /script-src 'self'/);
  for (const said of [
    ...[
      '1,200',
      '107',
      '100 exact, 7 near',
      '3.2 MB',
      '12',
      'Running',
      'robots',
      'http-500',
      'busy.example',
      'in 1.5 s',
    ],
    ...[
      '2.5 s',
      'connection refused',
      'tries again in 9 s',
      '12 more',
      'No pause was shorter than owed',
      'Suspected traps',
      'Status codes',
      'failed: reset',
      'Queue 2',
      '1 ready, 1 resting, 2 held',
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
  assert.match(text, /10\/s on average/);
  assert.match(text, /<dt>host<\/dt>.*<dt>duplicates<\/dt>/s);
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

test('programs take JSON; charts go as far back as is asked', async () => {
  await using served = await serve({ watch: watchOf(LOOK) });
  const json = JSON.parse((await served.get('/dashboard.json')).text) as CrawlLook & { now: { pages: number } };
  assert.equal(json.totals.pages, 1200);
  assert.ok(json.now.pages > 0);
  assert.equal(json.monitor?.samples.length, 60);
  assert.equal((await served.get('/dashboard?span=2h')).status, 200);
  assert.equal((await served.get('/dashboard?span=forever')).status, 400);
});

test('an index of imported documents has no crawl to watch', async () => {
  await using served = await serve();
  assert.match((await served.get('/dashboard')).text, /No crawl/);
  assert.equal((await served.get('/dashboard.json')).status, 404);
});

test('what changes is streamed part by part; one picture serves all readers, and the server ends without waiting for them', async () => {
  let looks = 0;
  // A look is known by its figure.
  const watch = { look: async () => ({ ...LOOK, at: Date.now(), queued: 700_000 + ++looks }) };
  await using served = await serve({ watch });
  const readers = await Promise.all([1, 2, 3].map(() => fetch(`${served.listening.url}dashboard/events`)));
  const texts = readers.map((reader) => (reader.body as ReadableStream<Uint8Array>).getReader());
  assert.match(String(readers[0].headers.get('content-type')), /^text\/event-stream/);
  // All are listening by now: this look, however late it comes, is for the three of them.
  const shared = formatCount(700_000 + looks + 2);
  const heard = ['', '', ''];
  const hear = async (at: number): Promise<void> => {
    while (heard[at].split('data: ').length < 3 || !heard[at].includes(shared))
      heard[at] += Buffer.from((await texts[at].read()).value ?? []).toString();
  };
  await Promise.all([hear(0), hear(1), hear(2)]);
  const [first, second] = heard[0]
    .split('data: ')
    .slice(1)
    .map((data) => Object.keys(JSON.parse(data)));
  assert.ok(first.length > 8, 'all parts first');
  assert.ok(second.includes('d-tiles') && !second.includes('d-counts'), `then what changed: ${second}`);
  // Would not end as long as it waited for those who listen.
  await served.listening.close();
  for (const text of texts) await text.cancel();
});

test('a stream is for GET alone, with a known span, and where there is a crawl', async () => {
  await using served = await serve({ watch: watchOf(LOOK) });
  assert.equal((await served.get('/dashboard/events?span=x')).status, 400);
  assert.equal((await served.get('/dashboard/events', {}, 'HEAD')).status, 200);
  assert.equal((await served.get('/dashboard/events', {}, 'POST')).status, 405);
  await using none = await serve();
  assert.equal((await none.get('/dashboard/events')).status, 404);
});

test('rates are what sums have grown by, whatever samples are left out; between two runs nothing is known', () => {
  const samples = Array.from({ length: 61 }, (_, second) => busySample(0, second));
  assert.deepEqual(rateBins(samples, 'pages', 0, 60_000, 6).values, [20, 20, 20, 20, 20, 20]);
  const few = samples.filter((_, at) => at % 7 === 0 || at === 60);
  for (const value of rateBins(few, 'pages', 0, 60_000, 6).values) assert.ok(Math.abs((value ?? 0) - 20) < 1e-9);
  const again = [
    ...samples.slice(0, 11),
    ...samples.slice(0, 11).map((one) => ({ ...one, at: one.at + 50_000, run: 1 })),
  ];
  assert.deepEqual(rateBins(again, 'pages', 0, 60_000, 6).values, [20, undefined, undefined, undefined, undefined, 20]);
  assert.deepEqual(amountBins(again, 'queued', 0, 60_000, 3).values, [420, undefined, 420]);
  assert.deepEqual(rateBins([], 'pages', 0, 60_000, 2).values, [undefined, undefined]);
});

test('an axis ends at a round number', () => {
  assert.deepEqual([0, 0.03, 1, 17, 230, 251, 9_999].map(niceTop), [1, 0.05, 1, 20, 250, 500, 10_000]);
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
  // However long the first took on a busy machine.
  clock.time += 600_000;
  assert.deepEqual(
    (await watch.look()).visits.map(({ url }) => url),
    ['http://a.example/2', 'http://a.example/1'],
  );
});

test('what goes through all hosts is shared for longer than the rest', async (t) => {
  const folder = temporaryFolder(t);
  await using crawl = new CrawledFolder(folder);
  await crawl.visit('http://a.example/1', { html: html('One', 'words'), text: 'words' });
  const clock = new HandClock();
  using watch = new FolderWatch(folder, clock);
  const first = await watch.look();
  await crawl.visit('http://a.example/2', { html: html('Two', 'words'), text: 'other words' });
  // More than the rest is shared for, less than lists of hosts are.
  clock.time += 800;
  const second = await watch.look();
  assert.deepEqual([first.visits.length, second.visits.length], [1, 2]);
  assert.equal(second.busiest, first.busiest);
});

test('a tile says nothing below its value where there is nothing to say', async () => {
  const { monitor, ...unmonitored } = LOOK;
  await using served = await serve({ watch: watchOf(unmonitored) });
  assert.doesNotMatch((await served.get('/dashboard')).text, /<dd><\/dd>/);
});

test('quality over time is shown as it was measured last: days as a chart, a short crawl by tenths', async () => {
  const DAY = 86_400_000;
  const from = Math.floor(NOON / DAY) * DAY;
  const age = [1, 2, 3].map((day) => ({
    ...{ at: from + day * DAY, copies: 100, sinceVisitDays: day, looked: 0, unchanged: 0 },
    ...(day === 3 ? { ageDays: 0.5 } : {}),
  }));
  const measured = { measuredAt: NOON, pages: 100, from, to: from + 3 * DAY, age };
  const bins = [2.5, 0.5].map((pageRank, at) => ({
    from: from + 2 * at * DAY,
    to: from + (2 * at + 1) * DAY,
    pages: 50,
    pageRank,
  }));
  let look: CrawlLook = { ...LOOK, quality: { ...measured, pageRank: { by: 'day', bins, ranked: 100 } } };
  await using served = await serve({ watch: { look: async () => look } });
  const { text } = await served.get('/dashboard');
  assert.match(text, /Quality over time/);
  assert.match(
    text,
    /PageRank by the day of the first fetch, 1 = average over 3 days: 0\.50 at the end, 2\.50 at most/,
  );
  assert.match(text, /Time since the last visit of a copy over 3 days: 3 days at the end/);
  assert.match(text, /estimated by rates of change over 3 days: 12\.0 h at the end/);
  look = { ...LOOK, quality: { ...measured, pageRank: { by: 'tenth', bins, ranked: 100 } } };
  assert.match((await served.get('/dashboard')).text, /<span>Tenth 1<\/span><meter [^>]*value="2\.5"/);
});
