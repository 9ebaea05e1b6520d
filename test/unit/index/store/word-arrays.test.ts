import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WordArrays } from '../../../../src/index/store/word-arrays.ts';

function grownTo(words: number): WordArrays {
  const arrays = new WordArrays();
  while (arrays.terms.length < words) arrays.grow();
  return arrays;
}

describe('arrays for words', () => {
  test('one segment after the other uses them', () => {
    const arrays = grownTo(2 ** 20);
    const { words, postings } = arrays.packed(900_000);
    assert.equal(arrays.forNext(900_000), arrays);
    assert.equal(arrays.packed(700_000).words, words);
    assert.equal(arrays.packed(700_000).postings, postings);
  });

  test('those that a very long document has filled are given up', () => {
    const arrays = grownTo(2 ** 20 + 1);
    assert.ok(arrays.forNext().terms.length < arrays.terms.length);
  });

  test('after a burst they are given up, but not for one small segment among large ones', () => {
    const arrays = grownTo(2 ** 20);
    const nexts = (uses: readonly number[]): WordArrays[] => uses.map((used) => arrays.forNext(used));
    assert.ok(nexts([...Array(7).fill(1000), 900_000, ...Array(7).fill(1000)]).every((next) => next === arrays));
    const next = arrays.forNext(1000);
    assert.notEqual(next, arrays);
    assert.ok(next.terms.length < arrays.terms.length);
  });

  test('small ones are kept, however little is in them', () => {
    const arrays = new WordArrays();
    for (let time = 0; time < 100; time++) assert.equal(arrays.forNext(0), arrays);
  });

  test('postings get room as they come, and keep what they had', () => {
    const { postings } = new WordArrays().packed(1000);
    const { size } = postings;
    postings.documents[size - 1] = 7;
    postings.counts[size - 1] = 3;
    postings.grow(size + 1);
    assert.ok(postings.size > size);
    assert.deepEqual([postings.documents[size - 1], postings.counts[size - 1]], [7, 3]);
    for (const values of [postings.codes, postings.forms, postings.addedForms])
      assert.equal(values.length, postings.size);
  });
});
