import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFields } from '../../../../src/archive/warc/warc-fields.ts';

test('folded lines go on with the value before them', () => {
  assert.deepEqual(parseFields('a: b\r\n  c \r\n\td\r\n'), [['a', 'b c d']]);
  assert.deepEqual(parseFields('a:\r\n \r\n c\r\n'), [['a', 'c']]);
  assert.deepEqual(parseFields(' lost\r\na: b'), [['a', 'b']]);
});

test('many folded lines cost no more each than one', () => {
  // Copying the value for every line would take hours.
  const [[, value]] = parseFields(`a: b\n${' c\n'.repeat(500_000)}`);
  assert.equal(value.length, 1 + 500_000 * 2);
});
