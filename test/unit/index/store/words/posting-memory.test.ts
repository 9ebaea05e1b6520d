import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEXT_PLACE } from '../../../../../src/index/store/words/posting-layout.ts';
import { PostingMemory } from '../../../../../src/index/store/words/posting-memory.ts';

/** Memory with room for postings of so many bytes, as many of which are used. */
function filled(memory: PostingMemory, room: number, used = room): PostingMemory {
  memory.ensure('postings', room);
  memory.numbers[NEXT_PLACE / 4] = used;
  return memory;
}

describe('memory for postings', () => {
  test('regions grow, and keep what is in them', () => {
    const memory = new PostingMemory();
    memory.ensure('words', 4000);
    memory.ensure('order', 4000);
    const put = (region: 'words' | 'order', value: number): void => {
      const at = memory.begin(region) / 4;
      memory.numbers.fill(value, at, at + 1000);
    };
    const held = (region: 'words' | 'order'): number[] => {
      const at = memory.begin(region) / 4;
      return [...new Set(memory.numbers.subarray(at, at + 1000))];
    };
    put('words', 1);
    put('order', 2);
    memory.ensure('groups', 300_000);
    memory.ensure('words', 500_000);
    memory.ensure('postings', 1_000_000);
    assert.deepEqual([held('words'), held('order')], [[1], [2]]);
    assert.ok(memory.size('words') >= 500_000);
    const groups = memory.begin('groups');
    assert.ok(memory.bytes.subarray(groups, groups + memory.size('groups')).every((byte) => byte === 0));
  });

  test('one segment after the other uses it', () => {
    const memory = filled(new PostingMemory(), 2 ** 24);
    assert.equal(memory.forNext(), memory);
    assert.equal(memory.numbers[NEXT_PLACE / 4], 0);
  });

  test('that of a very long document is given up', () => {
    const memory = filled(new PostingMemory(), 2 ** 27);
    assert.notEqual(memory.forNext(), memory);
  });

  test('after a burst it is given up, but not for one small segment among large ones', () => {
    const memory = filled(new PostingMemory(), 2 ** 24);
    const nexts = (uses: readonly number[]): PostingMemory[] =>
      uses.map((used) => filled(memory, 2 ** 24, used).forNext());
    assert.ok(nexts([...Array(7).fill(1000), 2 ** 23, ...Array(7).fill(1000)]).every((next) => next === memory));
    assert.notEqual(nexts([1000])[0], memory);
  });
});
