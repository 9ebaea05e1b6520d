import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import type { Settings } from '../../src/base/settings/schema.ts';
import { openCrawl } from '../../src/crawl/assemble.ts';
import { MOST_PUSHED_BYTES, openPushReceiver } from '../../src/crawl/notify/open-push-receiver.ts';
import { leaveWord, leaveWords } from '../../src/crawl/notify/push-inbox.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import type { FeedAssertionsSnapshot } from '../../src/crawl/revisits/feed-assertions.ts';
import type { RevisitSchedulerSnapshot } from '../../src/crawl/revisits/revisit-scheduler.ts';
import { readValue } from '../../src/engines/sqlite/rows/read-value.ts';
import { SqliteSubscriptions } from '../../src/engines/sqlite/sqlite-subscriptions.ts';
import { openStateForReading } from '../../src/engines/sqlite/state-database.ts';
import { PushRoutes } from '../../src/web/push-routes.ts';
import { serve } from '../unit/web/serving.ts';
import { textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const KEY = 'a1b2c3d4e5f6';
const TLS = join(import.meta.dirname, '../fixtures/tls');

interface Site extends AsyncDisposable {
  readonly origin: string;
  readonly pages: Map<string, { body: string; type?: string; headers?: Record<string, string> }>;
  times(path: string): number;
}

/** A site whose pages are what the test says they are at the moment. */
async function serveSite(): Promise<Site> {
  const pages: Site['pages'] = new Map();
  const asked: string[] = [];
  const serving = await listen((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const page = pages.get(path);
    if (page === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': page.type ?? 'text/html', ...page.headers }).end(page.body);
  });
  return { ...serving, pages, times: (path) => asked.filter((one) => one === path).length };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(answer: Answer, tls = false): Promise<{ readonly origin: string } & AsyncDisposable> {
  const options = { key: readFileSync(join(TLS, 'server-key.pem')), cert: readFileSync(join(TLS, 'server.pem')) };
  const server = tls ? createTlsServer(options, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const page = (name: string, links: readonly string[] = []): { body: string } => ({
  body: `<!doctype html><title>${name}</title><article><h1>${name}</h1><p>${textOf(name, 80)}</p></article>
   ${links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('')}`,
});

const feed = (origin: string, hub: string, items: readonly { path: string; updated: number }[]): string =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>${origin}/feed</id>
   ${hub === '' ? '' : `<link rel="hub" href="${hub}"/>`}<link rel="self" href="${origin}/feed.xml"/>
   ${items
     .map(
       ({ path, updated }) =>
         `<entry><id>${path}</id><title>${path}</title><link href="${origin}${path}"/>
          <updated>${new Date(updated).toISOString()}</updated></entry>`,
     )
     .join('')}</feed>`;

function settingsOf(extra: Partial<Settings>): Settings {
  const plain = {
    delay: 0,
    delayFactor: 0,
    sitemaps: 'off',
    workers: 0,
    allowPrivate: true,
    tlsVerify: false,
  } as const;
  const again = { continuous: true, revisitMin: 1, softNotFound: false } as const;
  return resolveSettings({ overrides: { ...plain, ...again, ...extra } }).settings;
}

/** The server of a folder, as `serve` has it. */
async function serveDesk(folder: string, settings: Settings) {
  const faults: unknown[] = [];
  const opened = openPushReceiver({ folder, settings, version: '0', onTrouble: (trouble) => faults.push(trouble) });
  const push = new PushRoutes({
    desk: opened.desk,
    clock: systemClock,
    address: settings.pushAddress,
    maxBytes: MOST_PUSHED_BYTES,
  });
  const served = await serve({ push });
  return {
    url: served.listening.url,
    faults,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Crawls beside whatever else the test does, until it is over. */
async function crawling(folder: string, seed: string, settings: Settings) {
  // All first visits are planned as late as may be, so that what sites say is worth a visit.
  const crawl = await openCrawl({ folder, settings, version: '0', random: () => 0 });
  await crawl.addSeeds([seed]);
  const running = crawl.run();
  return {
    [Symbol.asyncDispose]: async () => {
      crawl.stop();
      await running;
      await crawl[Symbol.asyncDispose]();
    },
  };
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  // Looks are counted: time also passes while the machine is busy elsewhere.
  for (let looks = 0; !(await isTrue()); looks++) {
    assert.ok(looks < 5000, `never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function stored(folder: string): number {
  using reader = new CrawlReader(folder);
  return [...reader.changes({})].length;
}

test('IndexNow: what a site submits with its key is visited, what others submit is not', async () => {
  using folder = temporaryFolder();
  await using site = await serveSite();
  site.pages.set('/', page('home'));
  for (const name of ['/unlinked', '/again']) site.pages.set(name, page(name));
  site.pages.set(`/${KEY}.txt`, { body: KEY, type: 'text/plain' });
  site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /closed/', type: 'text/plain' });
  site.pages.set(`/closed/${KEY}.txt`, { body: KEY, type: 'text/plain' });
  const settings = settingsOf({ push: ['indexnow'] });
  {
    await using _crawl = await crawling(folder.path, `${site.origin}/`, settings);
    await until(() => stored(folder.path) === 1, 'crawled');
  }
  await using server = await serveDesk(folder.path, settings);
  const host = new URL(site.origin).host;
  const ask = (query: Record<string, string>): Promise<Response> =>
    fetch(`${server.url}indexnow?${new URLSearchParams(query)}`);
  const submit = (body: string): Promise<Response> => fetch(`${server.url}indexnow`, { method: 'POST', body });

  // Nobody crawls: it waits for whoever comes next.
  assert.equal((await ask({ url: `${site.origin}/unlinked`, key: KEY })).status, 200);
  assert.equal((await ask({ url: `${site.origin}/wrong`, key: 'ffffffffffff' })).status, 403);
  const closed = `${site.origin}/closed/${KEY}.txt`;
  const forbidden = await ask({ url: `${site.origin}/closed/page`, key: KEY, keyLocation: closed });
  assert.deepEqual([forbidden.status, /robots/.test(await forbidden.text())], [403, true]);
  assert.equal(site.times(`/closed/${KEY}.txt`), 0);
  assert.equal((await ask({ url: 'https://elsewhere.example/', key: KEY })).status, 422, 'not crawled here');
  assert.equal((await submit('{"host":')).status, 400);
  assert.equal((await fetch(`${server.url}indexnow`, { method: 'PUT' })).status, 405);
  assert.equal((await fetch(`${server.url}push/websub/x`)).status, 404, 'not asked for');
  const urlList = [`${site.origin}/again`];
  assert.equal((await submit(JSON.stringify({ host, key: KEY, urlList }))).status, 200);

  await using _crawl = await crawling(folder.path, `${site.origin}/`, settings);
  await until(() => site.times('/unlinked') === 1 && site.times('/again') === 1, 'both visited');
  // While it crawls.
  const before = site.times('/');
  assert.equal((await ask({ url: `${site.origin}/`, key: KEY })).status, 200);
  await until(() => site.times('/') > before, 'a known page is visited again');
  assert.equal(site.times('/wrong'), 0);
  assert.equal(site.times(`/${KEY}.txt`), 1, 'the key was asked for once');
  assert.deepEqual(server.faults, []);
});

test('what you push is visited at once, however recent the last visit is; what a site pushes waits for revisit-min', async () => {
  using folder = temporaryFolder();
  await using site = await serveSite();
  site.pages.set('/', page('home', ['/yours', '/theirs']));
  for (const name of ['/yours', '/theirs']) site.pages.set(name, page(name));
  await using _crawl = await crawling(folder.path, `${site.origin}/`, settingsOf({ revisitMin: 3_600_000 }));
  await until(() => stored(folder.path) === 3, 'crawled');
  await leaveWords(folder.path, [{ url: `${site.origin}/theirs`, by: 'site' }], Date.now());
  for (const times of [2, 3]) {
    await leaveWord(folder.path, [`${site.origin}/yours`], Date.now());
    await until(() => site.times('/yours') === times, 'visited again');
  }
  assert.equal(site.times('/theirs'), 1);
  using reader = new CrawlReader(folder.path);
  const { page: theirs } = await reader.explain(`${site.origin}/theirs`);
  assert.equal(theirs?.nextVisit, (theirs?.changes?.visitedAt ?? 0) + 3_600_000);
});

test('IndexNow: a private address is not asked for its key unless that is allowed', async () => {
  using folder = temporaryFolder();
  await using site = await serveSite();
  site.pages.set('/', page('home'));
  site.pages.set(`/${KEY}.txt`, { body: KEY, type: 'text/plain' });
  {
    await using _crawl = await crawling(folder.path, `${site.origin}/`, settingsOf({}));
    await until(() => stored(folder.path) === 1, 'crawled');
  }
  await using server = await serveDesk(folder.path, settingsOf({ push: ['indexnow'], allowPrivate: false }));
  const query = new URLSearchParams({ url: `${site.origin}/`, key: KEY });
  const answer = await fetch(`${server.url}indexnow?${query}`);
  assert.equal(answer.status, 403);
  assert.doesNotMatch(await answer.text(), /127|loopback/, 'nothing is told of our network');
  assert.equal(site.times(`/${KEY}.txt`), 0);
});

test('WebSub: a hub that a feed names is asked, verifies us, and its signed news bring pages in and forward', async () => {
  using folder = temporaryFolder();
  await using site = await serveSite();
  const forms: URLSearchParams[] = [];
  const verified: string[] = [];
  await using hub = await listen(async (request, response) => {
    const form = new URLSearchParams((await request.toArray()).join(''));
    forms.push(form);
    response.writeHead(202).end();
    const intent = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.topic': form.get('hub.topic') ?? '' });
    intent.set('hub.challenge', 'prove it');
    intent.set('hub.lease_seconds', '86400');
    const answer = await fetch(`${form.get('hub.callback')}?${intent}`);
    verified.push(await answer.text());
  }, true);
  site.pages.set('/', page('home', ['/known', '/feed.xml']));
  for (const name of ['/known', '/fresh']) site.pages.set(name, page(name));
  site.pages.set('/feed.xml', { body: feed(site.origin, hub.origin, []), type: 'application/atom+xml' });

  // The address that hubs are told is that of the server, which must know it before: so there is one before the server.
  await using front = await openFront();
  const settings = settingsOf({ push: ['websub'], pushAddress: front.origin });
  await using _crawl = await crawling(folder.path, `${site.origin}/`, settings);
  await until(() => stored(folder.path) === 3, 'crawled');
  assert.equal(forms.length, 0, 'nobody answers hubs: none is asked');
  const server = await front.serve(folder.path, settings);
  await until(() => verified.length === 1, 'verified');
  assert.deepEqual(verified, ['prove it']);
  assert.equal(forms[0].get('hub.topic'), `${site.origin}/feed.xml`);

  const callback = forms[0].get('hub.callback') ?? '';
  const secret = forms[0].get('hub.secret') ?? '';
  assert.ok(secret.length > 20, 'a hub behind TLS gets a secret');
  const deliver = (body: string, signedWith: string): Promise<Response> => {
    const signature = `sha256=${createHmac('sha256', signedWith).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/atom+xml', 'x-hub-signature': signature };
    return fetch(callback, { method: 'POST', headers, body });
  };
  const now = Date.now() + 10;
  const forged = feed(site.origin, hub.origin, [{ path: '/forged', updated: now }]);
  assert.equal((await deliver(forged, 'guessed')).status, 202, 'nobody can try signatures');
  const news = feed(site.origin, hub.origin, [
    { path: '/fresh', updated: now },
    { path: '/known', updated: now },
  ]);
  const known = site.times('/known');
  assert.equal((await deliver(news, secret)).status, 202);
  await until(() => site.times('/fresh') === 1 && site.times('/known') > known, 'both visited');
  assert.equal(site.times('/forged'), 0);
  assert.equal((await fetch(`${callback}x`, { method: 'POST', body: news })).status, 410, 'nobody of that name');
  await until(async () => {
    using reader = new CrawlReader(folder.path);
    return (await reader.explain(`${site.origin}/fresh`)).page?.discovery.how === 'feed';
  }, 'found by the feed');
  using kept = new SqliteSubscriptions(folder.path);
  assert.deepEqual(
    kept.leases().map(({ topic, state }) => [topic, state]),
    [[`${site.origin}/feed.xml`, 'active']],
  );
  assert.deepEqual(server.faults, []);
});

test('a feed brings the visits of pages forward that it says have changed, and one that stamps all its items does not', async () => {
  using folder = temporaryFolder();
  await using site = await serveSite();
  const names = ['/a', '/b', '/c', '/d', '/e'];
  site.pages.set('/', page('home', [...names, '/feed.xml']));
  for (const name of names) site.pages.set(name, page(name));
  const offer = (items: readonly { path: string; updated: number }[]): void => {
    site.pages.set('/feed.xml', { body: feed(site.origin, '', items), type: 'application/atom+xml' });
  };
  const old = Date.now() - 86_400_000;
  const items = names.map((path, at) => ({ path, updated: old - at * 3_600_000 }));
  offer(items);
  const settings = settingsOf({});
  const readAgain = async (): Promise<void> => {
    const before = site.times('/feed.xml');
    await leaveWord(folder.path, [`${site.origin}/feed.xml`], Date.now());
    await until(() => site.times('/feed.xml') > before, 'read again');
  };
  {
    await using _crawl = await crawling(folder.path, `${site.origin}/`, settings);
    await until(() => stored(folder.path) === 7, 'crawled');
    offer(items.map((item) => (item.path === '/c' ? { ...item, updated: Date.now() } : item)));
    await readAgain();
    await until(() => site.times('/c') === 2, 'the page that changed');
  }
  assert.deepEqual(
    names.map((name) => site.times(name)),
    [1, 1, 2, 1, 1],
  );
  {
    await using _crawl = await crawling(folder.path, `${site.origin}/`, settings);
    const now = Date.now();
    offer(names.map((path) => ({ path, updated: now })));
    await readAgain();
    // What would have been hurried would be visited before what is told later.
    const home = site.times('/');
    await leaveWord(folder.path, [`${site.origin}/`], Date.now());
    await until(() => site.times('/') > home, 'told of later');
  }
  assert.deepEqual(
    names.map((name) => site.times(name)),
    [1, 1, 2, 1, 1],
  );
  const { trust, items: seen } = keptFeeds(folder.path);
  assert.equal(trust[0][0], new URL(site.origin).host);
  assert.ok(trust[0][1].dated.failed >= 1, 'that is held against it');
  assert.equal(seen[0][0], `${site.origin}/feed.xml`);
});

function keptFeeds(folder: string): FeedAssertionsSnapshot {
  const db = openStateForReading(folder);
  try {
    const kept = readValue<RevisitSchedulerSnapshot>(db, 'upkeep')?.signals.feeds;
    assert.ok(kept);
    return kept;
  } finally {
    db.close();
  }
}

/** The address that hubs are told. What comes there goes on to the server, as behind a proxy, once there is one. */
async function openFront() {
  let behind: Awaited<ReturnType<typeof serveDesk>> | undefined;
  const front = await listen(async (request, response) => {
    if (behind === undefined) return void response.destroy();
    const { method = 'GET', url = '', headers } = request;
    const { host: _host, 'content-length': _length, connection: _connection, ...fields } = headers;
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(new URL(url, behind.url), {
      method,
      headers: fields as Record<string, string>,
      ...(method === 'POST' ? { body } : {}),
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  return {
    origin: front.origin,
    async serve(folder: string, settings: Settings) {
      behind = await serveDesk(folder, settings);
      return behind;
    },
    [Symbol.asyncDispose]: async () => {
      await front[Symbol.asyncDispose]();
      await behind?.[Symbol.asyncDispose]();
    },
  };
}
