import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { callProgram } from '../called-program.ts';
import { textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const PAGES: Readonly<Record<string, readonly [string, string, ...string[]]>> = {
  '/': ['Home', textOf('home'), '/spiders', '/ships', '/trains'],
  '/spiders': [
    'Jumping spiders',
    'Jumping spiders hunt by day. Spiders of this family jump at their prey.',
    '/salticus',
  ],
  '/salticus': ['Salticus', 'The zebra spider is a jumping spider that lives on walls.', '/phidippus'],
  '/phidippus': ['Phidippus', 'Bold jumping spiders with green jaws; spiders that look at you.'],
  '/ships': ['Ships', 'Ships carry cargo over the sea between harbours.'],
  '/trains': ['Trains', 'Trains carry people between stations on rails.'],
};

test('a focused crawl begins with the best pages of a collection on its topic', async () => {
  using folders = temporaryFolder();
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const page = PAGES[url];
    if (page === undefined) return void response.writeHead(404).end();
    const [title, text, ...links] = page;
    const list = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
    response.setHeader('content-type', 'text/html');
    response.end(
      `<html lang=en><title>${title}</title><article><h1>${title}</h1><p>${text}</p></article>${list}</html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const plain = ['--allow-private', '--delay', '0', '--delay-factor', '0', '--workers', '0', '--quiet'];
  const [first, focused] = ['first', 'focused'].map((name) => join(folders.path, name));
  try {
    const crawled = await callProgram(['crawl', `${origin}/`, '--dir', first, ...plain]);
    assert.equal(crawled.status, 0, crawled.stderr);
    asked.length = 0;
    const words = ['crawl', '--topic', 'jumping spiders', '--seeds-from', first, '--max-depth', '0', '--dir', focused];
    const { status, stderr } = await callProgram([...words, ...plain]);
    assert.equal(status, 0, stderr);
    assert.deepEqual(asked.filter((path) => path in PAGES).sort(), ['/phidippus', '/salticus', '/spiders']);

    asked.length = 0;
    const both = ['crawl', '--topic', 'jumping spiders', '--seeds-from', first, '--seeds-from', focused];
    const second = await callProgram([...both, '--max-depth', '0', '--dir', join(folders.path, 'both'), ...plain]);
    assert.equal(second.status, 0, second.stderr);
    assert.deepEqual(asked.filter((path) => path in PAGES).sort(), ['/phidippus', '/salticus', '/spiders']);
    const oneBad = await callProgram([...both, '--seeds-from', join(folders.path, 'none'), ...plain]);
    assert.match(oneBad.stderr, /INDEX_MISSING|FOLDER_NOT_A_CRAWL/);

    const none = join(folders.path, 'none');
    const elsewhere = ['crawl', '--seeds-from', first, '--dir', none, ...plain];
    assert.match((await callProgram(elsewhere)).stderr, /USAGE: --seeds-from takes the best pages on a topic/);
    assert.match(
      (await callProgram([...elsewhere, '--topic', 'volcanoes'])).stderr,
      /NO_SEEDS: No page in \S+ is on the topic/,
    );
    const unindexed = ['crawl', '--topic', 'spiders', '--seeds-from', none, '--dir', join(folders.path, 'x'), ...plain];
    assert.match((await callProgram(unindexed)).stderr, /INDEX_MISSING|FOLDER_NOT_A_CRAWL/);
    assert.ok(!existsSync(none));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
