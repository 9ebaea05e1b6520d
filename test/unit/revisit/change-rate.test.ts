import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { likeliestRate } from '../../../src/revisit/change-rate.ts';

describe('change rate', () => {
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
});
