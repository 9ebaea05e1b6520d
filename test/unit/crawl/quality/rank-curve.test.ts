import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rankCurve } from '../../../../src/crawl/quality/rank-curve.ts';
import { propertyRuns } from '../../../property-runs.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 12, 18);

describe('average PageRank over the course of a crawl', () => {
  test('by days of UTC, in times of the average; days without a page are left out', () => {
    const times = Float64Array.from([START + 5 * DAY, START, START + HOUR, START + 7 * HOUR]);
    const ranks = Float64Array.from([0.1, 0.4, 0.3, 0.2]);
    const { by, bins } = rankCurve(times, ranks);
    assert.equal(by, 'day');
    assert.deepEqual(
      bins.map(({ from, to, pages }) => [new Date(from).toISOString().slice(0, 10), (to - from) / DAY, pages]),
      [
        ['2026-11-12', 1, 2],
        ['2026-11-13', 1, 1],
        ['2026-11-17', 1, 1],
      ],
    );
    assert.deepEqual(
      bins.map(({ pageRank }) => Number(pageRank.toFixed(6))),
      [1.4, 0.8, 0.4],
    );
  });

  test('a crawl of hours by hours, a short one by tenths of its pages; or as asked for', () => {
    const times = Float64Array.from({ length: 40 }, (_, at) => START + at * 20 * 60_000);
    const ranks = Float64Array.from({ length: 40 }, (_, at) => 40 - at);
    const hours = rankCurve(times, ranks);
    assert.equal(hours.by, 'hour');
    assert.deepEqual(new Set(hours.bins.slice(0, -1).map(({ pages }) => pages)), new Set([3]));
    const quick = rankCurve(
      times.map((time) => START + (time - START) / 10),
      ranks,
    );
    assert.equal(quick.by, 'tenth');
    assert.deepEqual(
      quick.bins.map(({ pages }) => pages),
      Array.from({ length: 10 }, () => 4),
    );
    assert.equal(quick.bins[0].pageRank, 38.5 / 20.5);
    assert.equal(rankCurve(times, ranks, 'day').by, 'day');
  });

  test('of few pages and of none', () => {
    assert.equal(rankCurve(Float64Array.of(START, START + 1, START + 2), Float64Array.of(1, 2, 3)).bins.length, 3);
    assert.deepEqual(rankCurve(new Float64Array(0), new Float64Array(0)).bins, []);
  });

  test('weighed by their pages the steps average to 1, whatever the times and ranks', () => {
    const page = fc.tuple(fc.integer({ min: 0, max: 9 * DAY }), fc.double({ min: 1e-9, max: 1, noNaN: true }));
    const step = fc.constantFrom('day', 'hour', 'tenth', undefined);
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 60 }), step, (pages, by) => {
        const { bins } = rankCurve(
          Float64Array.from(pages, ([at]) => START + at),
          Float64Array.from(pages, ([, rank]) => rank),
          by,
        );
        const sum = bins.reduce((all, { pages: count, pageRank }) => all + count * pageRank, 0);
        assert.equal(
          bins.reduce((all, { pages: count }) => all + count, 0),
          pages.length,
        );
        assert.ok(Math.abs(sum / pages.length - 1) < 1e-9);
        for (let at = 1; at < bins.length; at++) assert.ok(bins[at].from >= bins[at - 1].from);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
