import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quickOrLong } from '../property-runs.ts';
import { killedFollowing } from '../soak/kill-following.ts';
import { killedIndex } from '../soak/kill-index.ts';

/** A repeatable sequence; the instants still differ from run to run with the speed of the machine. */
function seeded(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

test('kill -9 while indexing and merging: it opens, nothing committed is lost, the same as made anew', async () => {
  const report = await killedIndex({
    kills: quickOrLong(2, 4),
    killWithinMs: 400,
    documents: quickOrLong(320, 800),
    random: seeded(3),
  });
  assert.ok(report.committed > 0);
  assert.deepEqual(report.lost, []);
  assert.deepEqual(report.unfindable, []);
  assert.deepEqual(report.different, []);
});

for (const what of ['follow', 'rebuild'] as const)
  test(`kill -9 during ${what}: it opens, never goes back, and is the same as made anew`, async () => {
    const report = await killedFollowing({
      what,
      kills: quickOrLong(1, 2),
      killWithinMs: 300,
      pages: quickOrLong(24, 40),
      random: seeded(5),
    });
    assert.deepEqual(report.lost, []);
    assert.deepEqual(report.different, []);
  });
