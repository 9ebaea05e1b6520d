import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { type SitemapPlace, sitemapPlaces } from '../../../src/seeds/sitemap-places.ts';
import { mayList, sitemapReach } from '../../../src/seeds/sitemap-places-reach.ts';
import { SitemapTour } from '../../../src/seeds/sitemap-places-tour.ts';

const ORIGIN = 'https://www.site.test';
const named = (...lines: string[]): SitemapPlace[] => sitemapPlaces({ origin: ORIGIN, named: lines, guess: false });
const urlsOf = (places: readonly SitemapPlace[]): string[] => places.map(({ url }) => url);
const canonical = (url: string): CanonicalUrl => url as CanonicalUrl;

describe('sitemapPlaces', () => {
  test('what robots.txt names comes first and in its order, then the well-known places', () => {
    const places = sitemapPlaces({ origin: ORIGIN, named: ['https://cdn.test/s.xml', '/sitemap.xml'] });
    assert.deepEqual(urlsOf(places).slice(0, 4), [
      'https://cdn.test/s.xml',
      `${ORIGIN}/sitemap.xml`,
      `${ORIGIN}/sitemap_index.xml`,
      `${ORIGIN}/wp-sitemap.xml`,
    ]);
    assert.deepEqual(
      places.slice(0, 3).map(({ how }) => how),
      ['robots', 'robots', 'well-known'],
    );
    for (const file of ['sitemap.xml.gz', 'sitemap.txt']) assert.ok(urlsOf(places).includes(`${ORIGIN}/${file}`));
    assert.equal(new Set(urlsOf(places)).size, places.length);
  });

  test('relative lines, repeats, other schemes and nonsense', () => {
    assert.deepEqual(
      urlsOf(
        named(
          'sitemap.xml',
          ' /a.xml ',
          'https://www.site.test/a.xml#x',
          '',
          'ftp://site.test/s',
          'http://[',
          'data:,x',
        ),
      ),
      [`${ORIGIN}/sitemap.xml`, `${ORIGIN}/a.xml`],
    );
    const moved = sitemapPlaces({
      origin: ORIGIN,
      named: ['s.xml'],
      robotsUrl: 'https://site.test/x/robots.txt',
      guess: false,
    });
    assert.deepEqual([urlsOf(moved), moved[0].provenBy], [['https://site.test/x/s.xml'], [ORIGIN]]);
  });

  test('a robots.txt of a million names is not followed to its end', () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `/s${n}.xml`);
    assert.equal(named(...lines).length, 1_000);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.string(), (origin, lines, robotsUrl) => {
        sitemapPlaces({ origin, named: lines, robotsUrl });
      }),
    );
  });
});

describe('What a sitemap may speak of', () => {
  const reach = (place: Partial<SitemapPlace>, url: string) =>
    sitemapReach(
      { url: canonical(`${ORIGIN}/news/s.xml`), how: 'well-known', provenBy: [], depth: 0, ...place },
      canonical(url),
    );

  test('its own folder and below', () => {
    assert.equal(reach({}, `${ORIGIN}/news/2026/a`), 'own');
    assert.equal(reach({}, `${ORIGIN}/blog/a`), 'same-site');
    assert.equal(reach({ url: canonical(`${ORIGIN}/sitemap.xml?p=/x/`) }, `${ORIGIN}/blog/a`), 'own');
  });

  test('the whole host whose robots.txt names it, wherever it lies', () => {
    const elsewhere = { url: canonical('https://cdn.test/maps/site.xml'), how: 'robots', provenBy: [ORIGIN] } as const;
    assert.equal(reach(elsewhere, `${ORIGIN}/anything`), 'own');
    assert.equal(reach(elsewhere, 'https://cdn.test/maps/x'), 'own');
    assert.equal(reach(elsewhere, 'https://cdn.test/'), 'same-site');
    assert.equal(reach(elsewhere, 'https://third.test/'), 'foreign');
    assert.equal(reach({ how: 'robots', provenBy: [ORIGIN] }, `${ORIGIN}/`), 'own');
  });

  test('another scheme, port or subdomain of the site is a link, no more', () => {
    for (const url of ['http://www.site.test/news/a', 'https://site.test/news/a', `${ORIGIN}:8443/news/a`]) {
      assert.equal(reach({ how: 'robots', provenBy: [ORIGIN] }, url), 'same-site', url);
    }
  });

  test('people below one public suffix are strangers', () => {
    assert.equal(reach({ url: canonical('https://a.github.io/s.xml') }, 'https://b.github.io/'), 'foreign');
    assert.equal(reach({ url: canonical('http://127.0.0.1/s.xml') }, 'http://127.0.0.2/'), 'foreign');
  });

  test('an index lists sitemaps of its site and of those it was named for', () => {
    const index = named('https://cdn.test/index.xml')[0];
    const lists = (url: string): boolean => mayList(index, canonical(url));
    assert.deepEqual(
      ['https://cdn.test/other/a.xml', 'https://site.test/a.xml', 'https://evil.test/a.xml'].map(lists),
      [true, true, false],
    );
  });
});

describe('SitemapTour', () => {
  const finish = (tour: SitemapTour, answer: (url: string) => Parameters<SitemapTour['settle']>[1]): string[] => {
    const asked: string[] = [];
    for (let place = tour.next(); place !== undefined; place = tour.next()) {
      asked.push(place.url.replace(ORIGIN, ''));
      tour.settle(place, answer(place.url));
    }
    return asked;
  };
  const all = (...lines: string[]): SitemapPlace[] => sitemapPlaces({ origin: ORIGIN, named: lines });

  test('guesses stop at the first hit, and are not made where a named sitemap is found', () => {
    const wordPress = (url: string) => ({ kind: url.endsWith('/wp-sitemap.xml') ? 'urls' : 'absent' }) as const;
    assert.deepEqual(finish(SitemapTour.of(all()), wordPress), [
      '/sitemap.xml',
      '/sitemap_index.xml',
      '/wp-sitemap.xml',
    ]);
    assert.deepEqual(
      finish(SitemapTour.of(all('/my.xml')), () => ({ kind: 'urls' })),
      ['/my.xml'],
    );
    assert.equal(finish(SitemapTour.of(all('/gone.xml')), () => ({ kind: 'absent' })).length, 10);
  });

  test("an index's children come next, the newest first", () => {
    const asked = finish(SitemapTour.of(all('/index.xml', '/last.xml')), (url) =>
      url.endsWith('/index.xml')
        ? {
            kind: 'index',
            children: [
              { url: '/old.xml', lastModified: 1 },
              { url: '/undated.xml' },
              { url: `${ORIGIN}/new.xml`, lastModified: 2 },
              { url: '/sitemap.xml', lastModified: 3 },
            ],
          }
        : { kind: 'urls' },
    );
    assert.deepEqual(asked, ['/index.xml', '/sitemap.xml', '/new.xml', '/old.xml', '/undated.xml', '/last.xml']);
  });

  test('index files in a ring end', () => {
    const ring = (url: string) =>
      ({ kind: 'index', children: ['/a.xml', '/b.xml', '/c.xml', url].map((child) => ({ url: child })) }) as const;
    assert.deepEqual(finish(SitemapTour.of(named('/a.xml'), { maxDepth: 99 }), ring), ['/a.xml', '/b.xml', '/c.xml']);
  });

  test('depth and number are bounded, in the face of files that name new ones for ever', () => {
    let count = 0;
    const endless = () => ({ kind: 'index', children: [{ url: `/${++count}.xml` }] }) as const;
    assert.equal(finish(SitemapTour.of(named('/a.xml'), { maxDepth: 3 }), endless).length, 4);
    const wide = () =>
      ({ kind: 'index', children: Array.from({ length: 100 }, () => ({ url: `/${++count}.xml` })) }) as const;
    assert.equal(finish(SitemapTour.of(named('/a.xml'), { maxFiles: 50 }), wide).length, 50);
  });

  test('an index without end is read up to the limit', () => {
    function* children() {
      for (let n = 0; ; n++) yield { url: `/${n}.xml` };
    }
    const tour = SitemapTour.of(named('/a.xml'), { maxChildren: 1000, maxFiles: 100 });
    const place = tour.next() as SitemapPlace;
    assert.deepEqual(tour.settle(place, { kind: 'index', children: children() }), {
      taken: 99,
      refused: { 'too-many': 902 },
    });
  });

  test('refusals are counted by their reason', () => {
    const tour = SitemapTour.of(named('/a.xml'));
    const children = ['/a.xml', 'https://evil.test/x.xml', 'javascript:1', '/b.xml', '/b.xml'].map((url) => ({ url }));
    assert.deepEqual(tour.settle(tour.next() as SitemapPlace, { kind: 'index', children }), {
      taken: 1,
      refused: { known: 2, foreign: 1, 'not-a-url': 1 },
    });
    const child = tour.next();
    assert.deepEqual(
      [child?.how, child?.depth, child?.from, child?.provenBy],
      ['index', 1, `${ORIGIN}/a.xml`, [ORIGIN]],
    );
  });

  test('a tour can be put away and taken up again', () => {
    const tour = SitemapTour.of(all('/index.xml'));
    tour.settle(tour.next() as SitemapPlace, { kind: 'index', children: [{ url: '/b.xml' }, { url: '/c.xml' }] });
    const again = new SitemapTour(JSON.parse(JSON.stringify(tour)));
    assert.deepEqual(
      finish(again, () => ({ kind: 'index', children: [{ url: '/index.xml' }] })),
      ['/b.xml', '/c.xml'],
    );
  });
});
