import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { quickOrLong } from '../property-runs.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const SITE = 'http://site.test';

/** Links of the pages of a site, by path. */
type Shape = ReadonlyMap<string, readonly string[]>;

/** Archives by year and month, and posts that lead nowhere but home. */
function blog(): Shape {
  const pages = new Map<string, string[]>([['/', []]]);
  for (let year = 2010; year < quickOrLong(2012, 2014); year++) {
    pages.get('/')?.push(`/${year}/`);
    const months = ['02', '05', '08', '11'].map((month) => `/${year}/${month}/`);
    pages.set(`/${year}/`, months);
    for (const month of months) {
      const posts = Array.from({ length: 6 }, (_, at) => `${month}post-${at}`);
      pages.set(month, posts);
      for (const post of posts) pages.set(post, []);
    }
  }
  return pages;
}

/** Each page names `fan` more, and nothing else. */
function tree(count: number, fan: number): Shape {
  const path = (node: number): string => (node === 0 ? '/' : `/node/${node}`);
  const children = (node: number): string[] =>
    Array.from({ length: fan }, (_, at) => node * fan + at + 1)
      .filter((child) => child < count)
      .map(path);
  return new Map(Array.from({ length: count }, (_, node) => [path(node), children(node)]));
}

/** Each page has one link, called next. */
function chain(count: number): Shape {
  const path = (at: number): string => (at === 0 ? '/' : `/chapter/${at}.html`);
  return new Map(Array.from({ length: count }, (_, at) => [path(at), at + 1 < count ? [path(at + 1)] : []]));
}

/** Every page with a text of its own, of as many words. */
async function crawlShape(shape: Shape, folder: string, words: number) {
  const answer = ({ pathname, href }: URL) => {
    const links = shape.get(pathname);
    return links === undefined ? undefined : pageOf(`Title of ${pathname}`, textOf(href, words), links);
  };
  return crawlAnyHosts(answer, folder, [`${SITE}/`]);
}

describe('on the host of a seed every page of its own text is fetched', () => {
  const shapes: readonly (readonly [name: string, shape: Shape])[] = [
    ['a blog with archives by date', blog()],
    ['a tree in which each page names two more', tree(quickOrLong(45, 80), 2)],
    ['a tree in which each page names four more', tree(quickOrLong(45, 80), 4)],
    ['a chain of chapters', chain(quickOrLong(40, 60))],
  ];
  for (const [name, shape] of shapes) {
    for (const words of [12, 150]) {
      test(`${name}, ${words} words a page`, async () => {
        using folder = temporaryFolder();
        const { summary } = await crawlShape(shape, folder.path, words);
        assert.equal(summary.ended, 'finished');
        assert.equal(summary.heldBack, undefined);
        assert.deepEqual(storedPages(folder.path), [...shape.keys()].map((path) => SITE + path).sort());
      });
    }
  }
});

test('what brings nothing new is held, and the crawl says so where it ends', async () => {
  using folder = temporaryFolder();
  // An endless list: the same text at every number.
  const answer = ({ pathname }: URL) => {
    const page = Number(/^\/list\/(\d+)$/.exec(pathname)?.[1] ?? (pathname === '/' ? 0 : Number.NaN));
    if (Number.isNaN(page)) return undefined;
    const links = [1, 2, 3].map((step) => `/list/${page + step}`);
    return pageOf('A list', textOf('the list'), links);
  };
  const { summary, asked } = await crawlAnyHosts(answer, folder.path, [`${SITE}/`]);
  assert.equal(summary.ended, 'held-back');
  assert.ok(asked.length > 8 && asked.length < 40, `${asked.length} requests`);
  assert.ok((summary.heldBack?.urls ?? 0) > 0);
  assert.equal(summary.heldBack?.reasons[0].by, 'trap');
  assert.equal(summary.heldBack?.reasons[0].pattern, 'site.test/list/{n}');
  using reader = new CrawlReader(folder.path);
  const { run } = await reader.status(0);
  assert.equal(run?.ended, 'held-back');
  assert.equal(run?.heldBack, summary.heldBack?.urls);
});
