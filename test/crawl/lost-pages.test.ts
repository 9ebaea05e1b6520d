import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { textOf } from './any-host-web.ts';
import { crawlUntil, largePage } from './changing-site.ts';
import { temporaryFolder } from './crawl-web.ts';

/** What each page is at each stage: found at the number of its stage, gone, or moved to where it says. */
const STORIES: Readonly<Record<string, readonly (number | string)[]>> = {
  '/moved-gone': [200, '/other', 410, 410, 200],
  '/moved-twice': [200, '/other', '/third', '/third', 200],
  '/gone-moved': [200, 404, '/other', '/other', 200],
  '/gone-otherwise': [200, 404, 410, 404, 200],
  '/out-of-reach': [200, '/other', 500, '/other', 200],
  '/elsewhere-meanwhile': [200, '/other', 500, '/third', 200],
};
const NAMES = Object.keys(STORIES);

test('each loss is told once, and so is each that follows another', async () => {
  using folder = temporaryFolder();
  let stage = 0;
  let asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const now = STORIES[path]?.[stage] ?? 200;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    if (typeof now === 'string') return void response.writeHead(301, { location: now }).end();
    const body = largePage(path, textOf(path, 60), path === '/' ? [...NAMES, '/other', '/third'] : [], 100);
    response.writeHead(now, { 'content-type': 'text/html' }).end(now === 200 ? body : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    // A stage is over when each page was seen in it.
    const isOver = (): boolean => {
      if (!NAMES.every((name) => asked.has(name))) return false;
      asked = new Map();
      return ++stage === 5;
    };
    const often = { revisitMin: 4_000_000, revisitMax: 86_400_000_000, requestsPerDay: 5000 };
    await crawlUntil(folder.path, seed, isOver, { ...often, backoffStart: 1, backoffMax: 1, retries: 0 });
    assert.equal(stage, 5);
    using reader = new CrawlReader(folder.path);
    const told = Map.groupBy(reader.changes({}), ({ url }) => new URL(url).pathname);
    const storyOf = (name: string): string[] =>
      (told.get(name) ?? []).map(({ change }) =>
        change.kind === 'moved' ? `moved ${new URL(change.to, seed).pathname}` : change.kind,
      );
    assert.deepEqual(storyOf('/moved-gone'), ['new', 'moved /other', 'gone', 'back']);
    assert.deepEqual(storyOf('/moved-twice'), ['new', 'moved /other', 'moved /third', 'back']);
    assert.deepEqual(storyOf('/gone-moved'), ['new', 'gone', 'moved /other', 'back']);
    assert.deepEqual(storyOf('/gone-otherwise'), ['new', 'gone', 'back']);
    assert.deepEqual(storyOf('/out-of-reach'), ['new', 'moved /other', 'back']);
    assert.deepEqual(storyOf('/elsewhere-meanwhile'), ['new', 'moved /other', 'moved /third', 'back']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
