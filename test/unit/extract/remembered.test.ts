import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Remembered } from '../../../src/extract/remembered.ts';

test('asks once for each text', () => {
  const asked: string[] = [];
  const lengths = new Remembered((text) => asked.push(text) && text.length, 10);
  assert.deepEqual(
    ['a', 'bb', 'a', 'bb', ''].map((text) => lengths.of(text)),
    [1, 2, 1, 2, 0],
  );
  assert.deepEqual(asked, ['a', 'bb', '']);
});

test('begins anew when it is full, and keeps no long text', () => {
  const asked: string[] = [];
  const lengths = new Remembered((text) => asked.push(text) && text.length, 2);
  const long = 'x'.repeat(1000);
  for (const text of [long, 'a', 'b', long, 'a', 'c', 'a']) assert.equal(lengths.of(text), text.length);
  assert.deepEqual(asked, [long, 'a', 'b', long, 'c', 'a']);
});
