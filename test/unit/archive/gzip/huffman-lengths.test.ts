import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalCodes, huffmanLengths } from '../../../../src/archive/gzip/huffman-lengths.ts';

const weights = fc
  .array(fc.oneof(fc.constant(0), fc.nat(9), fc.nat(1_000_000)), { minLength: 2, maxLength: 290 })
  .filter((list) => list.filter((weight) => weight > 0).length >= 2)
  .map((list) => Float64Array.from(list));

/** What a Huffman code costs at least, by joining the two lightest again and again. */
function leastCost(list: Float64Array): number {
  const heap = [...list].filter((weight) => weight > 0);
  let cost = 0;
  while (heap.length > 1) {
    heap.sort((a, b) => b - a);
    const joined = heap.pop()! + heap.pop()!;
    cost += joined;
    heap.push(joined);
  }
  return cost;
}

test('a code uses all its room, keeps to the limit, and leaves out what has no weight', () => {
  fc.assert(
    fc.property(weights, fc.constantFrom(9, 12, 15), (list, limit) => {
      const lengths = huffmanLengths(list, limit);
      let room = 0;
      for (const [symbol, length] of lengths.entries()) {
        assert.equal(length > 0, list[symbol] > 0);
        assert.ok(length <= limit);
        if (length > 0) room += 2 ** -length;
      }
      assert.equal(room, 1);
    }),
  );
});

test('no code is cheaper, as far as the limit allows', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const cost = (limit: number): number =>
        huffmanLengths(list, limit).reduce((sum, length, symbol) => sum + length * list[symbol], 0);
      assert.equal(cost(30), leastCost(list));
      assert.ok(cost(15) >= cost(30));
    }),
    { numRuns: 50 },
  );
});

test('weights that double make a code as deep as allowed', () => {
  const doubling = Float64Array.from({ length: 30 }, (_, n) => 2 ** n);
  assert.equal(Math.max(...huffmanLengths(doubling, 15)), 15);
  assert.equal(Math.max(...huffmanLengths(doubling, 7)), 7);
});

test('no code begins another', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const lengths = huffmanLengths(list, 15);
      const codes = canonicalCodes(lengths);
      const texts = [...codes].flatMap((code, symbol) =>
        lengths[symbol] === 0 ? [] : [code.toString(2).padStart(lengths[symbol], '0').split('').reverse().join('')],
      );
      texts.sort();
      for (let at = 1; at < texts.length; at++) assert.ok(!texts[at].startsWith(texts[at - 1]));
    }),
    { numRuns: 50 },
  );
});

test('the codes of the example in RFC 1951', () => {
  const codes = canonicalCodes(Uint8Array.of(3, 3, 3, 3, 3, 2, 4, 4));
  const told = ['010', '011', '100', '101', '110', '00', '1110', '1111'];
  const lowestFirst = told.map((text) => Number.parseInt([...text].reverse().join(''), 2));
  assert.deepEqual([...codes], lowestFirst);
});
