import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openedWeights } from '../../../src/revisit/opened-pages.ts';

const NOW = Date.UTC(2026, 10, 15);
const DAY = 86_400_000;

function click(url: string, daysAgo: number): string {
  return JSON.stringify({ at: new Date(NOW - daysAgo * DAY).toISOString(), url, query: 'silk', position: 1 });
}

test('pages that are opened more often count more, relative to a mean of 1', () => {
  const weights = openedWeights([click('a', 0), click('a', 0), click('a', 0), click('b', 0)], NOW);
  assert.deepEqual(
    [...weights],
    [
      ['a', 1.5],
      ['b', 0.5],
    ],
  );
});

test('a click counts half after thirty days, and nothing after years', () => {
  const weights = openedWeights([click('old', 30), click('new', 0), click('forgotten', 4000)], NOW);
  assert.ok(Math.abs(weights.get('new')! / weights.get('old')! - 2) < 1e-9);
  assert.equal(weights.has('forgotten'), false);
});

test('broken lines, other values and clicks of the far future are passed over', () => {
  const lines = ['', '{', 'null', '[]', '7', '{"url": 5, "at": "2026-01-01"}', '{"url": "x"}', click('future', -365)];
  assert.equal(openedWeights(lines, NOW).size, 0);
  assert.deepEqual([...openedWeights([...lines, click('a', 1)], NOW)], [['a', 1]]);
  assert.equal(openedWeights([], NOW).size, 0);
});

test('of more pages than are kept in mind the first count; the mean is 1 whatever the lines are', () => {
  const many = Array.from({ length: 100_010 }, (_, n) => click(`p${n}`, 0));
  assert.equal(openedWeights(many, NOW).size, 100_000);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 500 }))), (clicks) => {
      const weights = openedWeights(
        clicks.map(([page, age]) => click(`p${page}`, age)),
        NOW,
      );
      const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
      assert.ok(Math.abs(sum - weights.size) < 1e-6 * Math.max(1, weights.size));
    }),
    { numRuns: 50 },
  );
});
