import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnQueue } from '../../../src/base/turn-queue.ts';

test('one by one, in order, each in a turn of its own, and a turn in between for what others have begun', async () => {
  const turns = new TurnQueue(0);
  let turn = 0;
  const count = (): void => {
    turn++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const seen: [string, number][] = [];
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await turns.take();
      seen.push([name, turn]);
    }),
  );
  clearImmediate(counting);
  const first = seen[0][1];
  assert.deepEqual(seen, [
    ['a', first],
    ['b', first + 2],
    ['c', first + 4],
  ]);
});
