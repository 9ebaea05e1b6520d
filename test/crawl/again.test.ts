import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { openState } from '../../src/engines/sqlite/state-database.ts';
import { CrawlReader, type CrawlSummary, createCrawl } from '../../src/index.ts';
import { callProgram } from '../called-program.ts';
import { temporaryFolder } from './crawl-web.ts';

describe('crawl --again', () => {
  let pages: Record<string, string> = {};
  let asked: string[] = [];
  let origin = '';
  const server = createServer(({ url = '', headers }, response) => {
    if (url === '/robots.txt') return response.writeHead(404).end();
    const page = pages[url];
    const etag = `"${page?.length}"`;
    const isKnown = page !== undefined && headers['if-none-match'] === etag;
    asked.push(`${url} ${page === undefined ? 404 : isKnown ? 304 : 200}`);
    if (page === undefined) return response.writeHead(404).end();
    if (isKnown) return response.writeHead(304, { etag }).end();
    return response.writeHead(200, { etag, 'content-type': 'text/html' }).end(page);
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    pages = {
      '/': `<title>Home</title><p>Gardens.</p>${['a', 'b', 'c'].map((name) => `<a href=/${name}>${name}</a>`).join('')}`,
      '/a': '<title>A</title><p>Apples in the garden.</p>',
      '/b': '<title>B</title><p>Bees in the garden.</p>',
      '/c': '<title>C</title><p>Cherries in the garden.</p>',
    };
  });

  interface Run {
    readonly again?: boolean;
    readonly stopAfter?: number;
    readonly maxPages?: number;
    readonly continuous?: boolean;
  }
  /** Runs a crawl, or as much of it as may be. */
  async function crawl(folder: string, { stopAfter, again = false, ...settings }: Run = {}): Promise<CrawlSummary> {
    asked = [];
    const quick = {
      delay: 0,
      delayFactor: 0,
      workers: 0,
      sitemaps: 'off',
      concurrency: 1,
      softNotFound: false,
    } as const;
    await using run = await createCrawl({
      ...{ folder, seeds: [`${origin}/`], allowPrivate: true, ...quick, again, ...settings },
    });
    let settled = 0;
    run.on('settled', () => {
      if (++settled === stopAfter) run.stop();
    });
    return await run.run();
  }
  const changes = (folder: string): string[] => {
    using reader = new CrawlReader(folder);
    return [...reader.changes({})].map(({ url, change }) => `${new URL(url).pathname} ${change.kind}`).sort();
  };

  test('every known page is asked for once more, conditionally; changes are told, new links followed', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path);
    assert.equal(asked.length, 4);
    await crawl(folder.path);
    assert.deepEqual(asked, []);
    pages['/a'] = '<title>A</title><p>Apples and pears in the garden.</p><a href=/d>d</a>';
    pages['/d'] = '<title>D</title><p>Dates.</p>';
    delete pages['/c'];
    const { ended } = await crawl(folder.path, { again: true });
    assert.equal(ended, 'finished');
    assert.deepEqual(asked.sort(), ['/ 304', '/a 200', '/b 304', '/c 404', '/d 200']);
    const told = changes(folder.path);
    for (const change of ['/a changed', '/c gone']) assert.ok(told.includes(change), told.join());
    assert.ok(!told.includes('/b changed'), told.join());
    // That was the round.
    await crawl(folder.path);
    assert.deepEqual(asked, []);
    await crawl(folder.path, { again: true });
    assert.equal(asked.length, 5);
    assert.equal((await callProgram(['check', '--dir', folder.path])).status, 0);
  });

  test('a round that was cut off goes on, with and without --again, and no third one begins', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path);
    let inRound: string[] = [];
    for (const again of [true, true, false]) {
      const { ended } = await crawl(folder.path, { again, stopAfter: 1 });
      assert.equal(ended, 'stopped');
      assert.ok(asked.length > 0);
      inRound = [...inRound, ...asked];
    }
    assert.equal((await crawl(folder.path)).ended, 'finished');
    const told = await callProgram(['changes', '--dir', folder.path]);
    assert.match(told.stderr, /empty: 4 visits to known pages found them as before/);
    inRound = [...inRound, ...asked];
    assert.deepEqual(inRound.sort(), ['/ 304', '/a 304', '/b 304', '/c 304']);
  });

  test('killed before the visits were planned: the next run plans them', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path);
    const db = openState(folder.path);
    db.prepare("INSERT INTO meta (name, value) VALUES ('round', ?)").run(JSON.stringify({ startedAt: Date.now() }));
    db.close();
    assert.equal((await crawl(folder.path)).ended, 'finished');
    assert.deepEqual(asked.sort(), ['/ 304', '/a 304', '/b 304', '/c 304']);
    await crawl(folder.path);
    assert.deepEqual(asked, []);
  });

  test('a first crawl that was cut off is finished first, and the user is told', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path, { stopAfter: 2 });
    const { stderr, status } = await callProgram([
      ...['crawl', '--again', '--dir', folder.path, '--allow-private', '--delay', '0', '--sitemaps', 'off', '--quiet'],
    ]);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /not finished yet: it goes on/);
    using reader = new CrawlReader(folder.path);
    assert.deepEqual((await reader.status(1)).totals.revisits, undefined);
  });

  test('as many pages as max-pages lets in are visited again, and no new ones', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path, { maxPages: 2 });
    const first = asked.map((line) => line.split(' ')[0]);
    assert.equal(first.length, 2);
    const { ended } = await crawl(folder.path, { maxPages: 2, again: true });
    assert.equal(ended, 'limit: max-pages');
    assert.deepEqual(asked.sort(), first.map((path) => `${path} 304`).sort());
  });

  test('what is told of visits is that of this round, also where it was stopped', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path);
    assert.deepEqual((await crawl(folder.path, { again: true })).revisits, { unchanged: 4 });
    await crawl(folder.path, { again: true, stopAfter: 2 });
    assert.deepEqual((await crawl(folder.path)).revisits, { unchanged: 4 });
  });

  test('visits that a continuous crawl has planned for later are due at once', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path, { continuous: true, stopAfter: 5 });
    await crawl(folder.path);
    const { ended } = await crawl(folder.path, { again: true });
    assert.equal(ended, 'finished');
    assert.deepEqual(asked.sort(), ['/ 304', '/a 304', '/b 304', '/c 304']);
  });
});
