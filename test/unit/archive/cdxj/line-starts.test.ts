import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LineStarts } from '../../../../src/archive/cdxj/line-starts.ts';

test('lines are found by the hash of their key, also where many share one', () => {
  const hash = fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.constantFrom(0, 1, 1023, 1024, 0xffffffff));
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 3000 }), (hashes) => {
      const starts = new LineStarts();
      const expected = new Map<number, number[]>();
      for (const [at, one] of hashes.entries()) {
        starts.add(one, at * 2 ** 33);
        expected.set(one, [...(expected.get(one) ?? []), at * 2 ** 33]);
      }
      for (const [one, found] of expected) assert.deepEqual(starts.of(one), found);
      assert.deepEqual(starts.of(77), expected.get(77) ?? []);
    }),
    { numRuns: 30 },
  );
});
