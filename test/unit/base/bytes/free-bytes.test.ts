import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeBytes } from '../../../../src/base/bytes/free-bytes.ts';

test('memory that is theirs alone is given back, any other is left to those who share it', () => {
  const alone = Buffer.allocUnsafeSlow(100);
  freeBytes(alone);
  assert.equal(alone.byteLength, 0);
  const shared = Buffer.alloc(100, 1);
  const part = new Uint8Array(shared.buffer, shared.byteOffset, 50);
  freeBytes(part);
  assert.equal(part[49], 1);
  const pooled = Buffer.from('from the pool of all');
  freeBytes(pooled);
  assert.equal(String(pooled), 'from the pool of all');
});

test('what is shared between threads stays', () => {
  const bytes = new Uint8Array(new SharedArrayBuffer(8));
  freeBytes(bytes);
  assert.equal(bytes.length, 8);
});

test('what was given away already is left alone', () => {
  const bytes = Buffer.allocUnsafeSlow(10);
  freeBytes(bytes);
  freeBytes(bytes);
  assert.equal(bytes.length, 0);
});
