import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ageOf, freshnessOf } from '../../../src/revisit/freshness-and-age.ts';

const rate = fc.double({ min: 1e-6, max: 100, noNaN: true });
const frequency = fc.double({ min: 1e-3, max: 100, noNaN: true });

/** Expected age of a copy `days` after its visit: what the textbooks call Age(lambda, t). */
function ageAfter(rate: number, days: number): number {
  const expected = rate * days;
  if (expected < 1e-3) return days * (expected / 2 - (expected * expected) / 6);
  return days + Math.expm1(-expected) / rate;
}

describe('freshness and age', () => {
  it('gives the age of the textbook: one change a week, seven days after the visit', () => {
    assert.equal(ageAfter(1 / 7, 7).toFixed(2), '2.58');
  });

  it('is fresh for (1 - e^-r) / r of the time', () => {
    assert.ok(Math.abs(freshnessOf(2, 1) - (1 - Math.exp(-2)) / 2) < 1e-15);
    assert.equal(freshnessOf(0, 1), 1);
    assert.equal(freshnessOf(1, 0), 0);
  });

  it('has as mean age the mean of the ages between two visits', () => {
    fc.assert(
      fc.property(rate, frequency, (rate, frequency) => {
        const steps = 400;
        let sum = 0;
        for (let step = 0; step < steps; step++) sum += ageAfter(rate, (step + 0.5) / steps / frequency);
        assert.ok(Math.abs(sum / steps / ageOf(rate, frequency) - 1) < 0.01);
      }),
      { numRuns: 50 },
    );
  });

  it('gets better with every further visit', () => {
    fc.assert(
      fc.property(rate, frequency, (rate, frequency) => {
        assert.ok(freshnessOf(rate, frequency * 1.1) >= freshnessOf(rate, frequency));
        assert.ok(ageOf(rate, frequency * 1.1) <= ageOf(rate, frequency));
      }),
    );
  });
});
