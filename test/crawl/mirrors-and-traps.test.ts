import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { quickOrLong } from '../property-runs.ts';
import { crawlAnyHosts, type HostAnswer, pageOf, textOf } from './any-host-web.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const BARE = 'http://flowers.org';
const WWW = 'http://www.flowers.org';
const DOCS = Array.from({ length: quickOrLong(20, 40) }, (_, i) => `/docs/d${i}.html`);
const PAGES = Array.from({ length: quickOrLong(20, 30) }, (_, i) => `/p${i}.html`);

/** One site under two names, the shorter of which is taken for the original; its documents are linked on the other only. */
function twoNames(
  original: (path: string) => HostAnswer | undefined,
  robots = '',
): (url: URL) => HostAnswer | undefined {
  return ({ origin, pathname }) => {
    if (pathname === '/robots.txt') return { body: origin === BARE ? robots : '' };
    const library = `${WWW}/library.html`;
    if (pathname === '/')
      return pageOf('Front', textOf('front'), [
        ...PAGES.slice(0, 10).map((path) => BARE + path),
        ...[...PAGES, '/library.html'].map((path) => WWW + path),
      ]);
    if (pathname === '/library.html')
      return pageOf(
        'Library',
        textOf('library'),
        DOCS.map((path) => WWW + path),
      );
    const isDocument = DOCS.includes(pathname);
    const own = isDocument && origin === BARE ? original(pathname) : undefined;
    if (own !== undefined) return own;
    if (isDocument || PAGES.includes(pathname)) return pageOf(pathname, textOf(pathname), [`${WWW}/`, library]);
    return undefined;
  };
}

describe('what an original does not give is asked for on its mirror', () => {
  const cases: readonly (readonly [string, ReturnType<typeof twoNames>, readonly string[]])[] = [
    ['its robots.txt forbids it', twoNames(() => undefined, 'User-agent: *\nDisallow: /docs/\n'), []],
    ['it has no such pages', twoNames(() => ({ status: 404 })), []],
    ['it does not answer', twoNames(() => ({ status: 403 })), []],
    ['it redirects to the mirror', twoNames((path) => ({ status: 302, headers: { location: WWW + path } })), []],
    ['its URLs are excluded', twoNames(() => undefined), [`${BARE}/docs/**`]],
  ];
  for (const [name, web, exclude] of cases) {
    test(name, async () => {
      using folder = temporaryFolder();
      const { summary, asked } = await crawlAnyHosts(web, folder.path, [`${BARE}/`], { exclude });
      // What the original does not give may be held there as a pattern that brings nothing.
      assert.ok(summary.ended === 'finished' || summary.ended === 'held-back', summary.ended);
      const stored = new Set(storedPages(folder.path));
      for (const path of DOCS) assert.ok(stored.has(WWW + path), `${path} is missing`);
      for (const path of PAGES) assert.ok(stored.has(BARE + path), `${path} is missing`);
      assert.ok(asked.length < 2 * (DOCS.length + PAGES.length) + 20, `${asked.length} requests`);
    });
  }

  test('and what it gives is not', async () => {
    using folder = temporaryFolder();
    const { asked } = await crawlAnyHosts(
      twoNames(() => undefined),
      folder.path,
      [`${BARE}/`],
    );
    assert.ok(asked.filter((url) => url.startsWith(`${WWW}/docs/`)).length <= 3);
  });
});

test('copies under another name do not make a trap of a pattern', async () => {
  const [first, second] = ['http://first-site.net', 'http://bb.org'];
  const at = (n: number): string => `/p${n}.html`;
  const dozen = Array.from({ length: 12 }, (_, n) => at(n));
  using folder = temporaryFolder();
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    if (pathname === '/robots.txt') return {};
    const head = `<link rel="canonical" href="${second}${pathname}">`;
    if (pathname === '/') {
      const links = [...dozen.map((path) => first + path), `${second}/`, ...dozen.map((path) => second + path)];
      return pageOf('Front', textOf('front'), links, head);
    }
    const n = Number(/^\/p(\d+)\.html$/.exec(pathname)?.[1] ?? 200);
    if (n >= 200) return undefined;
    const next = n < 10 ? Array.from({ length: 19 }, (_, i) => 12 + n * 19 + i).filter((to) => to < 200) : [];
    return pageOf(pathname, textOf(pathname), [`${first}/`, ...next.map((to) => first + at(to))], head);
  };
  await crawlAnyHosts(web, folder.path, [`${first}/`]);
  const paths = new Set(storedPages(folder.path).map((url) => new URL(url).pathname));
  assert.equal(paths.size, 201);
});

test('a long page under the title of an error is not gone where it is a copy', async () => {
  using folder = temporaryFolder();
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    if (pathname === '/robots.txt') return {};
    if (pathname === '/') return pageOf('Front', textOf('front'), ['/essays/a/', '/essays/b/']);
    if (pathname === '/essays/a/' || pathname === '/essays/b/')
      return pageOf('Page not found', textOf('essay', 600), ['next.html']);
    return pathname.endsWith('/next.html') ? pageOf(pathname, textOf(pathname), []) : undefined;
  };
  const { summary } = await crawlAnyHosts(web, folder.path, ['http://essay.org/']);
  assert.deepEqual(summary.failed, {});
  assert.equal(storedPages(folder.path).length, 5);
});

test('a chain of short pages of one size is followed to its end, for their texts are new', async () => {
  using folder = temporaryFolder();
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    if (pathname === '/robots.txt') return {};
    const n = pathname === '/' ? 0 : Number(/^\/n(\d+)\.html$/.exec(pathname)?.[1] ?? 100);
    return n < 100 ? pageOf('A day', textOf(`day ${n}`), ['/', ...(n < 60 ? [`/n${n + 1}.html`] : [])]) : undefined;
  };
  await crawlAnyHosts(web, folder.path, ['http://diary.org/']);
  assert.equal(storedPages(folder.path).length, 61);
});
