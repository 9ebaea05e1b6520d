import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PageTable } from '../../../../src/rank/orders/page-table.ts';

test('finds what was added and not removed, with its values', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 300 }), (steps) => {
      const table = new PageTable();
      const values = table.column(Uint32Array, 7);
      const model = new Map<number, number>();
      for (const [key, adds] of steps) {
        // Few low halves, so that pages collide.
        const [low, high] = [key % 4, key];
        const page = table.find(low, high);
        assert.equal(page >= 0, model.has(key));
        if (adds && page < 0) {
          const added = table.add(low, high);
          assert.equal(values.values[added], 7);
          values.values[added] = key;
          model.set(key, added);
        } else if (!adds && page >= 0) {
          table.remove(page);
          model.delete(key);
        }
      }
      assert.equal(table.size, model.size);
      for (const key of model.keys()) assert.equal(values.values[table.find(key % 4, key)], key);
    }),
  );
});

test('grows, and gives fingerprints back', () => {
  const table = new PageTable();
  const column = table.column(Float32Array);
  for (let at = 0; at < 5000; at++) {
    const page = table.add(at, at * 3 + 1);
    column.values[page] = at;
  }
  for (let at = 0; at < 5000; at++) {
    const page = table.find(at, at * 3 + 1);
    assert.equal(column.values[page], at);
    assert.equal(table.fingerprintOf(page), (BigInt(at * 3 + 1) << 32n) | BigInt(at));
  }
});
