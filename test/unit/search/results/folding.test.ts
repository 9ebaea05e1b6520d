import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Foldable, foldedPage } from '../../../../src/search/results/folding.ts';

const match = (document: number, host: string, cluster = 0): Foldable => ({
  document,
  score: 100 - document,
  host,
  cluster,
});
const numbers = (hits: readonly Foldable[]) => hits.map(({ document }) => document);

describe('foldedPage', () => {
  it('shows the best of a cluster and counts the others', () => {
    const ranked = [match(1, 'a', 7), match(2, 'b', 7), match(3, 'c'), match(4, 'd', 7)];
    const { hits } = foldedPage(ranked, { page: 1, perPage: 10, perHost: 2 });
    assert.deepEqual(numbers(hits), [1, 3]);
    assert.deepEqual(
      hits.map(({ similar }) => similar),
      [2, 0],
    );
    assert.deepEqual(numbers(foldedPage(ranked, { page: 1, perPage: 10, duplicates: true }).hits), [1, 2, 3, 4]);
  });

  it('keeps the third hit of a host for the next page, and says so', () => {
    const ranked = [match(1, 'a'), match(2, 'a'), match(3, 'a'), match(4, 'b'), match(5, 'c'), match(6, 'd')];
    const first = foldedPage(ranked, { page: 1, perPage: 3, perHost: 2 }).hits;
    assert.deepEqual(numbers(first), [1, 2, 4]);
    assert.deepEqual(
      first.map(({ moreFromHost }) => moreFromHost),
      [0, 1, 0],
    );
    assert.deepEqual(numbers(foldedPage(ranked, { page: 2, perPage: 3, perHost: 2 }).hits), [3, 5, 6]);
  });

  it('fills the page where there are not enough hosts', () => {
    const ranked = Array.from({ length: 8 }, (_, at) => match(at, 'only'));
    const { hits } = foldedPage(ranked, { page: 1, perPage: 5, perHost: 2 });
    assert.deepEqual(numbers(hits), [0, 1, 2, 3, 4]);
    assert.ok(hits.every(({ moreFromHost }) => moreFromHost === 0));
  });

  it('takes documents without a host as of different ones', () => {
    const ranked = Array.from({ length: 4 }, (_, at) => match(at, ''));
    assert.equal(foldedPage(ranked, { page: 1, perPage: 4, perHost: 2 }).hits.length, 4);
  });

  it('puts every match but duplicates on exactly one page, and a longer list changes no complete page', () => {
    const matches = fc.array(fc.record({ host: fc.constantFrom('a', 'b', 'c', 'd', ''), cluster: fc.nat(3) }), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(matches, fc.integer({ min: 1, max: 6 }), fc.nat(80), (list, perPage, cut) => {
        const ranked = list.map(({ host, cluster }, at) => match(at, host, cluster));
        const options = { perPage, perHost: 2 };
        const seen: number[] = [];
        for (let page = 1; ; page++) {
          const whole = foldedPage(ranked, { ...options, page });
          if (whole.hits.length === 0) break;
          assert.ok(whole.hits.length <= perPage);
          seen.push(...numbers(whole.hits));
          const part = foldedPage(ranked.slice(0, cut), { ...options, page });
          if (part.complete) assert.deepEqual(numbers(part.hits), numbers(whole.hits));
        }
        const clusters = new Set(ranked.flatMap(({ cluster }) => (cluster === 0 ? [] : [cluster])));
        const alone = ranked.filter(({ cluster }) => cluster === 0).length;
        assert.equal(new Set(seen).size, seen.length);
        assert.equal(seen.length, alone + clusters.size);
      }),
    );
  });
});
