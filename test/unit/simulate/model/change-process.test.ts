import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ChangeProcess } from '../../../../src/simulate/model/change-process.ts';

const DAY = 86_400_000;
const SINCE = Date.UTC(2025, 0, 1);

describe('ChangeProcess', () => {
  test('a page never goes back to an earlier version, and each version begins when it says', () => {
    const changes = new ChangeProcess(5, SINCE);
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.constantFrom(0.01, 0.5, 24, 10_000),
        fc.integer({ min: 0, max: 10 * 365 * DAY }),
        (page, rate, after) => {
          const now = SINCE + after;
          const version = changes.versionAt(page, rate, now);
          assert.ok(version <= changes.versionAt(page, rate, now + DAY));
          assert.ok(changes.changedAt(page, rate, version) <= now);
          const next = changes.changedAt(page, rate, version + 1);
          assert.ok(next > now);
          // The moments themselves have more digits than a clock of today in ms.
          assert.equal(changes.versionAt(page, rate, next + 0.01), version + 1);
        },
      ),
    );
  });

  test('counts and gaps are those of a Poisson process', () => {
    const changes = new ChangeProcess(7, SINCE);
    for (const rate of [0.02, 1, 50]) {
      // As many days as make ten changes on average.
      const span = (10 / rate) * DAY;
      const counts: number[] = [];
      const gaps: number[] = [];
      for (let page = 0; page < 2000; page++) {
        const from = SINCE + span * (page % 3);
        const before = changes.versionAt(page, rate, from);
        counts.push(changes.versionAt(page, rate, from + span) - before);
        const first = changes.changedAt(page, rate, before + 1);
        gaps.push(((first - from) * rate) / DAY);
      }
      const mean = counts.reduce((a, b) => a + b) / counts.length;
      const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
      assert.ok(Math.abs(mean - 10) < 0.4, `mean ${mean}`);
      assert.ok(Math.abs(variance / mean - 1) < 0.15, `variance / mean ${variance / mean}`);
      // Waiting times have no memory: their mean is 1, and a share of 1 / e is longer than that.
      const wait = gaps.reduce((a, b) => a + b) / gaps.length;
      assert.ok(Math.abs(wait - 1) < 0.1, `mean wait ${wait}`);
      const longer = gaps.filter((gap) => gap > 1).length / gaps.length;
      assert.ok(Math.abs(longer - 1 / Math.E) < 0.05, `${longer} wait longer than the mean`);
    }
  });

  test('nothing changes before the beginning, at rate 0, or otherwise with another seed than by that seed', () => {
    const changes = new ChangeProcess(7, SINCE);
    assert.equal(changes.versionAt(1, 100, SINCE - 1), 0);
    assert.equal(changes.versionAt(1, 0, SINCE + 1000 * DAY), 0);
    assert.equal(changes.changedAt(1, 3, 0), SINCE);
    const later = SINCE + 400 * DAY;
    assert.equal(changes.versionAt(9, 3, later), new ChangeProcess(7, SINCE).versionAt(9, 3, later));
    assert.notEqual(changes.changedAt(9, 3, 1), new ChangeProcess(8, SINCE).changedAt(9, 3, 1));
  });
});
