import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { createCrawl } from '../../src/index.ts';
import { openSource } from '../../src/laboratory/laboratory-source.ts';
import { runLaboratory } from '../../src/laboratory/run-laboratory.ts';
import { temporaryFolder } from './crawl-web.ts';

test('the laboratory replays a crawl from all its seeds', async () => {
  const server = createServer(({ url = '' }, response) => {
    if (url === '/robots.txt') return response.writeHead(404).end();
    // Two trees that do not know of each other.
    const links = url.length < 4 ? ['1', '2'].map((name) => `<a href="${url}${name}">${url}${name}</a>`) : [];
    return response.setHeader('content-type', 'text/html').end(`<title>${url}</title>${links.join('')}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using folder = temporaryFolder();
  try {
    const settings = { allowPrivate: true, delay: 0, sitemaps: 'off', workers: 0, index: false } as const;
    await using crawl = await createCrawl({ folder: folder.path, seeds: [`${origin}/a`, `${origin}/b`], ...settings });
    await crawl.run();
  } finally {
    server.close();
  }
  const others = { clock: systemClock, standardInput: Readable.from([]), seed: 1 };
  const source = await openSource({ crawl: folder.path }, undefined, others);
  const { orders = [] } = await runLaboratory(source, { orders: ['breadth-first'], seed: 1 });
  assert.equal(source.graph?.().urls.length, 14);
  assert.deepEqual(
    orders.map(({ requests }) => requests),
    [14],
  );
});
