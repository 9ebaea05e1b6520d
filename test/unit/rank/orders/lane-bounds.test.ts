import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LaneBounds } from '../../../../src/rank/orders/lane-bounds.ts';

const lawOfRanks = (count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, at) => Math.log2(count / (at + 1)));

test('a higher score is never in a later lane', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true, min: -50, max: 50 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 100 }),
      (scores, lanes) => {
        const bounds = new LaneBounds(lanes);
        bounds.fit(Float64Array.from(scores));
        const sorted = [...scores].sort((one, other) => other - one).map((score) => bounds.laneOf(score));
        assert.deepEqual(
          sorted,
          [...sorted].sort((one, other) => one - other),
        );
        assert.ok(sorted.every((lane) => lane >= 0 && lane < lanes));
      },
    ),
  );
});

test('the lanes are used: few scores in the first, none empty in between', () => {
  const bounds = new LaneBounds(64);
  const scores = lawOfRanks(10_000);
  bounds.fit(scores.slice());
  const counts = new Array(64).fill(0);
  for (const score of scores) counts[bounds.laneOf(score)]++;
  assert.ok(counts.slice(1, -1).every((count) => count > 0));
  assert.ok(counts[1] < 40 && counts[62] < 1500);
  assert.ok(counts[0] === 0 && counts[63] === 0, 'the ends are for what lies beyond all of them');
  assert.deepEqual([bounds.laneOf(100), bounds.laneOf(-100)], [0, 63]);
});

test('scores that are shifted as a whole get other bounds, scores that grow in number keep theirs', () => {
  const bounds = new LaneBounds(64);
  const scores = lawOfRanks(4000);
  bounds.fit(scores.slice());
  const before = [0, 3, 6, 9].map((score) => bounds.laneOf(score));
  bounds.fit(lawOfRanks(4010).map((score, at) => scores[at] ?? score));
  assert.deepEqual(
    [0, 3, 6, 9].map((score) => bounds.laneOf(score)),
    before,
  );
  bounds.fit(scores.map((score) => score + 5));
  for (const [at, score] of [5, 8, 11, 14].entries()) assert.ok(Math.abs(bounds.laneOf(score) - before[at]) <= 1);
});

test('moves that change nothing soon are not worth it', () => {
  const bounds = new LaneBounds(64);
  assert.equal(bounds.isWorthMoving(3, 3), false);
  assert.equal(bounds.isWorthMoving(4, 3), false);
  assert.equal(bounds.isWorthMoving(5, 3), true);
  assert.equal(new LaneBounds(8).isWorthMoving(1, 0), true);
  assert.equal(bounds.isWorthMoving(60, 58), false);
  assert.equal(bounds.isWorthMoving(60, 40), true);
  assert.equal(bounds.isWorthMoving(60, 2), true);
});

test('bounds that are adopted put scores where they were', () => {
  const before = new LaneBounds(64);
  const scores = lawOfRanks(5000);
  before.fit(scores.slice());
  const counts = new Uint32Array(64);
  for (const score of scores) counts[before.laneOf(score)]++;
  const after = new LaneBounds(64);
  after.adopt(scores.slice(), counts);
  for (const score of scores) assert.ok(Math.abs(after.laneOf(score) - before.laneOf(score)) <= 1);
  assert.equal(after.laneOf(Number.POSITIVE_INFINITY), 0);
});
