import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binaryArray } from '../../../../src/engines/postgres/binary-array.ts';

const hex = (...parts: readonly string[]): string => parts.join('').replaceAll(' ', '');

test('arrays as PostgreSQL reads them in its binary format', () => {
  assert.equal(
    binaryArray('integer', [1, null, -2]).toString('hex'),
    hex('00000001 00000001 00000017 00000003 00000001', '00000004 00000001', 'ffffffff', '00000004 fffffffe'),
  );
  assert.equal(
    binaryArray('bigint', [1, -(2n ** 63n)]).toString('hex'),
    hex('00000001 00000000 00000014 00000002 00000001', '00000008 0000000000000001', '00000008 8000000000000000'),
  );
  assert.equal(
    binaryArray('double', [Number.POSITIVE_INFINITY]).toString('hex'),
    hex('00000001 00000000 000002bd 00000001 00000001', '00000008 7ff0000000000000'),
  );
  assert.equal(
    binaryArray('bytes', [Uint8Array.of(0, 255)]).toString('hex'),
    hex('00000001 00000000 00000011 00000001 00000001', '00000002 00ff'),
  );
});

test('texts are UTF-8, and without NUL', () => {
  assert.equal(
    binaryArray('text', ['a"é', '', 'x\0']).toString('hex'),
    hex('00000001 00000000 00000019 00000003 00000001', '00000004 6122c3a9', '00000000', '00000004 78efbfbd'),
  );
});

test('an empty array has no dimension', () => {
  assert.equal(binaryArray('integer', []).toString('hex'), hex('00000000 00000000 00000017'));
});
