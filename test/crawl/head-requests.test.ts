import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { leaveWord } from '../../src/crawl/notify/push-inbox.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { formatOutcome } from '../../src/crawl/report/url-report.ts';
import { textOf } from './any-host-web.ts';
import { changesIn, crawlUntil, DAY, largePage, largeSite, serveSite } from './changing-site.ts';
import { temporaryFolder } from './crawl-web.ts';
import { StepClock } from './step-clock.ts';

const BUDGET = { requestsPerDay: 60 };

/** `/p0` is another after its first visit, and longer: lengths are seen to tell something. */
function editedSite(count: number): Map<string, string> {
  const pages = largeSite(count);
  let visits = 0;
  const edited = largePage('/p0', textOf('edited', 80));
  pages.get = (path) => (path === '/p0' && visits++ > 0 ? edited : Map.prototype.get.call(pages, path));
  return pages;
}

test('pages without validators are asked for with HEAD once lengths have proven true, and a change of the same length is found at last', async () => {
  using folder = temporaryFolder();
  const pages = editedSite(25);
  using site = await serveSite(pages);
  await crawlUntil(folder.path, `${site.origin}/`, () => site.times('HEAD') >= 30, BUDGET);
  const first = site.asked.findIndex(({ method }) => method === 'HEAD');
  const compared = first - new Set(site.asked.slice(0, first).map(({ path }) => path)).size;
  assert.ok(compared >= 50, `no HEAD before lengths were tried: ${compared} times`);

  // It is remembered: a crawl that goes on begins with HEAD where it left off.
  const [heads, gets, bytes] = [site.times('HEAD'), site.times('GET'), site.sent()];
  await crawlUntil(folder.path, `${site.origin}/`, () => site.times('HEAD') >= heads + 30, BUDGET);
  const [looks, bodies] = [site.times('HEAD') - heads, site.times('GET') - gets];
  assert.ok(bodies < looks / 2, `${bodies} GET beside ${looks} HEAD`);
  assert.ok(site.sent() - bytes < ((looks + bodies) * 20_000) / 2, 'most bytes were spared');

  const text = pages.get('/p7') as string;
  const hidden = text.replace(/<p>(\w)/, (_, letter) => `<p>${letter === 'Q' ? 'Z' : 'Q'}`);
  assert.equal(hidden.length, text.length);
  pages.set('/p7', hidden);
  pages.set('/p8', largePage('/p8', textOf('another', 61)));
  const found = () => changesIn(folder.path);
  const seen = ['/p7', '/p8'].map((path) => [path, site.times('GET', path)] as const);
  const both = () => {
    // A look into the folder costs more than a visit.
    if (seen.some(([path, before]) => site.times('GET', path) === before)) return false;
    const lines = found();
    return lines.includes('changed /p7') && lines.includes('changed /p8');
  };
  await crawlUntil(folder.path, `${site.origin}/`, both, BUDGET);
  assert.deepEqual(
    found().filter((line) => line.startsWith('changed') && line !== 'changed /p0'),
    found().filter((line) => line === 'changed /p7' || line === 'changed /p8'),
  );
  assert.ok(both());

  using reader = new CrawlReader(folder.path);
  const looked = site.asked.findLast(({ method, path }) => method === 'HEAD' && !/p[78]$/.test(path))?.path;
  const { page } = await reader.explain(`${site.origin}${looked}`);
  const story = (page?.history ?? []).map(formatOutcome);
  assert.ok(story.includes('unchanged since the last visit, by HEAD: the length of the body is the same'));
  const { upkeep, totals } = await reader.status(0);
  assert.equal(upkeep?.heads?.asked, site.times('HEAD'));
  assert.ok((upkeep?.heads?.spared ?? 0) > 30 * 20_000);
  assert.equal(upkeep?.heads?.believed, 0, 'a length that hid one of two changes is believed no more');
  assert.equal(totals.requests, site.asked.length, 'a HEAD is a request');
  assert.ok(totals.bytes <= site.sent());
  const versions = await reader.versions(`${site.origin}${looked}`);
  assert.equal(versions.length, site.times('GET', looked), 'HEAD leaves nothing in the archive');
  assert.match((await reader.get(`${site.origin}${looked}`)).body.toString(), /\w/);
});

test('at most four visits in a row are settled by HEAD', async () => {
  using folder = temporaryFolder();
  using site = await serveSite(editedSite(10));
  await crawlUntil(folder.path, `${site.origin}/`, () => site.times('HEAD') >= 36, BUDGET);
  for (let i = 0; i < 10; i++) {
    const methods = site.asked.filter(({ path }) => path === `/p${i}`).map(({ method }) => method[0]);
    assert.doesNotMatch(methods.join(''), /HHHHH/);
  }
});

test('a server that refuses HEAD is asked once and never again, also after a restart', async () => {
  using folder = temporaryFolder();
  using site = await serveSite(editedSite(20), { head: () => ({ status: 405 }) });
  await crawlUntil(folder.path, `${site.origin}/`, () => site.asked.length >= 100, BUDGET);
  assert.equal(site.times('HEAD'), 1);
  const at = site.asked.findIndex(({ method }) => method === 'HEAD');
  const { path } = site.asked[at];
  assert.ok(
    site.asked.slice(at + 1).some((one) => one.path === path),
    'GET followed',
  );
  await crawlUntil(folder.path, `${site.origin}/`, () => site.asked.length >= 125, BUDGET);
  assert.equal(site.times('HEAD'), 1);
  using reader = new CrawlReader(folder.path);
  assert.equal((await reader.status(0)).upkeep?.heads?.refusing, 1);
  assert.deepEqual(
    changesIn(folder.path).filter((line) => !line.startsWith('new')),
    ['changed /p0'],
  );
});

test('a server whose HEAD tells something else than its GET is given up after two tries', async () => {
  using folder = temporaryFolder();
  using site = await serveSite(editedSite(20), { head: () => ({ status: 200, length: 0 }) });
  await crawlUntil(folder.path, `${site.origin}/`, () => site.asked.length >= 110, BUDGET);
  assert.equal(site.times('HEAD'), 2);
});

test('a digest needs no trust in lengths; small pages and a crawl without HEAD are left alone', async () => {
  const digested = (body: string) => ({
    'repr-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
  });
  for (const [bytes, extra, expected] of [
    [20_000, {}, true],
    [1000, {}, false],
    [20_000, { headRequests: 'off' }, false],
  ] as const) {
    using folder = temporaryFolder();
    using site = await serveSite(largeSite(10, bytes), { headers: digested });
    const enough = () => site.times('HEAD') > 0 || site.asked.length >= 60;
    await crawlUntil(folder.path, `${site.origin}/`, enough, { requestsPerDay: 20, ...extra });
    assert.equal(site.times('HEAD') > 0, expected);
  }
});

test('a page of which somebody says that it has changed is asked for with GET', async () => {
  using folder = temporaryFolder();
  const pages = editedSite(20);
  using site = await serveSite(pages);
  const heads = () => site.times('HEAD', '/p3');
  await crawlUntil(folder.path, `${site.origin}/`, () => heads() > 0, BUDGET);
  const before = pages.get('/p3') as string;
  pages.set(
    '/p3',
    before.replace(/<p>(\w)/, (_, letter) => `<p>${letter === 'Q' ? 'Z' : 'Q'}`),
  );
  const [looks, bodies] = [heads(), site.times('GET', '/p3')];
  await leaveWord(folder.path, [`${site.origin}/p3`], Date.now());
  await crawlUntil(folder.path, `${site.origin}/`, () => site.times('GET', '/p3') > bodies, BUDGET);
  assert.equal(heads(), looks);
  assert.ok(changesIn(folder.path).includes('changed /p3'));
});

test('with a budget HEAD and the GET that follows it count as two requests', async () => {
  using folder = temporaryFolder();
  const pages = editedSite(20);
  using site = await serveSite(pages);
  await crawlUntil(folder.path, `${site.origin}/`, () => site.times('HEAD') >= 20, BUDGET);
  for (let i = 0; i < 20; i++) pages.set(`/p${i}`, largePage(`/p${i}`, textOf(`new ${i}`, 70)));
  const clock = new StepClock();
  const [asked, began] = [site.asked.length, clock.now()];
  await crawlUntil(
    folder.path,
    `${site.origin}/`,
    () => site.asked.length >= asked + 60,
    { requestsPerDay: 30 },
    clock,
  );
  const days = (clock.now() - began) / DAY;
  assert.ok(site.asked.length - asked <= 30 * days + 4, `${site.asked.length - asked} in ${days} days`);
});
