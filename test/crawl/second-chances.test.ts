import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { WARCParser } from 'warcio';
import { CrawlReader, type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { crawlAnyHosts, type HostAnswer, pageOf, textOf } from './any-host-web.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

/** Status of every response in the archive, by URL. */
async function archivedStatus(folder: string): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  const archive = join(folder, 'archive');
  for (const file of readdirSync(archive).filter((name) => name.endsWith('.warc.gz'))) {
    for await (const record of new WARCParser(createReadStream(join(archive, file)))) {
      await record.readFully(true);
      if (record.warcType !== 'response') continue;
      const url = record.warcTargetURI ?? '';
      found[url] = [...(found[url] ?? []), Number(record.httpHeaders?.statusCode)];
    }
  }
  return found;
}

test('the last answer to a URL that is given up is archived, though it is no page', async () => {
  using folder = temporaryFolder();
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    if (pathname === '/robots.txt') return undefined;
    if (pathname === '/broken') return { status: 500, body: '<title>Sorry</title><p>broken</p>' };
    if (pathname === '/closed') return { status: 403, body: '<p>closed</p>' };
    return { body: '<title>Home</title><a href=/broken>b</a><a href=/closed>c</a>' };
  };
  const settings = { retries: 0, scope: 'host' } as const;
  const { summary, asked } = await crawlAnyHosts(web, folder.path, ['http://a.test/'], settings);
  assert.deepEqual([summary.pages, summary.failed], [1, { 'http-403': 1, 'http-500': 1 }]);
  assert.equal(asked.filter((url) => url.endsWith('/broken')).length, 1);
  const archived = await archivedStatus(folder.path);
  assert.deepEqual(archived['http://a.test/broken'], [500]);
  assert.deepEqual(archived['http://a.test/closed'], [403]);
  using reader = new CrawlReader(folder.path);
  const { page } = await reader.explain('http://a.test/broken');
  assert.deepEqual([page?.outcome?.kind, page?.facts?.status], ['failed', 500]);
  assert.match(Buffer.from((await reader.get('http://a.test/broken')).body).toString(), /Sorry/);
});

test('a seed that brought nothing and is named again is tried again; one that is not is left alone', async () => {
  using folder = temporaryFolder();
  let broken = true;
  const web = ({ pathname }: URL): HostAnswer | undefined =>
    pathname === '/robots.txt' ? undefined : broken ? { status: 500 } : { body: '<title>Home</title>' };
  const settings = { retries: 0, scope: 'host' } as const;
  const first = await crawlAnyHosts(web, folder.path, ['http://a.test/'], settings);
  assert.deepEqual([first.summary.pages, first.summary.failed], [0, { 'http-500': 1 }]);
  broken = false;
  const idle = await crawlAnyHosts(web, folder.path, [], settings);
  assert.deepEqual([idle.asked, idle.summary.failed], [[], { 'http-500': 1 }]);
  const { summary } = await crawlAnyHosts(web, folder.path, ['http://a.test/'], settings);
  assert.deepEqual([summary.pages, summary.failed, summary.revisits], [1, {}, undefined]);
});

test('other settings give a second chance to what they may turn, and to nothing else', async () => {
  using folder = temporaryFolder();
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    if (pathname === '/robots.txt') return { body: 'User-agent: *\nDisallow: /closed' };
    if (pathname === '/list') return { headers: { 'content-type': 'application/x-list' }, body: 'a list' };
    if (pathname === '/') return { body: '<title>Home</title><a href=/list>l</a><a href=/closed>c</a>' };
    return { body: '<title>Closed</title>' };
  };
  const settings = { retries: 0, scope: 'host' } as const;
  const first = await crawlAnyHosts(web, folder.path, ['http://a.test/'], settings);
  assert.deepEqual(first.summary.refused, { robots: 1, 'media-type': 1 });
  const second = await crawlAnyHosts(web, folder.path, [], { ...settings, mediaTypes: ['*/*'] });
  assert.deepEqual(second.summary.refused, { robots: 1 });
  assert.deepEqual(
    second.asked.filter((url) => !url.endsWith('robots.txt')),
    ['http://a.test/list'],
  );
  const third = await crawlAnyHosts(web, folder.path, [], { ...settings, mediaTypes: ['*/*'], robots: false });
  assert.deepEqual(third.summary.refused, {});
  assert.deepEqual(storedPages(folder.path), ['http://a.test/', 'http://a.test/closed', 'http://a.test/list']);
});

test('other settings, and a seed that is named again, give a second chance in a continuous crawl too', async () => {
  using folder = temporaryFolder();
  let broken = true;
  const server = createServer(({ url }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end();
    if (url === '/list') return void response.setHeader('content-type', 'application/x-list').end('a list');
    response.setHeader('content-type', 'text/html');
    response.writeHead(broken ? 500 : 200).end('<title>Home</title><a href=/list>l</a>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  /** Until so many visits have ended. */
  const run = async (visits: number, seeds: readonly string[], extra: Partial<CreateCrawlSettings>) => {
    const plain = { delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', retries: 0, softNotFound: false } as const;
    await using crawl = await createCrawl({ ...plain, folder: folder.path, seeds, continuous: true, ...extra });
    const ended: string[] = [];
    using _ = crawl.on('settled', ({ claim, outcome }) => {
      if (claim.task.purpose !== 'page' || outcome.kind === 'deferred') return;
      const { kind } = outcome;
      ended.push(`${new URL(claim.task.url).pathname} ${kind === 'refused' ? outcome.by : kind}`);
      if (ended.length === visits) crawl.stop();
    });
    await crawl.run();
    return ended;
  };
  assert.deepEqual(await run(1, [home], {}), ['/ address']);
  assert.deepEqual(await run(1, [], { allowPrivate: true }), ['/ failed']);
  broken = false;
  assert.deepEqual(await run(2, [home], { allowPrivate: true }), ['/ stored', '/list media-type']);
  assert.deepEqual(await run(1, [], { allowPrivate: true, mediaTypes: ['*/*'] }), ['/list stored']);
  server.closeAllConnections();
  server.close();
});

test('media types that are not wanted teach the trap guard nothing, and are tried again under other settings', async () => {
  using folder = temporaryFolder();
  const names = Array.from({ length: 30 }, (_, i) => `/d${i}`);
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    if (pathname === '/robots.txt') return undefined;
    if (pathname === '/') return pageOf('Home', textOf('home'), names);
    return { headers: { 'content-type': 'text/plain' }, body: textOf(pathname) };
  };
  const settings = { scope: 'host', softNotFound: false } as const;
  const first = await crawlAnyHosts(web, folder.path, ['http://a.test/'], { ...settings, mediaTypes: ['text/html'] });
  const { 'media-type': tried = 0, trap = 0 } = first.summary.refused;
  assert.deepEqual([tried, trap], [names.length, 0]);
  const mediaTypes = ['text/html', 'text/plain'];
  const { summary } = await crawlAnyHosts(web, folder.path, [], { ...settings, mediaTypes });
  assert.deepEqual([summary.pages, summary.refused], [31, {}]);
});

test('another password is another setting, though it is not kept', async () => {
  using folder = temporaryFolder();
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url, headers: { authorization } }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end();
    asked.push(authorization);
    const isRight = authorization === `Basic ${btoa('me:right')}`;
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'text/html' }).end('<title>Home</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = async (seeds: readonly string[], password: string): Promise<number> => {
    const credentials = { [origin]: `basic me:${password}` };
    const plain = { delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', allowPrivate: true } as const;
    await using crawl = await createCrawl({ ...plain, folder: folder.path, seeds, credentials });
    return (await crawl.run()).pages;
  };
  try {
    assert.equal(await run([`${origin}/`], 'wrong-secret'), 0);
    const tries = asked.length;
    assert.equal(await run([], 'wrong-secret'), 0);
    assert.equal(asked.length, tries, 'the same says nothing new');
    assert.equal(await run([], 'right'), 1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const state = readdirSync(folder.path).filter((name) => name.startsWith('state'));
  assert.ok(state.length > 0);
  for (const name of state) assert.ok(!readFileSync(join(folder.path, name)).includes('wrong-secret'), name);
});

test('a resumed crawl says which settings hold only for later pages', async () => {
  using folder = temporaryFolder();
  const told: string[] = [];
  for (const text of [true, false, false]) {
    const settings = { folder: folder.path, seeds: ['http://127.0.0.1:9/'], workers: 0, text };
    await using crawl = await createCrawl(settings);
    using _ = crawl.on('warning', ({ code, message }) => told.push(`${code}: ${message}`));
    await crawl.run();
  }
  assert.equal(told.length, 1);
  assert.match(told[0], /^SETTINGS_CHANGED: text has changed: this holds for pages that are fetched from now on/);
});
