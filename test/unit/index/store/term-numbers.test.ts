import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TermNumbers } from '../../../../src/index/store/term-numbers.ts';

/** Where occurrences of terms begin, of which these have one each. */
function startsOf(numbers: TermNumbers, used: ReadonlySet<number>): Uint32Array {
  const starts = new Uint32Array(numbers.terms.length + 1);
  for (let number = 0; number < numbers.terms.length; number++)
    starts[number + 1] = starts[number] + (used.has(number) ? 1 : 0);
  return starts;
}

test('the terms of each segment come in order, whatever the segments before had', () => {
  const segments = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 30 }), { maxLength: 8 });
  fc.assert(
    fc.property(segments, (all) => {
      const numbers = new TermNumbers();
      for (const terms of all) {
        const used = new Set(terms.map((term) => numbers.of(term)));
        const order = numbers.ordered(startsOf(numbers, used));
        assert.deepEqual(
          Array.from(order, (number) => numbers.terms[number]),
          [...new Set(terms.map((term) => term.toWellFormed()))].sort(),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test('so do terms that begin alike, and each is told in UTF-8', () => {
  const unit = fc.constantFrom(...'ab~\u007f\u0080é東');
  const long = fc
    .tuple(fc.constantFrom('', 'common', 'commonwealth'), fc.string({ unit, maxLength: 9 }))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(fc.array(long, { maxLength: 40 }), { maxLength: 6 }), (all) => {
      const numbers = new TermNumbers();
      for (const terms of all) {
        const used = new Set(terms.map((term) => numbers.of(term)));
        const order = numbers.ordered(startsOf(numbers, used));
        assert.deepEqual(
          Array.from(order, (number) => numbers.terms[number]),
          [...new Set(terms)].sort(),
        );
        for (const number of order) {
          const { bytes, from, to } = numbers.encoded(number);
          assert.equal(Buffer.from(bytes.subarray(from, to)).toString(), numbers.terms[number]);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('a term has one number, however it is spelt with halves of surrogate pairs', () => {
  const numbers = new TermNumbers();
  assert.equal(numbers.of('a\ud800'), numbers.of('a\ufffd'));
  assert.equal(numbers.of('b'), 1);
  assert.deepEqual(numbers.terms, ['a\ufffd', 'b']);
});

test('numbers are kept for the next segment until they are too many', () => {
  const numbers = new TermNumbers();
  for (let term = 0; term < 1 << 16; term++) numbers.of(`${term}`);
  assert.equal(numbers.forNext(), numbers);
  numbers.of('one more');
  assert.deepEqual(numbers.forNext().terms, []);
});
