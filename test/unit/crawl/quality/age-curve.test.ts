import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CourseVisit } from '../../../../src/contracts/state/page-course.ts';
import { AgeCurve, type AgePoint } from '../../../../src/crawl/quality/age-curve.ts';
import { ageAfter, ageOf } from '../../../../src/revisit/freshness-and-age.ts';

const DAY = 86_400_000;

const visitsAt = (...visits: readonly (readonly [day: number, found: CourseVisit['found']])[]): CourseVisit[] =>
  visits.map(([day, found]) => ({ at: day * DAY, found }));

/** The points of a span of 60 days: one at the end of each day. */
function pointsOf(...pages: readonly Parameters<AgeCurve['add']>[]): Map<number, AgePoint> {
  const curve = new AgeCurve({ from: 0, to: 60 * DAY });
  for (const page of pages) curve.add(...page);
  return new Map(curve.points().map((point) => [Math.round(point.at / DAY), point]));
}

describe('age of the copies over the course of a crawl', () => {
  test('the expected age of a page is the integral that the lecture gives', () => {
    // Changes once a week: a week after the visit the copy is outdated for 7 / e days.
    assert.ok(Math.abs(ageAfter(1 / 7, 7) - 7 / Math.E) < 1e-12);
    for (const [rate, days] of [
      [1 / 7, 3],
      [0.02, 40],
      [5, 0.3],
      [1e-5, 2],
    ]) {
      const steps = 20_000;
      let sum = 0;
      for (let step = 0; step < steps; step++) {
        const x = ((step + 0.5) * days) / steps;
        sum += (rate * Math.exp(-rate * x) * (days - x) * days) / steps;
      }
      assert.ok(Math.abs(ageAfter(rate, days) - sum) < 1e-6 * sum, `${rate} ${days}`);
    }
    assert.equal(ageAfter(0, 5), 0);
  });

  test('the time since the last visit is measured; without rates nothing is estimated of the last copy', () => {
    const points = pointsOf([{ visits: visitsAt([0, 'copy'], [10, 'same']) }], [{ visits: visitsAt([5, 'copy']) }]);
    assert.deepEqual([points.get(1)?.copies, points.get(1)?.sinceVisitDays], [1, 1]);
    assert.deepEqual([points.get(9)?.copies, points.get(9)?.sinceVisitDays], [2, (9 + 4) / 2]);
    assert.deepEqual([points.get(12)?.copies, points.get(12)?.sinceVisitDays], [2, (2 + 7) / 2]);
    assert.equal(points.get(12)?.ageDays, undefined);
    assert.deepEqual([points.get(9)?.looked, points.get(9)?.unchanged, points.get(9)?.lookedAgeDays], [1, 1, 0]);
    assert.equal(points.get(12)?.lookedAgeDays, undefined);
  });

  test('where the next visit finds a change, it came at any time between; a log says which copies are changes', () => {
    const changed = { visits: visitsAt([0, 'copy'], [10, 'copy'], [20, 'copy']) };
    // One change in 10 days: after 4 of them it has come with a chance of 0.4, and is 2 days old then.
    assert.ok(Math.abs((pointsOf([changed]).get(4)?.lookedAgeDays ?? 0) - 0.8) < 1e-9);
    const logged = pointsOf([changed, [10 * DAY + 3]]);
    assert.equal(logged.get(4)?.unchanged, 0);
    // Another body, but the same text: the log does not name it.
    assert.equal(logged.get(14)?.unchanged, 1);
    assert.equal(logged.get(14)?.lookedAgeDays, 0);
  });

  test('a page that is gone has no copy that could be old, until it is back', () => {
    const points = pointsOf([{ rate: 0.1, visits: visitsAt([0, 'copy'], [10, 'gone'], [30, 'copy']) }]);
    assert.equal(points.get(9)?.unchanged, 0);
    assert.equal(points.get(20), undefined);
    assert.ok(Math.abs((points.get(31)?.ageDays ?? 0) - ageAfter(0.1, 1)) < 1e-12);
  });

  test('both estimates find the age of a population whose changes are known', () => {
    const [rate, every, pages] = [0.15, 8, 4000];
    let state = 1;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state + 0.5) / 2 ** 32;
    };
    const curve = new AgeCurve({ from: 0, to: 60 * DAY });
    const truth = new Float64Array(61);
    for (let page = 0; page < pages; page++) {
      const changes: number[] = [];
      const wait = (): number => -Math.log(random()) / rate;
      for (let at = wait() - every; at < 80; at += wait()) changes.push(at);
      const visits: CourseVisit[] = [];
      for (let at = random() * every - every; at < 60 + every; at += every) {
        const isChanged = changes.some((change) => change > at - every && change <= at);
        visits.push({ at: at * DAY, found: isChanged || visits.length === 0 ? 'copy' : 'same' });
      }
      curve.add({ visits, rate });
      for (let day = 1; day <= 60; day++) {
        const visited = visits.findLast(({ at }) => at <= day * DAY)?.at ?? 0;
        const change = changes.find((at) => at * DAY > visited && at <= day);
        if (change !== undefined) truth[day] += (day - change) / pages;
      }
    }
    const points = curve.points();
    let [sinceVisit, model, looked, true_] = [0, 0, 0, 0];
    for (const point of points) {
      assert.equal(point.looked, pages);
      sinceVisit += point.sinceVisitDays / 60;
      model += (point.ageDays ?? 0) / 60;
      looked += (point.lookedAgeDays ?? 0) / 60;
      true_ += truth[Math.round(point.at / DAY)] / 60;
    }
    const expected = ageOf(rate, 1 / every);
    assert.ok(Math.abs(sinceVisit - every / 2) < 0.05 * every, `since visit ${sinceVisit}`);
    for (const age of [model, looked, true_]) assert.ok(Math.abs(age / expected - 1) < 0.04, `${age} for ${expected}`);
  });
});
