import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killedIndex } from '../soak/kill-index.ts';

/** A repeatable sequence; the instants still differ from run to run with the speed of the machine. */
function seeded(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

test('kill -9 while indexing and merging: it opens, nothing committed is lost, the same as made anew', async () => {
  const report = await killedIndex({ kills: 5, killWithinMs: 400, documents: 1500, random: seeded(3) });
  assert.ok(report.committed > 0);
  assert.deepEqual(report.lost, []);
  assert.deepEqual(report.unfindable, []);
  assert.deepEqual(report.different, []);
});
