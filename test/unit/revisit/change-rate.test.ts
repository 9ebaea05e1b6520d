import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lastModifiedRate, likeliestRate, regularRate } from '../../../src/revisit/change-rate.ts';

/** The exact expected value of an estimate over all counts of changes that n visits may find. */
function expected(visits: number, rate: number, estimate: (changes: number) => number): number {
  const chance = -Math.expm1(-rate);
  let logChoose = 0;
  let sum = 0;
  for (let changes = 0; changes <= visits; changes++) {
    if (changes > 0) logChoose += Math.log((visits - changes + 1) / changes);
    sum += Math.exp(logChoose + changes * Math.log(chance) - (visits - changes) * rate) * estimate(changes);
  }
  return sum;
}

describe('change rate', () => {
  it('is within 1 % of the truth on average, from 15 visits on and for 0.1 to 2 changes per visit', () => {
    for (const visits of [15, 16, 18, 20, 25, 30, 40, 50, 100, 300])
      for (let rate = 0.1; rate <= 2; rate += 0.05) {
        const mean = expected(visits, rate, (changes) => regularRate(visits, changes, 1));
        assert.ok(Math.abs(mean / rate - 1) <= 0.01, `${visits} visits at ${rate}: ${mean}`);
      }
  });

  it('would be far too low if changes were only counted', () => {
    assert.ok(expected(50, 2, (changes) => changes / 50) < 0.9);
  });

  it('is finite even if every visit found a change, and nothing without visits', () => {
    assert.ok(Number.isFinite(regularRate(10, 10, 1)));
    assert.equal(regularRate(0, 0, 1), 0);
  });

  it('is at even intervals what the closed formula says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), (changed, unchanged) => {
        const rate = likeliestRate({ changedAfter: new Array<number>(changed).fill(3), unchangedDays: 3 * unchanged });
        const exact = -Math.log(unchanged / (changed + unchanged)) / 3;
        assert.ok(Math.abs(rate / exact - 1) < 1e-6);
      }),
    );
  });

  it('is at the top of the likelihood for uneven intervals', () => {
    const days = fc.double({ min: 0.1, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(days, { minLength: 1, maxLength: 8 }), days, (changedAfter, unchangedDays) => {
        const likelihood = (rate: number): number =>
          changedAfter.reduce((sum, interval) => sum + Math.log(-Math.expm1(-rate * interval)), -rate * unchangedDays);
        const rate = likeliestRate({ changedAfter, unchangedDays });
        assert.ok(likelihood(rate) >= likelihood(rate * 1.01) && likelihood(rate) >= likelihood(rate * 0.99));
      }),
    );
  });

  it('counts changes whose times are known', () => {
    assert.ok(
      Math.abs(likeliestRate({ changedAfter: [], unchangedDays: 0, knownChanges: 3, knownDays: 30 }) - 0.1) < 1e-9,
    );
    assert.equal(likeliestRate({ changedAfter: [], unchangedDays: 10 }), 0);
    assert.equal(likeliestRate({ changedAfter: [1], unchangedDays: 0 }), Number.POSITIVE_INFINITY);
  });

  it('is right with Last-Modified even if a page changes many times between visits', () => {
    let state = 11;
    const random = (): number => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const sinceChange: number[] = [];
    let unchangedDays = 0;
    for (let visit = 0; visit < 20_000; visit++) {
      const since = -Math.log(random()) / 2.5;
      if (since < 1) sinceChange.push(since);
      else unchangedDays += 1;
    }
    assert.ok(Math.abs(lastModifiedRate(sinceChange, unchangedDays) / 2.5 - 1) < 0.03);
    assert.equal(lastModifiedRate([], 0), 0);
  });
});
