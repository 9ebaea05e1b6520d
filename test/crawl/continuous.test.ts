import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { leaveWord } from '../../src/crawl/notify/push-inbox.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { textOf } from './any-host-web.ts';
import { changesIn, crawlUntil, DAY } from './changing-site.ts';
import { temporaryFolder } from './crawl-web.ts';
import { StepClock } from './step-clock.ts';

interface Answer {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

/** A site whose pages are what the test says they are at the moment. */
async function serveSite(pages: Map<string, Answer>) {
  const asked: { path: string; conditional: boolean }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const etag = request.headers['if-none-match'];
    asked.push({ path, conditional: etag !== undefined });
    const { status = 200, body, headers = {} } = pages.get(path) ?? { status: 404, body: '<title>404</title>' };
    if (etag !== undefined && etag === headers.etag) return void response.writeHead(304, headers).end();
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    asked,
    times: (path: string) => asked.filter((request) => request.path === path).length,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const page = (name: string, text: string, links: readonly string[] = [], around = ''): string =>
  `<!doctype html><title>${name}</title><body><aside>${around}</aside><article><h1>${name}</h1><p>${text}</p></article>
   ${links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('')}</body>`;

test('a continuous crawl notices what is new, changed, gone, moved and back, and nothing else', async () => {
  using folder = temporaryFolder();
  const words = (name: string): string => textOf(name, 80);
  const pages = new Map<string, Answer>([
    ['/', { body: page('home', words('home'), ['/same', '/edited', '/gone', '/moved', '/ads']) }],
    ['/same', { body: page('same', words('same')), headers: { etag: '"1"' } }],
    ['/edited', { body: page('edited', words('before')) }],
    ['/gone', { body: page('gone', words('gone')) }],
    ['/moved', { body: page('moved', words('moved')) }],
    ['/ads', { body: page('ads', words('ads'), [], 'Buy one') }],
  ]);
  using site = await serveSite(pages);
  await crawlUntil(folder.path, `${site.origin}/`, () => changesIn(folder.path).length >= 6);
  assert.deepEqual(
    changesIn(folder.path).sort(),
    ['/', '/ads', '/edited', '/gone', '/moved', '/same'].map((path) => `new ${path}`),
  );

  pages.set('/edited', { body: page('edited', words('after')) });
  pages.delete('/gone');
  pages.set('/moved', { status: 301, body: '', headers: { location: '/target' } });
  pages.set('/target', { body: page('target', words('target')) });
  pages.set('/ads', { body: page('ads', words('ads'), [], 'Buy two') });
  const ads = site.times('/ads');
  const all = () =>
    ['changed /edited', 'gone /gone', 'moved /moved', 'new /target'].every((line) =>
      changesIn(folder.path).includes(line),
    ) &&
    site.times('/ads') > ads &&
    // Now and then a page is asked for in full all the same; in the end it is asked with its ETag.
    site.asked.some(({ path, conditional }) => path === '/same' && conditional);
  await crawlUntil(folder.path, `${site.origin}/`, all);
  assert.deepEqual(changesIn(folder.path).slice(6).sort(), [
    'changed /edited',
    'gone /gone',
    'moved /moved',
    'new /target',
  ]);
  pages.set('/gone', { body: page('gone', words('gone')) });
  await crawlUntil(folder.path, `${site.origin}/`, () => changesIn(folder.path).includes('back /gone'));
  assert.equal(changesIn(folder.path).filter((line) => line === 'back /gone').length, 1);

  using reader = new CrawlReader(folder.path);
  const { page: edited } = await reader.explain(`${site.origin}/edited`);
  assert.ok((edited?.changes?.changes ?? 0) >= 1);
  assert.ok(edited?.nextVisit !== undefined && edited.nextVisitWhy !== undefined);
  assert.ok((await reader.versions(`${site.origin}/edited`)).length >= 2);
  const { pages: counted } = (await reader.status(0)).totals;
  assert.equal(counted, 6, 'a page that is visited again is still one page');
});

test('webhooks are told of changes, signed', async () => {
  using folder = temporaryFolder();
  using site = await serveSite(new Map([['/', { body: page('home', textOf('home', 60)) }]]));
  const told: { signature: string; body: string }[] = [];
  const hook = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    told.push({ signature: String(request.headers['x-orbweaver-signature']), body });
    response.end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  try {
    const webhook = [`http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`];
    await crawlUntil(folder.path, `${site.origin}/`, () => told.length > 0, { webhook, webhookSecret: 'secret' });
    assert.deepEqual(
      JSON.parse(told[0].body).changes.map(({ url, kind }: { url: string; kind: string }) => `${kind} ${url}`),
      [`new ${site.origin}/`],
    );
    const expected = createHmac('sha256', 'secret').update(told[0].body).digest('hex');
    assert.ok(told[0].signature.endsWith(expected));
  } finally {
    hook.closeAllConnections();
    hook.close();
  }
});

test('a crawl that has ended goes on when it is made continuous, and ends again when it is not', async () => {
  using folder = temporaryFolder();
  const pages = new Map<string, Answer>([
    ['/', { body: page('home', textOf('home', 60), ['/a']) }],
    ['/a', { body: page('a', textOf('a', 60)) }],
  ]);
  using site = await serveSite(pages);
  const once = { continuous: false };
  const first = await crawlUntil(folder.path, `${site.origin}/`, () => false, once);
  assert.equal(first.ended, 'finished');
  await crawlUntil(folder.path, `${site.origin}/`, () => site.times('/a') > 1);
  assert.ok(site.times('/a') > 1, 'visited again');
  const asked = site.asked.length;
  const last = await crawlUntil(folder.path, `${site.origin}/`, () => false, once);
  assert.equal(last.ended, 'finished');
  assert.equal(site.asked.length, asked, 'without another request');
});

test('word of a page that nobody links to brings it in; what is out of scope stays out', async () => {
  using folder = temporaryFolder();
  const pages = new Map<string, Answer>([
    ['/', { body: page('home', textOf('home', 60)) }],
    ['/unlinked', { body: page('unlinked', textOf('unlinked', 60)) }],
  ]);
  using site = await serveSite(pages);
  await leaveWord(folder.path, [`${site.origin}/unlinked`, 'http://elsewhere.test/', 'nonsense'], Date.now());
  await crawlUntil(folder.path, `${site.origin}/`, () => site.times('/unlinked') > 0);
  assert.equal(site.times('/unlinked'), 1);
  assert.deepEqual(changesIn(folder.path).sort(), ['new /', 'new /unlinked']);
});

test('the budget of requests holds', async () => {
  using folder = temporaryFolder();
  const names = Array.from({ length: 30 }, (_, i) => `/p${i}`);
  const pages = new Map<string, Answer>(names.map((name) => [name, { body: page(name, textOf(name, 60)) }]));
  pages.set('/', { body: page('home', textOf('home', 60), names) });
  using site = await serveSite(pages);
  const clock = new StepClock();
  const crawlTo = (requests: number) =>
    crawlUntil(folder.path, `${site.origin}/`, () => site.asked.length >= requests, { requestsPerDay: 10 }, clock);
  await crawlTo(31);
  const began = clock.now();
  const before = site.asked.length;
  await crawlTo(before + 40);
  const days = (clock.now() - began) / DAY;
  assert.ok(site.asked.length - before >= 40, 'they were used');
  assert.ok(site.asked.length - before <= 10 * days + 2, `${site.asked.length - before} in ${days} days`);
});

test('a page that is not modified stays one version, and can be had as of any visit', async () => {
  using folder = temporaryFolder();
  const body = page('steady', textOf('steady', 80));
  using site = await serveSite(new Map([['/', { body, headers: { etag: '"1"' } }]]));
  const seed = `${site.origin}/`;
  await crawlUntil(folder.path, seed, () => site.times('/') >= 4);
  assert.ok(site.asked.some(({ conditional }) => conditional));
  using reader = new CrawlReader(folder.path);
  const versions = await reader.versions(seed);
  assert.ok(versions.length >= 3, `${versions.length} copies`);
  assert.deepEqual(
    versions.map(({ revisit, changed }) => [revisit, changed]),
    versions.map((_, at) => [at > 0, at === 0 ? 'first' : 'same']),
  );
  for (const { date } of versions) {
    const copy = await reader.get(seed, date);
    assert.equal(new TextDecoder().decode(copy?.body), body);
  }
});
