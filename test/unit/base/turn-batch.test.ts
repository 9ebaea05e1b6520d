import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TurnBatch } from '../../../src/base/turn-batch.ts';

function gathered(): { batch: TurnBatch<number>; handed: (readonly number[])[] } {
  const handed: (readonly number[])[] = [];
  return { batch: new TurnBatch((items) => handed.push(items)), handed };
}

test('what is alone is handed on after a turn that brought nothing', async () => {
  const { batch, handed } = gathered();
  batch.add(1);
  assert.deepEqual(handed, []);
  for (let turns = 0; turns < 3; turns++) await turn();
  assert.deepEqual(handed, [[1]]);
});

test('many that come at once do not wait for more', async () => {
  const { batch, handed } = gathered();
  for (let item = 0; item < 20; item++) batch.add(item);
  await turn();
  await turn();
  assert.deepEqual(handed.flat(), [...Array(20).keys()]);
});

test('what turns bring one after the other goes together, in order', async () => {
  const { batch, handed } = gathered();
  for (let item = 0; item < 16; item++) {
    batch.add(item);
    await turn();
  }
  for (let turns = 0; turns < 3; turns++) await turn();
  assert.deepEqual(handed.flat(), [...Array(16).keys()]);
  // On a slow machine the first has waited long enough sooner.
  assert.ok(handed.every(({ length }) => length <= 9));
});

test('flush hands on at once, and what comes after it is looked at again', async () => {
  const { batch, handed } = gathered();
  batch.add(1);
  batch.flush();
  batch.flush();
  batch.add(2);
  assert.deepEqual(handed, [[1]]);
  for (let turns = 0; turns < 3; turns++) await turn();
  assert.deepEqual(handed, [[1], [2]]);
});
