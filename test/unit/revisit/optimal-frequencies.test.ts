import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { measure, population as solverPopulation } from '../../../bench/revisits.ts';
import { ageOf, freshnessOf } from '../../../src/revisit/freshness-and-age.ts';
import { optimalFrequencies } from '../../../src/revisit/optimal-frequencies.ts';
import { changesPerVisitWorth, visitWorth } from '../../../src/revisit/visit-worth.ts';
import { propertyRuns } from '../../property-runs.ts';

const textbook = Float64Array.from([1, 2, 3, 4, 5]);

function meanFreshness(rates: Float64Array, frequencies: ArrayLike<number>, weights?: Float64Array): number {
  let sum = 0;
  let all = 0;
  for (let page = 0; page < rates.length; page++) {
    sum += (weights?.[page] ?? 1) * freshnessOf(rates[page], frequencies[page]);
    all += weights?.[page] ?? 1;
  }
  return sum / all;
}

function meanAge(rates: Float64Array, frequencies: ArrayLike<number>, weights: Float64Array): number {
  let sum = 0;
  for (let page = 0; page < rates.length; page++) sum += weights[page] * ageOf(rates[page], frequencies[page]);
  return sum;
}

/** Slow and by another way: gives the budget away in small pieces, each to whom it serves best. */
function greedy(budget: number, pages: number, gain: (page: number, from: number, to: number) => number): Float64Array {
  const frequencies = new Float64Array(pages);
  const piece = budget / 4000;
  for (let given = 0; given < 4000; given++) {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let page = 0; page < pages; page++) {
      const gained = gain(page, frequencies[page], frequencies[page] + piece);
      if (gained > most) {
        most = gained;
        best = page;
      }
    }
    frequencies[best] += piece;
  }
  return frequencies;
}

const population = fc.array(
  fc.record({
    rate: fc.double({ min: -3, max: 1.5, noNaN: true }),
    weight: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
  { minLength: 2, maxLength: 12 },
);

describe('optimal frequencies', () => {
  it('solves the textbook case', () => {
    const { frequencies } = optimalFrequencies(textbook, undefined, 5, 'freshness');
    assert.deepEqual(
      [...frequencies].map((frequency) => frequency.toFixed(2)),
      ['1.15', '1.36', '1.35', '1.14', '0.00'],
    );
    assert.equal(meanFreshness(textbook, frequencies).toFixed(3), '0.374');
    assert.equal(meanFreshness(textbook, [1, 1, 1, 1, 1]).toFixed(3), '0.365');
    assert.equal(
      meanFreshness(
        textbook,
        textbook.map((rate) => rate / 3),
      ).toFixed(3),
      '0.317',
    );
  });

  it('is as fresh as the best that a slow search finds', () => {
    fc.assert(
      fc.property(population, fc.double({ min: -1, max: 1, noNaN: true }), (pages, log) => {
        const rates = Float64Array.from(pages, ({ rate }) => 10 ** rate);
        const weights = Float64Array.from(pages, ({ weight }) => 10 ** weight);
        const budget = rates.length * 10 ** log;
        const { frequencies } = optimalFrequencies(rates, weights, budget, 'freshness');
        const slow = greedy(
          budget,
          rates.length,
          (page, from, to) => weights[page] * (freshnessOf(rates[page], to) - freshnessOf(rates[page], from)),
        );
        assert.ok(Math.abs(frequencies.reduce((sum, f) => sum + f, 0) / budget - 1) < 1e-9);
        // The pieces of the slow search are rough: it may be surpassed, but must not surpass.
        assert.ok(meanFreshness(rates, frequencies, weights) >= meanFreshness(rates, slow, weights) - 1e-9);
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  it('is as young as the best that a slow search finds', () => {
    fc.assert(
      fc.property(population, (pages) => {
        const rates = Float64Array.from(pages, ({ rate }) => 10 ** rate);
        const weights = Float64Array.from(pages, ({ weight }) => 10 ** weight);
        const budget = rates.length;
        const { frequencies } = optimalFrequencies(rates, weights, budget, 'age');
        // From nothing every page's age is boundless: the one of the greatest weight and rate is served first.
        const slow = greedy(budget, rates.length, (page, from, to) =>
          from === 0
            ? 1e6 * weights[page] * rates[page]
            : weights[page] * (ageOf(rates[page], from) - ageOf(rates[page], to)),
        );
        assert.ok(meanAge(rates, frequencies, weights) <= meanAge(rates, slow, weights) * (1 + 1e-9));
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  it('holds for very many pages: every visit is worth the same, to within a hundredth of a percent', () => {
    const count = 200_000;
    const rates = new Float64Array(count);
    const weights = new Float64Array(count);
    for (let page = 0; page < count; page++) {
      rates[page] = 10 ** (-4 + 5 * ((page * 0.618034) % 1));
      weights[page] = 10 ** (((page * 0.754878) % 1) - 0.5);
    }
    const { frequencies, price } = optimalFrequencies(rates, weights, count / 10, 'freshness');
    let total = 0;
    for (let page = 0; page < count; page++) {
      total += frequencies[page];
      const most = weights[page] / rates[page];
      if (frequencies[page] === 0) assert.ok(most <= price * 1.0001);
      else assert.ok(Math.abs((most * visitWorth('freshness', rates[page] / frequencies[page])) / price - 1) < 1e-4);
    }
    assert.ok(Math.abs(total / (count / 10) - 1) < 1e-9);
  });

  it('uses a budget that starves all pages as well as it can', () => {
    // Hopeless alike: no share is better than another, and none may be lost.
    const alike = optimalFrequencies(Float64Array.from([3.4, 3.4]), undefined, 0.2, 'freshness').frequencies;
    assert.ok(Math.abs(alike[0] + alike[1] - 0.2) < 1e-12);
    assert.ok(Math.abs(freshnessOf(3.4, alike[0]) + freshnessOf(3.4, alike[1]) - 0.2 / 3.4) < 1e-9);
    // The slow page is worth nearly the whole budget; an even share would lose a third.
    const rates = Float64Array.from([0.001, 0.01734]);
    const { frequencies } = optimalFrequencies(rates, undefined, 0.00261, 'freshness');
    let best = 0;
    for (let part = 0; part <= 20_000; part++) {
      const first = (0.00261 * part) / 20_000;
      best = Math.max(best, freshnessOf(0.001, first) + freshnessOf(0.01734, 0.00261 - first));
    }
    assert.ok(freshnessOf(0.001, frequencies[0]) + freshnessOf(0.01734, frequencies[1]) >= best - 1e-12);
    assert.ok(frequencies[0] > 0.0025 && frequencies[1] > 0);
    const young = optimalFrequencies(rates, undefined, 0.00261, 'age').frequencies;
    assert.ok(young[1] > young[0] && young[0] > 0);
    assert.ok(Math.abs(young[0] + young[1] - 0.00261) < 1e-12);
  });

  it('reaches at least 99.99 % of what no plan can surpass', () => {
    for (const objective of ['freshness', 'age'] as const)
      for (const budget of [0.003, 0.1, 1]) {
        const { share, used } = measure(solverPopulation(20_000, 7), objective, budget);
        assert.ok(share > 0.9999 && share < 1 + 1e-9, `${objective} ${budget}: ${share}`);
        assert.ok(Math.abs(used - 1) < 1e-9);
      }
  });

  it('gives pages that never change nothing, unless there are no others', () => {
    assert.equal(optimalFrequencies(Float64Array.from([0, 1]), undefined, 1, 'age').frequencies[0], 0);
    assert.deepEqual(
      [...optimalFrequencies(Float64Array.from([0, 0]), undefined, 1, 'freshness').frequencies],
      [0.5, 0.5],
    );
    assert.deepEqual([...optimalFrequencies(textbook, undefined, 0, 'age').frequencies], [0, 0, 0, 0, 0]);
  });

  it('finds the way back from the worth of a visit', () => {
    for (const objective of ['freshness', 'age'] as const)
      fc.assert(
        fc.property(fc.double({ min: -9, max: objective === 'age' ? 6 : -1e-4, noNaN: true }), (log) => {
          const changes = changesPerVisitWorth(objective, 10 ** log);
          assert.ok(Math.abs(visitWorth(objective, changes) / 10 ** log - 1) < 1e-6);
        }),
      );
    assert.equal(changesPerVisitWorth('freshness', 1), Number.POSITIVE_INFINITY);
  });
});
