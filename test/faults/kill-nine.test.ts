import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quickOrLong } from '../property-runs.ts';
import { killedCrawl } from './killed-crawl.ts';

const KILLS = quickOrLong(2, 3);

/** A repeatable sequence; the instants still differ from run to run. */
function seeded(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

test('kill -9 at random instants: complete, nothing twice, no host asked too early, valid archive', async () => {
  const delayMs = 60;
  const report = await killedCrawl({
    web: {
      seed: 11,
      hosts: 5,
      pagesPerHost: quickOrLong(8, 12),
      pageBytes: [1_000, 8_000],
      crawlDelaySeconds: 0,
      retryAfterSeconds: 0,
      slowRobotsMs: 20,
      robots: { broken: 0 },
    },
    delayMs,
    // By what has happened, not by time: on a busy machine nothing would have.
    kills: KILLS,
    killAfter: { requests: [5, quickOrLong(14, 20)] },
    flags: ['--workers', '1'],
    random: seeded(5),
  });
  assert.equal(report.kills, KILLS);
  assert.deepEqual(report.missed, []);
  assert.deepEqual(report.unexpected, []);
  assert.deepEqual(report.storedTwice, []);
  assert.deepEqual(report.notArchived, []);
  assert.deepEqual(report.damage, []);
  assert.ok(report.smallestGapMs >= delayMs, `a host was asked after ${report.smallestGapMs} ms`);
});
