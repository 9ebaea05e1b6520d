import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRoom } from '../../../src/base/make-room.ts';

test('where it is full the oldest goes', () => {
  const set = new Set<number>();
  for (let i = 0; i < 5; i++) makeRoom(set, 3).add(i);
  assert.deepEqual([...set], [2, 3, 4]);
  const map = new Map([['a', 1]]);
  assert.deepEqual([...makeRoom(map, 2)], [['a', 1]]);
  assert.equal(makeRoom(map, 1).size, 0);
});
