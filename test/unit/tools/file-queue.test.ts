import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FileQueue } from '../../../tools/run-tests/file-queue.ts';

const FILES = [
  ...[3, 9, 5].map((weight) => ({ path: `large ${weight}`, group: 'large', weight })),
  ...[4, 6].map((weight) => ({ path: `middle ${weight}`, group: 'middle', weight })),
  ...[2, 1].map((weight) => ({ path: `small ${weight}`, group: 'small', weight })),
];

describe('the queue of test files', () => {
  test('each taker stays in its group, heavy files first', () => {
    const queue = new FileQueue(FILES);
    const [a, b] = [{}, {}];
    const taken = [a, b, a, b].map((taker) => queue.take(taker));
    assert.deepEqual(taken, ['large 9', 'middle 6', 'large 5', 'middle 4']);
    assert.equal(queue.length, 3);
    // Of the two groups that are left, one has a taker.
    assert.equal(queue.take(b), 'small 2');
    assert.deepEqual([queue.take(a), queue.take(a), queue.take(a)], ['large 3', 'small 1', undefined]);
  });

  test('who finds nothing left helps where the most is left for each', () => {
    const queue = new FileQueue(FILES.filter(({ group }) => group !== 'middle'));
    const [a, b, c] = [{}, {}, {}];
    assert.equal(queue.take(a), 'large 9');
    assert.equal(queue.take(b), 'large 5');
    assert.equal(queue.take(c), 'small 2');
    queue.leave(a);
    assert.equal(queue.take(c), 'small 1');
    assert.equal(queue.take(c), 'large 3');
    assert.equal(queue.length, 0);
  });
});
