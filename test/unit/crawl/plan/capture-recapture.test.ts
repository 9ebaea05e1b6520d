import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { recapture } from '../../../../src/crawl/plan/capture-recapture.ts';
import { crawlCoverage } from '../../../../src/crawl/plan/crawl-coverage.ts';

describe('capture and recapture', () => {
  test('the textbook: ten marked, fifteen caught, five of them marked', () => {
    const { lincolnPetersen, likely, low, high, either } = recapture({ first: 10, second: 15, both: 5 });
    assert.equal(lincolnPetersen, 30);
    assert.ok(Math.abs(likely - (11 * 16) / 6 + 1) < 1e-9, `${likely}`);
    assert.equal(either, 20);
    assert.ok(low > 20 && low < likely && high > likely && high < 70, `${low} to ${high}`);
  });

  test('a list within the other is likely all there is, and the surer the longer it is', () => {
    const same = recapture({ first: 50, second: 50, both: 50 });
    assert.deepEqual([same.low, same.likely, same.either, same.lincolnPetersen], [50, 50, 50, 50]);
    assert.ok(same.high > 52 && same.high < 54, `${same.high}`);
    const high = [1, 5, 20].map((both) => recapture({ first: 50, second: both, both }).high);
    assert.deepEqual(high.map(Math.round), [1000, 91, 58]);
    assert.deepEqual(recapture({ first: 20, second: 50, both: 20 }), recapture({ first: 50, second: 20, both: 20 }));
  });

  test('without a page in common nothing bounds it', () => {
    const { low, high, lincolnPetersen } = recapture({ first: 5, second: 7, both: 0 });
    assert.deepEqual([low, high, lincolnPetersen], [12, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  test('whatever the lists: never less than was seen, and low, likely, high in order', () => {
    const count = fc.integer({ min: 0, max: 1e7 });
    fc.assert(
      fc.property(count, count, count, (both, onlyFirst, onlySecond) => {
        const { low, likely, high, either } = recapture({ first: both + onlyFirst, second: both + onlySecond, both });
        assert.ok(either - 1e-6 <= low && low <= likely + 1e-6 && likely <= high + 1e-6);
      }),
    );
  });

  test('of samples drawn independently the interval holds the truth about as often as it says', () => {
    let state = 7;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const pages = 2000;
    let held = 0;
    let sum = 0;
    for (let trial = 0; trial < 400; trial++) {
      const overlap = { first: 0, second: 0, both: 0 };
      for (let page = 0; page < pages; page++) {
        const inFirst = random() < 0.15;
        const inSecond = random() < 0.1;
        if (inFirst) overlap.first++;
        if (inSecond) overlap.second++;
        if (inFirst && inSecond) overlap.both++;
      }
      const { low, likely, high } = recapture(overlap);
      if (low <= pages && pages <= high) held++;
      sum += likely;
    }
    assert.ok(held >= 0.92 * 400 && held <= 0.985 * 400, `${held} of 400`);
    assert.ok(Math.abs(sum / 400 - pages) < 0.03 * pages, `${sum / 400}`);
  });
});

describe('coverage of a crawl by its own links', () => {
  /** Each visit, a second long, finds so many URLs; every second URL is a page. */
  const crawl = (visits: number, foundAt: (visit: number) => number, refused = 0) => {
    const urls: { state: 'visited' | 'waiting' | 'refused-link'; foundAt: number; visitedAt?: number; held?: true }[] =
      [];
    for (let visit = 0; visit < visits; visit++) {
      for (let i = foundAt(visit); i > 0; i--) urls.push({ state: 'waiting', foundAt: visit * 1000 });
    }
    for (let visit = 0; visit < Math.min(visits, urls.length); visit++) {
      urls[visit] = {
        ...urls[visit],
        state: 'visited',
        visitedAt: visit * 1000,
        ...(visit % 2 === 0 ? { held: true } : {}),
      };
    }
    for (let i = 0; i < refused; i++) urls.push({ state: 'refused-link', foundAt: i });
    return crawlCoverage(urls);
  };

  test('a crawl that has come to its end holds all; refused links do not count', () => {
    const coverage = crawl(100, (visit) => (visit === 0 ? 100 : 0), 40);
    assert.deepEqual([coverage.known, coverage.visited, coverage.waiting, coverage.held], [100, 100, 0, 50]);
    assert.deepEqual(coverage.share, { low: 1, likely: 1, high: 1 });
  });

  test('what is still growing is larger than what is known, and the share smaller', () => {
    const { known, urls, share, perPage, pages } = crawl(100, (visit) => (visit === 0 ? 60 : 2));
    assert.equal(perPage, 2);
    assert.ok(urls.low >= known && urls.likely >= urls.low && urls.high >= urls.likely);
    assert.ok(share.likely < 100 / known && share.low <= share.likely && share.likely <= share.high);
    assert.ok(pages.likely > 50);
  });

  test('what grows no more but waits is what is known', () => {
    const { urls, share } = crawl(100, (visit) => (visit === 0 ? 200 : 0));
    assert.deepEqual(urls, { low: 200, likely: 200, high: 200 });
    assert.equal(share.likely, 0.5);
  });

  test('nothing at all is no error', () => {
    assert.equal(crawlCoverage([]).share.likely, 0);
  });
});
