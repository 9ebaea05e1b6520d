import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCrawlOrder } from '../../../src/rank/crawl-orders.ts';

test('breadth-first: a queue for each depth, the last for all deeper', () => {
  const order = createCrawlOrder('breadth-first', 4);
  assert.equal(order.order, 'fifo');
  assert.deepEqual(
    [0, 1, 2, 3, 4, 100].map((depth) => order.lane(depth)),
    [0, 1, 2, 3, 3, 3],
  );
});

test('depth-first: one queue, the newest first', () => {
  const order = createCrawlOrder('depth-first', 4);
  assert.equal(order.order, 'lifo');
  assert.deepEqual(
    [0, 5].map((depth) => order.lane(depth)),
    [0, 0],
  );
});
