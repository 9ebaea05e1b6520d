import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LineStarts } from '../../../../src/archive/cdxj/line-starts.ts';

test('lines are found by the hash of their key, also where many share one', () => {
  const hash = fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.constantFrom(0, 1, 1023, 1024, 0xffffffff));
  // Files of some lines, and of more than 4 GB, from where on the starts take more bits; at a border of these as well.
  const step = fc.constantFrom(1, 300, 2 ** 21, 2 ** 32 - 1, 2 ** 33);
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 3000 }), step, (hashes, step) => {
      const starts = new LineStarts();
      const expected = new Map<number, number[]>();
      for (const [at, one] of hashes.entries()) {
        starts.add(one, at * step);
        expected.set(one, [...(expected.get(one) ?? []), at * step]);
      }
      for (const [one, found] of expected) assert.deepEqual(starts.of(one), found);
      assert.deepEqual(starts.of(77), expected.get(77) ?? []);
    }),
    { numRuns: 30 },
  );
});

test('a line takes ten to thirteen bytes once there are many', () => {
  const starts = new LineStarts();
  let most = 0;
  for (let line = 0; line < 60_000; line++) {
    starts.add(Math.imul(line, 0x9e3779b1), 300 * line);
    if (line >= 10_000) most = Math.max(most, starts.bytes / (line + 1));
  }
  assert.ok(most < 13, `${most} bytes a line`);
  assert.deepEqual(starts.of(Math.imul(7777, 0x9e3779b1)), [7777 * 300]);
});
