import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WordArrays } from '../../../../src/index/store/word-arrays.ts';

function grownTo(words: number): WordArrays {
  const arrays = new WordArrays();
  while (arrays.terms.length < words) arrays.grow();
  return arrays;
}

describe('arrays for words', () => {
  test('one merge after the other uses them', () => {
    const arrays = grownTo(2 ** 20);
    assert.equal(arrays.forNext(), arrays);
  });

  test('those that very many words have filled are given up', () => {
    const arrays = grownTo(2 ** 20 + 1);
    assert.ok(arrays.forNext().terms.length < arrays.terms.length);
  });
});
