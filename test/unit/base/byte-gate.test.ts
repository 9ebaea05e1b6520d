import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteGate } from '../../../src/base/byte-gate.ts';

/** Who was let in so far, in this order. */
function entering(gate: ByteGate, sizes: readonly number[]): number[] {
  const inside: number[] = [];
  for (const [who, bytes] of sizes.entries()) void gate.enter(bytes).then(() => inside.push(who));
  return inside;
}

test('whoever finds no room waits, and those behind it wait with it', async () => {
  const gate = new ByteGate(10);
  const inside = entering(gate, [6, 5, 1]);
  await undefined;
  assert.deepEqual(inside, [0]);
  gate.leave(6);
  await undefined;
  assert.deepEqual([inside, gate.held], [[0, 1, 2], 6]);
});

test('whoever needs more than all there is is let in alone', async () => {
  const gate = new ByteGate(10);
  const inside = entering(gate, [3, 50, 2]);
  await undefined;
  assert.deepEqual(inside, [0]);
  gate.leave(3);
  await undefined;
  assert.deepEqual(inside, [0, 1]);
  gate.leave(50);
  await undefined;
  assert.deepEqual(inside, [0, 1, 2]);
});

test('all are let in in their order, and never more together than fit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(15), { maxLength: 30 }), async (sizes) => {
      const gate = new ByteGate(10);
      const inside = entering(gate, sizes);
      for (let left = 0; left < sizes.length; left++) {
        await undefined;
        const held = inside.slice(left).map((who) => sizes[who]);
        assert.equal(
          gate.held,
          held.reduce((a, b) => a + b, 0),
        );
        assert.ok(gate.held <= 10 || held.filter((bytes) => bytes > 0).length === 1);
        gate.leave(sizes[inside[left]]);
      }
      assert.deepEqual(inside, [...sizes.keys()]);
    }),
  );
});
