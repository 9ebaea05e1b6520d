import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { rebuildIndex } from '../../src/search/indexing/rebuild-index.ts';
import { openSearcher } from '../../src/search/open-searcher.ts';
import { CrawlFolderReader } from '../../src/web/crawl-folder-reader.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const SITE = 'http://site.test';
const PATHS = ['/plain', '/tagged', '/headed', '/private', '/expired', '/unsearched'];

/** What each page asks of whoever shows it, by header or META tag. */
function answer({ pathname }: URL) {
  if (pathname === '/') return pageOf('Home', textOf('home'), [...PATHS, '/moved']);
  if (pathname === '/moved') return { status: 301, headers: { location: '/plain' }, body: '' };
  if (!PATHS.includes(pathname)) return undefined;
  const headers: Record<string, Record<string, string>> = {
    '/headed': { 'x-robots-tag': 'nosnippet' },
    '/expired': { 'x-robots-tag': 'unavailable_after: 2020-01-01' },
    '/unsearched': { 'content-signal': 'search=no' },
  };
  const metas: Record<string, string> = { '/tagged': 'nosnippet', '/private': 'noarchive' };
  const head = `<meta name="description" content="A zebra told in short">${
    metas[pathname] === undefined ? '' : `<meta name="robots" content="${metas[pathname]}">`
  }`;
  const page = pageOf(`Zebra ${pathname.slice(1)}`, `zebra ${textOf(pathname)}`, [], head);
  return { ...page, headers: headers[pathname] ?? {} };
}

test('what a page asks of those who show it is done: no excerpt, no copy, not searched', async () => {
  using folder = temporaryFolder();
  await crawlAnyHosts(answer, folder.path, [`${SITE}/`]);
  await rebuildIndex(folder.path, systemClock);
  await using searcher = await openSearcher(folder.path);
  const { hits } = await searcher.search({ query: 'zebra', page: 1, perPage: 20, unfolded: true });
  const excerpts = new Map(hits.map(({ id, snippet }) => [id, snippet.map(({ text }) => text).join('')]));
  assert.deepEqual(
    [...excerpts.keys()].sort(),
    ['/headed', '/plain', '/private', '/tagged'].map((path) => SITE + path),
  );
  for (const path of ['/plain', '/private']) assert.match(excerpts.get(SITE + path) ?? '', /zebra/);
  for (const path of ['/headed', '/tagged']) assert.equal(excerpts.get(SITE + path), '');
  using crawl = new CrawlReader(folder.path);
  const reader = new CrawlFolderReader(crawl);
  assert.deepEqual(await Promise.all(PATHS.map((path) => reader.closed(SITE + path))), [
    ...[false, false, false, true, false, false],
  ]);
  const shown = ['/plain', '/moved', '/private', '/unknown'].map((path) => reader.shownCopyOf(SITE + path));
  assert.deepEqual(shown, [`${SITE}/plain`, `${SITE}/plain`, undefined, undefined]);
});
