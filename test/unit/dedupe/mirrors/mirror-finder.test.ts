import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MirrorFinder, type MirrorVisit } from '../../../../src/dedupe/mirrors/mirror-finder.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { pathsOf, type SiteText, simhashOf, visitAll, visitTo } from './site-visits.ts';

const story: SiteText = (path) => `a story at ${path}`;
const A = 'https://flowers.example';
const STRANGER = 'https://petals-and-leaves.test';

function learnt(mirror: string, original = A, pages = 40): MirrorFinder {
  const finder = new MirrorFinder();
  visitAll(finder, pathsOf(pages), { [original]: story, [mirror]: story });
  return finder;
}

/** A copy: its text was read when its original came. */
function unread(origin: string, path: string, text: string, more: Partial<MirrorVisit>): MirrorVisit {
  const { words: _, simhash: __, ...visit } = visitTo(origin, path, text);
  return { ...visit, ...more };
}

describe('Mirrors are found', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['www', 'https://www.flowers.example', 3],
    ['the other scheme', 'http://flowers.example', 3],
    ['another port', 'https://flowers.example:8443', 3],
    ['a staging copy', 'https://staging.flowers.example', 3],
    ['an old copy, numbered', 'https://old2.flowers.example', 3],
    ['an address', 'http://192.0.2.7', 5],
    ['another name of the domain', 'https://garden.flowers.example', 6],
    ['an unrelated name', STRANGER, 8],
  ];
  for (const [name, mirror, pages] of cases) {
    test(`${name}: after ${pages} pages`, () => {
      const result = visitAll(new MirrorFinder(), pathsOf(40), { [mirror]: story, [A]: story });
      assert.equal(result?.after, pages);
      assert.equal(result?.found.original, A);
      assert.equal(result?.found.mirror, mirror);
      assert.match(
        result?.found.why ?? '',
        new RegExp(`^${pages} of ${pages} pages compared are the same, the front page`),
      );
    });
  }

  test('a front page that nobody has seen doubles the demand', () => {
    const paths = pathsOf(40).slice(1);
    assert.equal(visitAll(new MirrorFinder(), paths, { [A]: story, 'https://www.flowers.example': story })?.after, 6);
  });

  test('texts that name their host are the same text', () => {
    const finder = new MirrorFinder();
    const mirror = 'https://www.flowers.example';
    let found = 0;
    for (const [at, path] of pathsOf(10).entries()) {
      finder.observe(visitTo(A, path, story(path)));
      const flipped = simhashOf(story(path)) ^ (at % 2 === 0 ? 0n : 0b10100n);
      const visit = visitTo(mirror, path, `${mirror} ${story(path)}`, { simhash: flipped });
      if (finder.observe(visit)?.kind === 'found') found = at + 1;
    }
    assert.equal(found, 3);
  });

  test('a mirror met long after its original, by its duplicates', () => {
    const finder = new MirrorFinder();
    for (const path of pathsOf(3000)) finder.observe(visitTo(A, path, story(path)));
    const paths = pathsOf(3000).filter((_, at) => at % 7 === 0);
    const after = paths.findIndex((path) => finder.observe(visitTo(STRANGER, path, story(path), { sameAs: A + path })));
    assert.equal(after, 7);
  });

  test('and without word of duplicates, by the samples alone', () => {
    const finder = new MirrorFinder();
    for (const path of pathsOf(3000)) finder.observe(visitTo(A, path, story(path)));
    const after = pathsOf(3000).findIndex((path) => finder.observe(visitTo(STRANGER, path, story(path))));
    assert.ok(after > 8 && after < 1000, `after ${after} pages`);
  });

  test('by copies whose texts are not read: they are told apart by their sizes', () => {
    const finder = new MirrorFinder();
    const found = [A, STRANGER].flatMap((origin) =>
      pathsOf(40).flatMap((path, at) => {
        const copy = { bytes: 3000 + ((at * 7919) % 5000), ...(origin === A ? {} : { sameAs: A + path }) };
        return finder.observe(unread(origin, path, story(path), copy)) ?? [];
      }),
    );
    assert.equal(found[0]?.mirror, STRANGER);
  });

  test('mirrors of mirrors have one original', () => {
    const origins = [
      'http://www.flowers.example',
      'http://flowers.example',
      'https://www.flowers.example',
      A,
      STRANGER,
    ];
    const finder = new MirrorFinder();
    const sites = Object.fromEntries(origins.map((origin) => [origin, story]));
    for (const path of pathsOf(40)) visitAll(finder, [path], sites);
    // Each visit is told once, but visitAll ends at a verdict: go on with the rest.
    for (const path of pathsOf(40)) for (const origin of origins) finder.observe(visitTo(origin, path, story(path)));
    for (const origin of origins.slice(0, 3)) assert.equal(finder.mirrorOf(origin)?.origin, A, origin);
    assert.equal(finder.mirrorOf(STRANGER)?.origin, A);
    assert.equal(finder.mirrorOf(A), undefined);
    assert.equal(finder.report().length, 4);
  });

  test('canonical links and links from elsewhere tell the original', () => {
    const byLinks = new MirrorFinder({ inlinks: (origin) => (origin === STRANGER ? 20 : 3) });
    assert.equal(visitAll(byLinks, pathsOf(20), { [A]: story, [STRANGER]: story })?.found.original, STRANGER);
    const byWord = new MirrorFinder({ inlinks: (origin) => (origin === STRANGER ? 20 : 3) });
    for (const path of pathsOf(20)) {
      byWord.observe(visitTo(A, path, story(path)));
      byWord.observe(visitTo(STRANGER, path, story(path), { canonical: A + path }));
    }
    assert.equal(byWord.mirrorOf(STRANGER)?.origin, A);
  });

  test('a few pages that differ do not matter, many do', () => {
    const mostly =
      (share: number): SiteText =>
      (path) =>
        (Number(/\d+/.exec(path)?.[0] ?? 1) % share === 0 ? 'own ' : '') + story(path);
    assert.ok(visitAll(new MirrorFinder(), pathsOf(60), { [A]: story, [STRANGER]: mostly(15) }));
    assert.equal(visitAll(new MirrorFinder(), pathsOf(60), { [A]: story, [STRANGER]: mostly(3) }), undefined);
  });
});

describe('No mirrors', () => {
  const unlike = (sites: Record<string, SiteText>, paths = pathsOf(60)): void => {
    assert.equal(visitAll(new MirrorFinder(), paths, sites), undefined);
  };

  test('one parked page on every path', () => {
    unlike({ [A]: () => 'this domain is for sale', 'https://www.flowers.example': () => 'this domain is for sale' });
  });

  test('an error page that repeats the path, under the same front page', () => {
    const finder = new MirrorFinder();
    for (const [at, path] of pathsOf(60).entries()) {
      for (const origin of [A, 'https://www.flowers.example']) {
        const simhash = path === '/' ? simhashOf('front') : simhashOf('sorry') ^ (1n << BigInt(at % 3));
        assert.equal(finder.observe(visitTo(origin, path, `sorry ${path}`, { simhash })), undefined);
      }
    }
  });

  test('pages with next to no text', () => {
    const finder = new MirrorFinder();
    for (const path of pathsOf(60)) {
      for (const origin of [A, 'http://flowers.example']) {
        assert.equal(finder.observe(visitTo(origin, path, `thin ${path}`, { words: 6 })), undefined);
      }
    }
  });

  test('copies of pages with next to no text, which are not read again', () => {
    const finder = new MirrorFinder();
    for (const path of pathsOf(40)) finder.observe(visitTo(A, path, `thin ${path}`, { words: 6 }));
    for (const [at, path] of pathsOf(40).entries()) {
      const copy = { sameAs: A + path, exactly: true, bytes: 900 + 37 * at };
      assert.equal(finder.observe(unread(STRANGER, path, `thin ${path}`, copy)), undefined);
    }
  });

  test('unread copies of an error page that repeats the path', () => {
    for (const bytesOf of [(path: string) => 700 + 2 * path.length, () => undefined]) {
      const finder = new MirrorFinder();
      for (const origin of [A, STRANGER]) {
        for (const path of pathsOf(200)) {
          const bytes = bytesOf(path);
          const copy = { ...(origin === A ? {} : { sameAs: A + path }), ...(bytes === undefined ? {} : { bytes }) };
          assert.equal(finder.observe(unread(origin, path, `sorry ${path}`, copy)), undefined);
        }
      }
    }
  });

  test('errors', () => {
    const finder = new MirrorFinder();
    for (const path of pathsOf(60)) {
      for (const origin of [A, 'http://flowers.example']) {
        for (const status of [404, 500, 403, 301]) {
          assert.equal(finder.observe(visitTo(origin, path, story(path), { status })), undefined);
        }
      }
    }
  });

  test('what one has and the other has not', () => {
    const finder = new MirrorFinder();
    for (const [at, path] of pathsOf(60).entries()) {
      finder.observe(visitTo(A, path, story(path)));
      const status = at % 2 === 0 ? 200 : 404;
      assert.equal(finder.observe(visitTo(STRANGER, path, story(path), { status })), undefined);
    }
  });

  test('two sites with the manual of the same software', () => {
    const finder = new MirrorFinder();
    for (let at = 0; at < 100; at++) {
      for (const origin of [A, STRANGER]) {
        assert.equal(finder.observe(visitTo(origin, `/own/${origin.length}-${at}`, `${origin} ${at}`)), undefined);
        const manual = at < 30 ? `/manual/${at}.html` : `/own/more/${origin.length}-${at}`;
        assert.equal(
          finder.observe(visitTo(origin, manual, at < 30 ? `manual ${at}` : `${origin} more ${at}`)),
          undefined,
        );
      }
    }
  });

  test('the same front page and licence, and nothing else', () => {
    const texts =
      (own: string): SiteText =>
      (path) =>
        path === '/' || path === '/licence' ? path : `${own} ${path}`;
    unlike({ [A]: texts('a'), 'https://www.flowers.example': texts('b') }, ['/licence', ...pathsOf(60)]);
  });

  test('one template, other texts', () => {
    unlike({
      [A]: (path) => `bakery in Ulm ${path}`,
      'https://staging.flowers.example': (path) => `bakery in Bonn ${path}`,
    });
  });

  test('one template, and texts that are merely alike, on names that are unrelated', () => {
    const finder = new MirrorFinder();
    for (const path of pathsOf(12)) {
      finder.observe(visitTo(A, path, story(path)));
      const alike = { simhash: simhashOf(story(path)) ^ 0b11n, sameAs: A + path, exactly: false };
      assert.equal(finder.observe(visitTo(STRANGER, path, `bakery ${path}`, alike)), undefined);
    }
  });

  test('property: sites with texts of their own, whatever paths they share', () => {
    const origins = [A, 'http://flowers.example', 'https://www.flowers.example', STRANGER];
    const visits = fc.array(fc.tuple(fc.nat(3), fc.nat(12)), { maxLength: 120 });
    fc.assert(
      fc.property(visits, (list) => {
        const finder = new MirrorFinder();
        for (const [site, page] of list) {
          const text = page < 2 ? `common ${page}` : `${site} ${page}`;
          assert.equal(finder.observe(visitTo(origins[site], page === 0 ? '/' : `/${page}`, text)), undefined);
        }
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});

describe('After the verdict', () => {
  test('hosts that part are told apart again, and then have to prove more', () => {
    const finder = learnt(STRANGER);
    assert.ok(finder.mirrorOf(STRANGER));
    const checks = Array.from({ length: 2000 }, (_, at) => `/later/${at}`).filter((path) => finder.isCheck(path));
    assert.ok(checks.length > 20 && checks.length < 60, `${checks.length} checks`);
    for (const path of checks) finder.observe(visitTo(A, path, story(path)));
    const lost = checks.slice(0, 4).map((path) => finder.observe(visitTo(STRANGER, path, `another ${path}`)));
    assert.deepEqual(
      lost.map((found) => found?.kind),
      [undefined, undefined, 'lost', undefined],
    );
    assert.match(lost[2]?.why ?? '', /^3 of the latest 4 pages compared differ$/);
    assert.equal(finder.mirrorOf(STRANGER), undefined);
    for (const path of pathsOf(12)) finder.observe(visitTo(STRANGER, path, story(path), { sameAs: A + path }));
    assert.equal(finder.mirrorOf(STRANGER), undefined);
    for (const path of pathsOf(40)) finder.observe(visitTo(STRANGER, path, story(path), { sameAs: A + path }));
    assert.equal(finder.mirrorOf(STRANGER)?.origin, A);
  });

  test('a mirror that gives what its original does not is none', () => {
    const finder = learnt(STRANGER);
    const lost = [1, 2, 3].map((at) => {
      const path = `/only-here/${at}`;
      return finder.observe(visitTo(STRANGER, path, story(path), { lacked: true }))?.kind;
    });
    assert.deepEqual(lost, [undefined, undefined, 'lost']);
    assert.equal(finder.mirrorOf(STRANGER), undefined);
  });

  test('a page that has changed since is no proof', () => {
    const finder = learnt(STRANGER);
    const later = { at: 1_000_000 + 3 * 86_400_000 };
    for (const path of pathsOf(40)) finder.observe(visitTo(STRANGER, path, `news ${path}`, later));
    assert.ok(finder.mirrorOf(STRANGER));
  });

  test('people can overrule it, before and after', () => {
    const finder = learnt(STRANGER);
    finder.set(STRANGER, 'separate');
    assert.equal(finder.mirrorOf(STRANGER), undefined);
    assert.equal(visitAll(finder, pathsOf(40), { [A]: story, [STRANGER]: story }), undefined);
    finder.set(STRANGER, 'learn');
    assert.equal(visitAll(finder, pathsOf(40), { [A]: story, [STRANGER]: story })?.found.mirror, STRANGER);
    const other = new MirrorFinder();
    other.set(A, 'separate');
    assert.equal(visitAll(other, pathsOf(40), { [A]: story, [STRANGER]: story }), undefined);
  });
});

describe('Memory', () => {
  test('a snapshot is JSON and goes on where it was taken', () => {
    const whole = learnt(STRANGER);
    whole.set('https://alone.example', 'separate');
    const restored = new MirrorFinder();
    restored.restore(JSON.parse(JSON.stringify(whole.snapshot())));
    assert.deepEqual(restored.report(), whole.report());
    assert.deepEqual(restored.snapshot(), whole.snapshot());
    const half = new MirrorFinder();
    visitAll(half, pathsOf(5), { [A]: story, [STRANGER]: story });
    restored.restore(JSON.parse(JSON.stringify(half.snapshot())));
    assert.equal(restored.mirrorOf(STRANGER), undefined);
    assert.equal(visitAll(restored, pathsOf(40).slice(5), { [A]: story, [STRANGER]: story })?.after, 3);
  });

  test('what is no snapshot leaves nothing learnt', () => {
    for (const nothing of [
      undefined,
      null,
      7,
      'x',
      {},
      { version: 2 },
      { version: 1 },
      { version: 1, pairs: [[0, 1, 0, true, '']] },
    ]) {
      const finder = learnt(STRANGER);
      finder.restore(nothing);
      assert.deepEqual(finder.report(), []);
    }
  });

  test('origins and pairs give way, those with a verdict last', () => {
    const finder = new MirrorFinder({ maxOrigins: 50, snapshotOrigins: 20 });
    visitAll(finder, pathsOf(40), { [A]: story, [STRANGER]: story });
    for (let at = 0; at < 400; at++) {
      for (const path of pathsOf(5)) finder.observe(visitTo(`https://site-${at}.example`, path, `${at} ${path}`));
    }
    assert.equal(finder.mirrorOf(STRANGER)?.origin, A);
    const kept = finder.snapshot() as { origins: unknown[] };
    assert.equal(kept.origins.length, 20);
    for (let at = 0; at < 4000; at++) finder.observe(visitTo(`https://www.many-${at}.example`, '/', 'parked'));
    assert.ok(JSON.stringify(finder.snapshot()).length < 100_000);
  });

  test('the largest snapshot', () => {
    const finder = new MirrorFinder({ snapshotOrigins: 100 });
    for (let at = 0; at < 300; at++) {
      for (const path of pathsOf(80))
        finder.observe(visitTo(`https://site-${at >> 1}${at % 2}.example`, path, `${at >> 1} ${path}`));
    }
    assert.ok(JSON.stringify(finder.snapshot()).length < 100 * 4000);
  });
});
