import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { GramWeights } from '../../../../../src/extract/language/gram-table.ts';
import { EDGE, eachGram } from '../../../../../src/extract/language/grams.ts';
import { KernelScorer } from '../../../../../src/extract/language/kernel/kernel-scorer.ts';
import { PlainScorer } from '../../../../../src/extract/language/plain-scorer.ts';

const letter = fc.oneof(fc.integer({ min: 0x61, max: 0x64 }), fc.integer({ min: 2, max: 0xffff }));
const words = fc.array(fc.array(letter, { minLength: 1, maxLength: 40 }), { maxLength: 40 });

function lettersOf(written: readonly (readonly number[])[]): Uint16Array {
  return Uint16Array.from([EDGE, ...written.flatMap((word) => [...word, EDGE])]);
}

/** Every second gram of these words, and weights that have no order. */
function weightsOf(letters: Uint16Array, languages: number, seed: number): GramWeights {
  const met = new Set<number>();
  eachGram(letters, 0, letters.length, (gram) => met.add(gram).size > 0);
  const grams = Int32Array.from([...met].filter((gram) => gram !== 0 && (Math.imul(gram, seed) & 8) === 0));
  const columns = new Int8Array(grams.length * languages);
  for (let at = 0; at < columns.length; at++) columns[at] = Math.imul(at + 1, seed) >>> 24;
  return { grams, columns };
}

describe('the scores made in WebAssembly are those made in TypeScript', () => {
  test('of any words and weights, for any number of languages', () => {
    const seeds = fc.integer().map((seed) => seed | 1);
    fc.assert(
      fc.property(words, words, fc.integer({ min: 1, max: 50 }), seeds, (known, others, languages, seed) => {
        const told = weightsOf(lettersOf(known), languages, seed);
        const kernel = new KernelScorer(told, languages);
        const plain = new PlainScorer(told, languages);
        // Words that come again are remembered.
        for (const text of [known, others, [...others, ...known]]) {
          const letters = lettersOf(text);
          const [sums, expected] = [new Int32Array(languages).fill(3), new Int32Array(languages).fill(3)];
          const count = plain.score(letters, letters.length, expected);
          assert.equal(kernel.score(letters, letters.length, sums), count);
          assert.deepEqual(sums, expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('of the longest words with the largest weights', () => {
    const letters = lettersOf([Array.from({ length: 40 }, (_, at) => 0x61 + (at % 26))]);
    const { grams } = weightsOf(letters, 1, 0);
    for (const weight of [127, -128]) {
      const told = { grams, columns: new Int8Array(grams.length).fill(weight) };
      const [sums, expected] = [new Int32Array(1), new Int32Array(1)];
      new PlainScorer(told, 1).score(letters, letters.length, expected);
      new KernelScorer(told, 1).score(letters, letters.length, sums);
      assert.deepEqual(sums, expected);
    }
  });
});
