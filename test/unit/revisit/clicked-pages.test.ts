import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PageWeight, RevisitPolicyName } from '../../../src/contracts/revisit.ts';
import { clickedWeights } from '../../../src/revisit/clicked-pages.ts';
import { frequencyOf } from '../../../src/revisit/page-histogram.ts';
import { createRevisitPlanner } from '../../../src/revisit/revisit-planner.ts';

const NOW = Date.UTC(2026, 10, 15);
const DAY = 86_400_000;

function click(url: string, daysAgo: number): string {
  return JSON.stringify({ at: new Date(NOW - daysAgo * DAY).toISOString(), url, query: 'silk', position: 1 });
}

test('pages that are opened more often count more, relative to a mean of 1', () => {
  const weights = clickedWeights([click('a', 0), click('a', 0), click('a', 0), click('b', 0)], NOW);
  assert.deepEqual(
    [...weights],
    [
      ['a', 1.5],
      ['b', 0.5],
    ],
  );
});

test('a click counts half after thirty days, and nothing after years', () => {
  const weights = clickedWeights([click('old', 30), click('new', 0), click('forgotten', 4000)], NOW);
  assert.ok(Math.abs(weights.get('new')! / weights.get('old')! - 2) < 1e-9);
  assert.equal(weights.has('forgotten'), false);
});

test('broken lines, other values and clicks of the far future are passed over', () => {
  const lines = ['', '{', 'null', '[]', '7', '{"url": 5, "at": "2026-01-01"}', '{"url": "x"}', click('future', -365)];
  assert.equal(clickedWeights(lines, NOW).size, 0);
  assert.deepEqual([...clickedWeights([...lines, click('a', 1)], NOW)], [['a', 1]]);
  assert.equal(clickedWeights([], NOW).size, 0);
});

test('of more pages than are kept in mind the first count; the mean is 1 whatever the lines are', () => {
  const many = Array.from({ length: 100_010 }, (_, n) => click(`p${n}`, 0));
  assert.equal(clickedWeights(many, NOW).size, 100_000);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 500 }))), (clicks) => {
      const weights = clickedWeights(
        clicks.map(([page, age]) => click(`p${page}`, age)),
        NOW,
      );
      const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
      assert.ok(Math.abs(sum - weights.size) < 1e-6 * Math.max(1, weights.size));
    }),
    { numRuns: 50 },
  );
});

const policy = fc.constantFrom<RevisitPolicyName>('uniform', 'proportional', 'freshness', 'age');
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

test('a page that was opened never waits longer than one like it that never was', () => {
  fc.assert(
    fc.property(
      fc.record({
        policy,
        freshnessGoal: between(0.5, 0.99),
        importance: fc.option(between(0.05, 20), { nil: undefined }),
        weights: fc.array(between(0.05, 500), { minLength: 1, maxLength: 30 }),
        changed: fc.array(fc.boolean(), { maxLength: 12 }),
        clicks: fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 300 })), { minLength: 1 }),
      }),
      ({ policy, freshnessGoal, importance, weights, changed, clicks }) => {
        const bounds = { minIntervalMs: DAY / 24, maxIntervalMs: 60 * DAY, now: 0 };
        const planner = createRevisitPlanner({ policy, freshnessGoal, ...bounds, random: () => 0.5 });
        for (const [page, weight] of weights.entries()) {
          const first = planner.observe(undefined, { at: 0 });
          const second = planner.observe(first, { at: (1 + page) * DAY, changed: page % 2 === 0 });
          planner.next(second, { importance: weight });
        }
        let history = planner.observe(undefined, { at: 0 });
        for (const [visit, found] of changed.entries())
          history = planner.observe(history, { at: (visit + 1) * DAY, changed: found });
        const waitOf = (weight: PageWeight): number =>
          planner.again(history, weight, history.visitedAt).at ?? Number.POSITIVE_INFINITY;
        const links = importance === undefined ? {} : { importance };
        const lines = clicks.map(([page, age]) => click(`p${page}`, age));
        for (const opened of clickedWeights(lines, NOW).values())
          assert.ok(waitOf({ ...links, opened }) <= waitOf(links), `${opened}`);
      },
    ),
  );
});

test('a page that matters more is never visited less, whatever budget and bounds are', () => {
  const scale = fc.integer({ min: -2000, max: 2000 }).map((power) => 10 ** (power / 1000));
  fc.assert(
    fc.property(policy, scale, scale, fc.tuple(scale, scale, scale, scale, scale), (policy, effort, rate, rest) => {
      const [lighter, heavier] = [rest[0], rest[1]].sort((a, b) => a - b);
      const [least, leastOfFast, most] = [rest[2], rest[3], rest[4]].sort((a, b) => a - b);
      const pace = (weight: number): number => frequencyOf(policy, effort, rate, weight, { least, leastOfFast, most });
      assert.ok(pace(heavier) >= pace(lighter) * (1 - 1e-9), `${pace(heavier)} < ${pace(lighter)}`);
    }),
    { numRuns: 2000 },
  );
});
