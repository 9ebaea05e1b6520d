import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sortedPlaces } from '../../../../src/engines/links/sorted-places.ts';

test('places are in order, equal ones as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (values) => {
      const order = sortedPlaces(values.length, (a, b) => values[a] < values[b]);
      assert.deepEqual(
        [...order],
        values.map((_, at) => at).sort((a, b) => values[a] - values[b] || a - b),
      );
    }),
  );
});
