import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killedCrawl } from './killed-crawl.ts';

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
      pagesPerHost: 12,
      pageBytes: [1_000, 8_000],
      crawlDelaySeconds: 0,
      retryAfterSeconds: 0,
      slowRobotsMs: 20,
      robots: { broken: 0 },
    },
    delayMs,
    // By what has happened, not by time: on a busy machine nothing would have.
    kills: 3,
    killAfter: { requests: [5, 20] },
    flags: ['--workers', '1'],
    random: seeded(5),
  });
  assert.equal(report.kills, 3);
  assert.deepEqual(report.missed, []);
  assert.deepEqual(report.unexpected, []);
  assert.deepEqual(report.storedTwice, []);
  assert.deepEqual(report.notArchived, []);
  assert.deepEqual(report.damage, []);
  assert.ok(report.smallestGapMs >= delayMs, `a host was asked after ${report.smallestGapMs} ms`);
});
