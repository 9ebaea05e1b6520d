import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_KEPT, WordMemory } from '../../../../src/extract/language/word-memory.ts';

test('holds a word and what it says until another falls into its slot', () => {
  const memory = new WordMemory(2);
  const [one, longer, longest] = ['word', 'words', 'w'.repeat(LONGEST_KEPT)].map((word) =>
    Uint16Array.from(word, (letter) => letter.charCodeAt(0)),
  );
  const slot = memory.slotOf(one, 0, one.length);
  assert.equal(memory.holds(slot, one, 0, one.length), false);
  memory.keep(slot, one, 0, one.length, Int32Array.of(3, -4), 2);
  assert.equal(memory.holds(slot, one, 0, one.length), true);
  assert.equal(memory.holds(slot, longer, 0, longer.length), false);
  const sums = Int32Array.of(10, 10);
  assert.equal(memory.addTo(sums, slot), 2);
  assert.deepEqual([...sums], [13, 6]);
  memory.keep(slot, longest, 0, longest.length, Int32Array.of(1, 1), 1);
  assert.equal(memory.holds(slot, longest, 0, longest.length), true);
  assert.equal(memory.holds(slot, one, 0, one.length), false);
});
