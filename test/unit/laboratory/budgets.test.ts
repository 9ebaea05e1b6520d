import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseBudget, visitsPerPageAndDay } from '../../../src/laboratory/budget.ts';
import { forecastAt, frequenciesOf } from '../../../src/laboratory/budget-curve.ts';
import { budgetForGoal } from '../../../src/laboratory/freshness-goal.ts';
import { namedMethods } from '../../../src/laboratory/named-methods.ts';

describe('budgets', () => {
  test('per page and day, as a share, or in all', () => {
    assert.deepEqual(parseBudget('0.1'), { visitsPerPageAndDay: 0.1 });
    assert.deepEqual(parseBudget(' 10 % '), { visitsPerPageAndDay: 0.1 });
    assert.deepEqual(parseBudget('500/day'), { requestsPerDay: 500 });
    assert.equal(visitsPerPageAndDay(parseBudget('500/day'), 1000), 0.5);
  });

  for (const text of ['', '0', '-1', 'much', '5/week', '1e99']) {
    test(`refused: ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseBudget(text), { code: 'USAGE', remedy: /500\/day/ });
    });
  }
});

describe('what freshness costs, by the formulas', () => {
  const textbook = Float64Array.of(1, 2, 3, 4, 5);

  test('the textbook case', () => {
    const curve = (['freshness', 'uniform', 'proportional'] as const).map((policy) => forecastAt(textbook, policy, 5));
    assert.deepEqual(
      curve.map(({ freshness }) => Number(freshness.toFixed(3))),
      [0.374, 0.365, 0.317],
    );
    const frequencies = [...frequenciesOf(textbook, 'freshness', 5)].map((one) => Number(one.toFixed(2)));
    assert.deepEqual(frequencies, [1.15, 1.36, 1.35, 1.14, 0]);
    assert.equal(forecastAt(textbook, 'freshness', 5).ageDays, Number.POSITIVE_INFINITY);
  });

  test('pages that never change are always fresh', () => {
    for (const policy of ['uniform', 'proportional', 'freshness', 'age'] as const) {
      const { freshness, ageDays } = forecastAt(new Float64Array(3), policy, 1);
      assert.deepEqual([freshness, ageDays], [1, 0]);
    }
  });

  test('the optimum is never below the others, and more never costs freshness', () => {
    const rates = fc.array(fc.double({ min: 0.001, max: 20, noNaN: true }), { minLength: 10, maxLength: 40 });
    fc.assert(
      fc.property(rates, fc.double({ min: 0.5, max: 5, noNaN: true }), (given, visitsPerChange) => {
        const all = Float64Array.from(given);
        const budget = visitsPerChange * given.reduce((sum, rate) => sum + rate, 0);
        const at = (policy: 'uniform' | 'proportional' | 'freshness', requests: number): number =>
          forecastAt(all, policy, requests).freshness;
        assert.ok(at('freshness', budget) >= at('uniform', budget) - 1e-6);
        assert.ok(at('freshness', budget) >= at('proportional', budget) - 1e-6);
        assert.ok(at('freshness', 2 * budget) >= at('freshness', budget) - 1e-9);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the budget for a goal', () => {
  const saturating = (budget: number): number => budget / (1 + budget);

  for (const near of [0.001, 0.9, 9, 500]) {
    test(`is found from ${near}`, () => {
      const found = budgetForGoal(0.9, saturating, { near }) as number;
      assert.ok(saturating(found) >= 0.9 && found <= 9 * 1.03, `${found}`);
    });
  }

  test('out of reach, and reached by the least', () => {
    assert.equal(
      budgetForGoal(0.9, () => 0.5, { near: 1 }),
      undefined,
    );
    assert.equal(
      budgetForGoal(0.9, () => 1, { near: 1, least: 0.01 }),
      0.01,
    );
  });
});

describe('names of policies and orders', () => {
  test('both flags take both; mixes are joined by +', () => {
    assert.deepEqual(namedMethods(['uniform', 'optimal', 'opic'], ['breadth-first', 'opic:2+depth:1', 'uniform']), {
      policies: ['uniform', 'freshness'],
      orders: ['opic', 'breadth-first', 'opic:2,depth:1'],
    });
    assert.deepEqual(namedMethods(undefined, undefined), {});
  });

  test('an unknown name is told with all that there are', () => {
    assert.throws(() => namedMethods(['eager'], undefined), {
      code: 'USAGE',
      message: /--policy: "eager"/,
      remedy: /uniform, proportional, freshness, age.*in-degree/s,
    });
    assert.throws(() => namedMethods([], undefined), { code: 'USAGE' });
  });
});
