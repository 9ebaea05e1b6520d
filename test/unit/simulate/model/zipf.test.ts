import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Zipf } from '../../../../src/simulate/model/zipf.ts';

/** Shares of the ranks, drawn at evenly spread places. */
function shares(zipf: Zipf, count: number, draws: number): Float64Array {
  const found = new Float64Array(count);
  for (let at = 0; at < draws; at++) found[zipf.rank((at + 0.5) / draws)] += 1 / draws;
  return found;
}

describe('Zipf', () => {
  test('rank k has its share of 1 / k ** exponent', () => {
    for (const exponent of [0.5, 0.8, 1, 1.7]) {
      const found = shares(new Zipf(200, exponent), 200, 1_000_000);
      const total = Array.from({ length: 200 }, (_, rank) => (rank + 1) ** -exponent).reduce((a, b) => a + b);
      for (const [rank, share] of found.entries()) {
        assert.ok(Math.abs(share - (rank + 1) ** -exponent / total) < 3e-6, `rank ${rank}, exponent ${exponent}`);
      }
    }
  });

  test('the tail that is not summed one by one follows the same law', () => {
    for (const exponent of [0.8, 1, 1.3]) {
      const count = 100_000;
      const found = shares(new Zipf(count, exponent), count, 4_000_000);
      let total = 0;
      for (let rank = 1; rank <= count; rank++) total += rank ** -exponent;
      for (const [from, to] of [
        [0, 1],
        [4000, 4200],
        [5000, 10_000],
        [50_000, 100_000],
      ]) {
        let expected = 0;
        let share = 0;
        for (let rank = from; rank < to; rank++) {
          expected += (rank + 1) ** -exponent / total;
          share += found[rank];
        }
        assert.ok(Math.abs(share - expected) < 1e-5, `${from} to ${to}: ${share}, expected ${expected}`);
      }
    }
  });

  test('exponent 0 draws evenly, and every rank is within bounds', () => {
    assert.ok(shares(new Zipf(10, 0), 10, 1000).every((share) => Math.abs(share - 0.1) < 1e-9));
    for (const zipf of [new Zipf(1, 1), new Zipf(1, 0)]) assert.equal(zipf.rank(0.999), 0);
    assert.equal(new Zipf(1_000_000, 1).rank(0), 0);
    assert.ok(new Zipf(1_000_000, 1).rank(1 - 1e-12) < 1_000_000);
  });
});
