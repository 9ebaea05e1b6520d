import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CrawlReader, createCrawl } from '../../src/index.ts';
import { temporaryFolder } from './crawl-web.ts';

const FEED = `<rss version="2.0"><channel><title>News</title>${[1, 2, 3]
  .map((at) => `<item><title>${at}</title><link>/item${at}</link></item>`)
  .join('')}</channel></rss>`;
const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/': [
    'text/html',
    '<title>Many</title><a href=/feed>feed</a><a href=/one>1</a><a href=/two>2</a><a href=/three>3</a>',
  ],
  '/feed': ['application/rss+xml', FEED],
};

test('links beyond max-links-per-page are counted and not followed, of pages and of feeds', async () => {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.add(path);
    const file = FILES[path];
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.[0] ?? 'text/plain' });
    response.end(file?.[1] ?? 'not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using folder = temporaryFolder();
  try {
    await using crawl = await createCrawl({
      ...{ folder: folder.path, seeds: [`${origin}/`], delay: 0, allowPrivate: true, workers: 0 },
      maxLinksPerPage: 2,
    });
    await crawl.run();
  } finally {
    server.closeAllConnections();
    server.close();
  }
  assert.deepEqual([...asked].sort(), ['/', '/feed', '/item1', '/item2', '/one', '/robots.txt']);
  using reader = new CrawlReader(folder.path);
  const facts = async (path: string) => (await reader.explain(`${origin}${path}`)).page?.facts;
  const page = await facts('/');
  assert.deepEqual([page?.linkCount, page?.omittedLinks], [2, 2]);
  const feed = await facts('/feed');
  assert.deepEqual([feed?.linkCount, feed?.omittedLinks], [2, 1]);
  assert.equal((await facts('/one'))?.omittedLinks, undefined);
});

test('a page of thousands of links is judged in pieces, and those that robots.txt forbids need no request', async () => {
  const count = 5000;
  const links = Array.from({ length: count }, (_, at) => `<a href=/${at % 1000 === 7 ? 'yes' : 'no'}/${at}>${at}</a>`);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const isRobots = request.url === '/robots.txt';
    response.writeHead(200, { 'content-type': isRobots ? 'text/plain' : 'text/html' });
    response.end(isRobots ? 'User-agent: *\nDisallow: /no/\n' : request.url === '/' ? links.join('') : request.url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using folder = temporaryFolder();
  const outcomes: Record<string, number> = {};
  try {
    await using crawl = await createCrawl({
      ...{ folder: folder.path, seeds: [`${origin}/`], delay: 0, allowPrivate: true, workers: 0, sitemaps: 'off' },
      softNotFound: false,
    });
    crawl.on('settled', ({ outcome }) => {
      const name = outcome.kind === 'refused' ? `refused ${outcome.by}` : outcome.kind;
      outcomes[name] = (outcomes[name] ?? 0) + 1;
    });
    const summary = await crawl.run();
    assert.equal(summary.ended, 'finished');
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const allowed = [7, 1007, 2007, 3007, 4007].map((at) => `/yes/${at}`);
  assert.deepEqual(asked.sort(), ['/', '/robots.txt', ...allowed].sort());
  assert.equal(outcomes['refused robots'], count - allowed.length);
  using reader = new CrawlReader(folder.path);
  const last = await reader.explain(`${origin}/no/4999`);
  assert.deepEqual(last.page?.outcome, { kind: 'refused', by: 'robots', rule: 'Disallow: /no/ (line 2)' });
});
