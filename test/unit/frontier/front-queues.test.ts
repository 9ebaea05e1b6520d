import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLane, FrontQueues } from '../../../src/frontier/front-queues.ts';

/** A repeatable stand-in for Math.random. */
function seeded(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

test('strict: a lane is served only while all before it are empty', () => {
  const queues = new FrontQueues(3, 'strict', Math.random);
  for (let host = 0; host < 3000; host++) queues.push(host, host % 4);
  const lanes = Array.from({ length: 3000 }, () => Math.min(queues.shift() % 4, 2));
  assert.deepEqual(
    lanes,
    lanes.toSorted((a, b) => a - b),
  );
  assert.equal(queues.shift(), -1);
});

test('biased: lane k is drawn about half as often as lane k-1, and none starves', () => {
  const queues = new FrontQueues(4, 'biased', seeded(7));
  for (let host = 0; host < 40_000; host++) queues.push(host, host % 4);
  const served = [0, 0, 0, 0];
  for (let i = 0; i < 8000; i++) served[queues.shift() % 4]++;
  assert.ok(served[0] > 3700 && served[0] < 4300, `${served}`);
  assert.ok(served[1] > 1750 && served[1] < 2250, `${served}`);
  assert.ok(served[3] > 700, `${served}`);
});

test('the draw never leaves the lanes', () => {
  for (const r of [0, 0.5, 0.999999999, 1 - 2 ** -53]) {
    const lane = drawLane(5, () => r);
    assert.ok(lane >= 0 && lane < 5);
  }
});
