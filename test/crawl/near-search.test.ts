import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { type NearSearch, searchNear, textOfPage } from '../../src/crawl/report/near-search.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const HOME = 'http://site.test/';
const words = textOf('a', 200).split(' ');
const sentences = (all: readonly string[]): string => all.join(' ').replace(/((?:\S+ ){9}\S+)/g, '$1.');
const ARTICLE = sentences(words);
const PAGES: Readonly<Record<string, string>> = {
  '/a': ARTICLE,
  '/near': sentences(words.with(100, 'changed')),
  '/copy': ARTICLE,
  // Three quarters of it are those of the article.
  '/part': sentences([...words.slice(0, 150), ...textOf('b', 50).split(' ')]),
  '/other': sentences(textOf('c', 200).split(' ')),
};

async function crawlPages(folder: string, settings: object = {}): Promise<void> {
  await crawlAnyHosts(
    ({ pathname }) => {
      if (pathname === '/') return pageOf('Home', textOf('home', 60), Object.keys(PAGES));
      const text = PAGES[pathname];
      return text === undefined ? undefined : pageOf('The same title', text, []);
    },
    folder,
    [HOME],
    settings,
  );
}

const found = ({ pages }: NearSearch): string[] => pages.map(({ url, kind }) => `${kind} ${new URL(url).pathname}`);

describe('what is like one page or text', () => {
  test('a page: its copies, then the likest, with evidence', async () => {
    using folder = temporaryFolder();
    await crawlPages(folder.path);
    using reader = new CrawlReader(folder.path);
    const asked = await textOfPage(reader, `${HOME}a`);
    const search = await searchNear(reader, asked, { threshold: 0.5, limit: 20 });
    assert.deepEqual(found(search), ['exact /copy', 'near /near', 'near /part']);
    assert.equal(search.byTexts, false);
    const [, near, part] = search.pages;
    assert.ok((near.sketchJaccard ?? 0) > 0.9 && (near.simhashDistance ?? 64) < 12);
    assert.ok((near.evidence?.jaccard ?? 0) > 0.93 && (near.evidence?.editSimilarity ?? 0) > 0.99);
    const { shared, ofFirst } = near.evidence?.segments ?? { shared: 0, ofFirst: 0 };
    assert.equal(ofFirst - shared, 1);
    assert.ok((part.evidence?.editSimilarity ?? 0) > 0.7 && (part.evidence?.editSimilarity ?? 1) < 0.8);
    assert.deepEqual(found(await searchNear(reader, asked, { threshold: 0.9, limit: 20 })), [
      'exact /copy',
      'near /near',
    ]);
    const one = await searchNear(reader, asked, { threshold: 0.5, limit: 1 });
    assert.deepEqual([one.total, one.copies, found(one)], [2, 1, ['exact /copy', 'near /near']]);
  });

  test('a copy, whose bytes another page had first, finds that page', async () => {
    using folder = temporaryFolder();
    await crawlPages(folder.path);
    using reader = new CrawlReader(folder.path);
    const search = await searchNear(reader, await textOfPage(reader, `${HOME}copy`), { threshold: 0.9, limit: 20 });
    const names = search.pages.map(({ url }) => new URL(url).pathname);
    assert.deepEqual(new Set(names), new Set(['/a', '/near']));
  });

  test('a text from elsewhere, also where the crawl keeps no sketches; one that is too short is told', async () => {
    using folder = temporaryFolder();
    await crawlPages(folder.path, { nearDuplicates: false });
    using reader = new CrawlReader(folder.path);
    const search = await searchNear(reader, { text: ARTICLE }, { threshold: 0.8, limit: 20 });
    assert.equal(search.byTexts, true);
    assert.deepEqual(new Set(found(search)), new Set(['near /a', 'near /near', 'exact /copy']));
    assert.equal(search.pages[0].evidence?.jaccard, 1);
    await assert.rejects(searchNear(reader, { text: 'too short' }, { threshold: 0.8, limit: 20 }), {
      code: 'INPUT_INVALID',
    });
    await assert.rejects(textOfPage(reader, `${HOME}missing`), { code: 'URL_NOT_FOUND' });
  });
});
