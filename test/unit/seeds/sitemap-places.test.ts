import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sitemapPlaces } from '../../../src/seeds/sitemap-places.ts';

const ORIGIN = 'https://www.site.test';
const named = (...lines: string[]): string[] => sitemapPlaces({ origin: ORIGIN, named: lines, guess: false });

describe('sitemapPlaces', () => {
  test('what robots.txt names comes first and in its order, then the well-known places', () => {
    const places: string[] = sitemapPlaces({ origin: ORIGIN, named: ['https://cdn.test/s.xml', '/sitemap.xml'] });
    assert.deepEqual(places.slice(0, 4), [
      'https://cdn.test/s.xml',
      `${ORIGIN}/sitemap.xml`,
      `${ORIGIN}/sitemap_index.xml`,
      `${ORIGIN}/wp-sitemap.xml`,
    ]);
    for (const file of ['sitemap.xml.gz', 'sitemap.txt']) assert.ok(places.includes(`${ORIGIN}/${file}`));
    assert.equal(new Set(places).size, places.length);
  });

  test('relative lines, repeats, other schemes and nonsense', () => {
    assert.deepEqual(
      named('sitemap.xml', ' /a.xml ', 'https://www.site.test/a.xml#x', '', 'ftp://site.test/s', 'http://[', 'data:,x'),
      [`${ORIGIN}/sitemap.xml`, `${ORIGIN}/a.xml`],
    );
  });

  test('a robots.txt of a million names is not followed to its end', () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `/s${n}.xml`);
    assert.equal(named(...lines).length, 1_000);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (origin, lines) => {
        sitemapPlaces({ origin, named: lines });
      }),
    );
  });
});
