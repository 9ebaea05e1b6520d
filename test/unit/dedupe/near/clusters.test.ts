import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { chooseCanonical } from '../../../../src/dedupe/near/choose-canonical.ts';
import { Clusters } from '../../../../src/dedupe/near/clusters.ts';

describe('Clusters', () => {
  test('what was joined stands for one cluster, what was not is alone', () => {
    const clusters = new Clusters<number>();
    clusters.join(5, 3);
    clusters.join(1, 2);
    clusters.join(3, 9);
    clusters.join(9, 5);
    assert.deepEqual(clusters.all(), [
      [3, 5, 9],
      [1, 2],
    ]);
    assert.equal(clusters.of(5), clusters.of(9));
    assert.notEqual(clusters.of(5), clusters.of(1));
    assert.equal(clusters.of(77), 77);
  });

  test('the order of joining does not matter', () => {
    const document = fc.integer({ min: 0, max: 30 });
    const pairs = fc.array(fc.tuple(document, document), { maxLength: 30 });
    fc.assert(
      fc.property(pairs, (joined) => {
        const [one, other] = [new Clusters<number>(), new Clusters<number>()];
        for (const [a, b] of joined) one.join(a, b);
        for (const [a, b] of joined.toReversed()) other.join(b, a);
        assert.deepEqual(one.all(), other.all());
      }),
    );
  });
});

describe('chooseCanonical', () => {
  const page = (url: string, more = {}) => ({ url, firstSeen: 5, ...more });

  test('first the page that others name', () => {
    const pages = [page('/a', { inlinks: 99 }), page('/b?x=1', { canonical: '/long/c' }), page('/long/c')];
    assert.equal(chooseCanonical(pages).url, '/long/c');
  });

  test('neither a page that names itself nor one outside counts', () => {
    const pages = [page('/abc', { canonical: '/abc' }), page('/d', { canonical: '/elsewhere' })];
    assert.equal(chooseCanonical(pages).url, '/d');
  });

  test('then in-links, the shortest URL, the oldest', () => {
    assert.equal(chooseCanonical([page('/a'), page('/longer', { inlinks: 2 })]).url, '/longer');
    assert.equal(chooseCanonical([page('/longer', { firstSeen: 1 }), page('/a')]).url, '/a');
    assert.equal(chooseCanonical([page('/a'), page('/b', { firstSeen: 1 })]).url, '/b');
    assert.equal(chooseCanonical([page('/b'), page('/a')]).url, '/a');
  });
});
