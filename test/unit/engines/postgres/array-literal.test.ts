import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrayLiteral } from '../../../../src/engines/postgres/array-literal.ts';

test('arrays as PostgreSQL reads them', () => {
  const values = ['a"b\\c', '', 'NULL', '{,}', 'nul\0'];
  assert.equal(arrayLiteral(values), '{"a\\"b\\\\c","","NULL","{,}","nul\ufffd"}');
  assert.equal(
    arrayLiteral([1, -(2n ** 63n), null, Number.POSITIVE_INFINITY]),
    '{1,-9223372036854775808,NULL,Infinity}',
  );
  assert.equal(arrayLiteral([Uint8Array.of(0, 255)]), '{"\\\\x00ff"}');
});
