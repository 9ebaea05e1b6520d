import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { createCrawl } from '../../src/index.ts';
import type { CrawlLook } from '../../src/web/dashboard/crawl-watch.ts';
import { FolderWatch } from '../../src/web/dashboard/folder-watch.ts';
import { callProgram } from '../called-program.ts';
import { temporaryFolder } from './crawl-web.ts';

/** An origin where nobody listens: a port that was free a moment ago may be somebody's by now, the one of "discard" is given to nobody. */
const ORIGIN = 'http://127.0.0.1:9';

test('the first failure of a dead server is reported at once, with the reason and what follows, once per host', async () => {
  using folder = temporaryFolder();
  const settings = { allowPrivate: true, backoffStart: 300, backoffJitter: 0, workers: 0 } as const;
  await using crawl = await createCrawl({ folder: folder.path, ...settings });
  const warnings: string[] = [];
  crawl.on('warning', ({ message }) => warnings.push(message));
  await crawl.addSeeds([`${ORIGIN}/a`, `${ORIGIN}/b`, `${ORIGIN}/c`]);
  const { ended } = await crawl.run();
  assert.equal(ended, 'parked');
  assert.equal(warnings.length, 1, warnings.join('\n'));
  assert.match(warnings[0], new RegExp(`^${ORIGIN}: .*connection refused.*; tries again in 1 s, 2 tries left$`));
});

test('with --retries 0 a dead server ends the crawl at once', async () => {
  using folder = temporaryFolder();
  // Without the rule the host rests for its first back-off, and the duration ends the crawl.
  const settings = { allowPrivate: true, retries: 0, maxDuration: 50_000, workers: 0 } as const;
  await using crawl = await createCrawl({ folder: folder.path, ...settings });
  const warnings: string[] = [];
  crawl.on('warning', ({ message }) => warnings.push(message));
  await crawl.addSeeds([`${ORIGIN}/`]);
  const { ended } = await crawl.run();
  assert.equal(ended, 'parked');
  assert.match(warnings.join('\n'), /connection refused; gives up on this host, its URLs are kept for the next run$/);
});

test('plan says it, too, before it has nothing to reckon with', async () => {
  using folder = temporaryFolder();
  const flags = ['--allow-private', '--backoff-start', '10ms', '--dir', folder.path];
  const { status, stderr } = await callProgram(['plan', ORIGIN, ...flags]);
  assert.notEqual(status, 0);
  assert.match(stderr, /connection refused.*; tries again in .* tries left\n[\s\S]*NOTHING_TO_PLAN/);
});

test('the dashboard says the same at the moment of the warning', async () => {
  using folder = temporaryFolder();
  const settings = { allowPrivate: true, backoffStart: 65_000, backoffJitter: 0, workers: 0 } as const;
  await using crawl = await createCrawl({ folder: folder.path, ...settings });
  using watch = new FolderWatch(folder.path, systemClock);
  await crawl.addSeeds([`${ORIGIN}/a`, `${ORIGIN}/b`]);
  const looks: Promise<CrawlLook>[] = [];
  const began = performance.now();
  crawl.on('warning', () => {
    looks.push(watch.look());
    crawl.stop();
  });
  await crawl.run();
  const { waiting, waitingHosts } = await looks[0];
  assert.equal(waitingHosts, 1);
  const [{ host, reason, next, queued }] = waiting;
  assert.deepEqual([`http://${host}`, reason, queued], [ORIGIN, 'connection refused', 2]);
  const [, seconds] = /^tries again in (\d+) s, 2 tries left$/.exec(next) ?? [];
  // Less by what has gone by since the failure, which on a busy machine is more.
  const since = (performance.now() - began) / 1000;
  assert.ok(Number(seconds) <= 65 && Number(seconds) >= Math.floor(65 - since), `${next}, ${since} s after the seeds`);
});

test('of many dead hosts the first ten are named, and once that there are more', async () => {
  using folder = temporaryFolder();
  const settings = { allowPrivate: true, retries: 0, workers: 0 } as const;
  await using crawl = await createCrawl({ folder: folder.path, ...settings });
  const warnings: string[] = [];
  crawl.on('warning', ({ message }) => warnings.push(message));
  await crawl.addSeeds(Array.from({ length: 16 }, (_, at) => `http://127.0.1.${at + 1}:9/`));
  await crawl.run();
  assert.equal(warnings.filter((message) => message.includes('connection refused')).length, 10);
  assert.equal(warnings.filter((message) => message.startsWith('More hosts')).length, 1, warnings.join('\n'));
});
