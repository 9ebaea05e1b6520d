import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TermOrder } from '../../../../../src/index/store/words/term-order.ts';

/** Beside ASCII those that a key takes for the same. */
const character = fc.constantFrom(...'ab~', '\x7e', '\x7f', 'è', 'é', 'α', 'я', '中', '𝒳');
const term = fc.array(character, { maxLength: 9 }).map((characters) => characters.join(''));

test('terms that come in by and by are in the order of all', () => {
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 60 }), fc.array(fc.nat(20), { maxLength: 8 }), (terms, steps) => {
      const order = new TermOrder();
      const numberOf = (one: string): number => terms.indexOf(one);
      let count = 0;
      for (const step of [...steps, terms.length]) {
        count = Math.min(terms.length, count + step);
        order.take(terms.slice(0, count), numberOf);
        assert.deepEqual(
          Array.from(order.numbers, (number) => terms[number]),
          terms.slice(0, count).sort(),
        );
      }
    }),
    { numRuns: 500 },
  );
});
