import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { createCrawl } from '../../src/index.ts';
import type { CrawlLook } from '../../src/web/dashboard/crawl-watch.ts';
import { FolderWatch } from '../../src/web/dashboard/folder-watch.ts';
import { callProgram } from '../called-program.ts';
import { temporaryFolder } from './crawl-web.ts';

/** An origin where nobody listens. */
async function deadOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

test('the first failure of a dead server is reported at once, with the reason and what follows, once per host', async () => {
  using folder = temporaryFolder();
  const origin = await deadOrigin();
  const settings = { allowPrivate: true, backoffStart: 300, backoffJitter: 0, workers: 0 } as const;
  await using crawl = await createCrawl({ folder: folder.path, ...settings });
  const warnings: string[] = [];
  crawl.on('warning', ({ message }) => warnings.push(message));
  await crawl.addSeeds([`${origin}/a`, `${origin}/b`, `${origin}/c`]);
  const { ended } = await crawl.run();
  assert.equal(ended, 'parked');
  assert.equal(warnings.length, 1, warnings.join('\n'));
  assert.match(warnings[0], new RegExp(`^${origin}: .*connection refused.*; tries again in 1 s, 2 tries left$`));
});

test('with --retries 0 a dead server ends the crawl at once', async () => {
  using folder = temporaryFolder();
  const origin = await deadOrigin();
  // Without the rule the host rests for its first back-off, and the duration ends the crawl.
  const settings = { allowPrivate: true, retries: 0, maxDuration: 50_000, workers: 0 } as const;
  await using crawl = await createCrawl({ folder: folder.path, ...settings });
  const warnings: string[] = [];
  crawl.on('warning', ({ message }) => warnings.push(message));
  await crawl.addSeeds([`${origin}/`]);
  const { ended } = await crawl.run();
  assert.equal(ended, 'parked');
  assert.match(warnings.join('\n'), /connection refused; gives up on this host, its URLs are kept for the next run$/);
});

test('plan says it, too, before it has nothing to reckon with', async () => {
  using folder = temporaryFolder();
  const origin = await deadOrigin();
  const flags = ['--allow-private', '--backoff-start', '10ms', '--dir', folder.path];
  const { status, stderr } = await callProgram(['plan', origin, ...flags]);
  assert.notEqual(status, 0);
  assert.match(stderr, /connection refused.*; tries again in .* tries left\n[\s\S]*NOTHING_TO_PLAN/);
});

test('the dashboard says the same at the moment of the warning', async () => {
  using folder = temporaryFolder();
  const origin = await deadOrigin();
  const settings = { allowPrivate: true, backoffStart: 65_000, backoffJitter: 0, workers: 0 } as const;
  await using crawl = await createCrawl({ folder: folder.path, ...settings });
  using watch = new FolderWatch(folder.path, systemClock);
  await crawl.addSeeds([`${origin}/a`, `${origin}/b`]);
  const looks: Promise<CrawlLook>[] = [];
  crawl.on('warning', () => {
    looks.push(watch.look());
    crawl.stop();
  });
  await crawl.run();
  const { waiting, waitingHosts } = await looks[0];
  assert.equal(waitingHosts, 1);
  const [{ host, reason, next, queued }] = waiting;
  assert.deepEqual([`http://${host}`, reason, queued], [origin, 'connection refused', 2]);
  assert.match(next, /^tries again in 6\d s, 2 tries left$/);
});

test('of many dead hosts the first ten are named, and once that there are more', async () => {
  using folder = temporaryFolder();
  const port = new URL(await deadOrigin()).port;
  const settings = { allowPrivate: true, retries: 0, workers: 0 } as const;
  await using crawl = await createCrawl({ folder: folder.path, ...settings });
  const warnings: string[] = [];
  crawl.on('warning', ({ message }) => warnings.push(message));
  await crawl.addSeeds(Array.from({ length: 16 }, (_, at) => `http://127.0.1.${at + 1}:${port}/`));
  await crawl.run();
  assert.equal(warnings.filter((message) => message.includes('connection refused')).length, 10);
  assert.equal(warnings.filter((message) => message.startsWith('More hosts')).length, 1, warnings.join('\n'));
});
