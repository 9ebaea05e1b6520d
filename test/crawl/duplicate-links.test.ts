import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const HOME = 'http://site.test/';
const TEXT = textOf('one text', 400);

/** `/a/` is original; `/b/` has its bytes, so that its links lead elsewhere; `/near` has nearly its text and links of its own. */
function site({ href, pathname }: URL) {
  if (href === HOME) return pageOf('Home', textOf('home'), [`${HOME}a/`, `${HOME}b/`, `${HOME}near`]);
  if (pathname === '/a/' || pathname === '/b/') return pageOf('One text', TEXT, ['next']);
  if (pathname === '/near') return pageOf('One text', `${TEXT} at last`, ['/beyond', '/a/next']);
  return pathname === '/robots.txt' ? undefined : pageOf(href, textOf(href), []);
}

test('links of duplicates and near-duplicates are left alone where that was asked for, and come in when it is no longer', async () => {
  using folder = temporaryFolder();
  // One after another, so that the original comes first.
  const settings = { concurrency: 1, trapLearning: false, softNotFound: false } as const;
  const paths = (asked: readonly string[]) =>
    asked.map((url) => new URL(url).pathname).filter((one) => !/robots/.test(one));
  const { asked } = await crawlAnyHosts(site, folder.path, [HOME], { ...settings, duplicateLinks: 'skip' });
  assert.deepEqual(paths(asked).sort(), ['/', '/a/', '/a/next', '/b/', '/near']);
  {
    using reader = new CrawlReader(folder.path);
    for (const [left, original] of [
      ['/b/next', `${HOME}a/`],
      ['/beyond', `${HOME}a/`],
    ]) {
      const { page } = await reader.explain(new URL(left, HOME).href);
      assert.deepEqual(page?.outcome, {
        kind: 'refused',
        by: 'duplicate',
        rule: `the page that links to it is a duplicate of ${original} (duplicate-links: skip)`,
      });
    }
  }
  const again = await crawlAnyHosts(site, folder.path, [HOME], settings);
  assert.deepEqual(paths(again.asked).sort(), ['/b/next', '/beyond']);
});

test('what would not be followed on any page does not come in either when links of duplicates do', async () => {
  using folder = temporaryFolder();
  const settings = { concurrency: 1, trapLearning: false, softNotFound: false, scope: 'host' } as const;
  const more =
    '<img src="/picture"><link rel="stylesheet" href="/style"><form action="/form"></form><a rel="nofollow" href="/unfollowed">x</a><a href="http://other.test/">y</a>';
  const pages = ({ href, pathname }: URL) => {
    if (href === HOME) return pageOf('Home', textOf('home'), [`${HOME}a/`, `${HOME}near`]);
    if (pathname === '/a/') return pageOf('One text', TEXT, []);
    if (pathname !== '/near') return pathname === '/robots.txt' ? undefined : pageOf(href, textOf(href), []);
    const page = pageOf('One text', `${TEXT} at last`, ['/beyond']);
    return { ...page, body: String(page.body).replace('</body>', `${more}</body>`) };
  };
  await crawlAnyHosts(pages, folder.path, [HOME], { ...settings, duplicateLinks: 'skip' });
  {
    using reader = new CrawlReader(folder.path);
    assert.deepEqual((await reader.status(0)).totals.refused, { duplicate: 2, directive: 1 });
  }
  const { asked } = await crawlAnyHosts(pages, folder.path, [HOME], settings);
  assert.deepEqual(
    asked.filter((url) => !url.endsWith('/robots.txt')),
    [`${HOME}beyond`],
  );
});

test('a duplicate that is visited again is still one: its links stay out until its original is gone', async () => {
  using folder = temporaryFolder();
  const skip = { concurrency: 1, trapLearning: false, softNotFound: false, duplicateLinks: 'skip' } as const;
  let isGone = false;
  const pages = (url: URL) => (isGone && url.pathname === '/a/' ? undefined : site(url));
  await crawlAnyHosts(pages, folder.path, [HOME], skip);
  const paths = async () => {
    const { asked } = await crawlAnyHosts(pages, folder.path, [HOME], { ...skip, again: true });
    return asked.map((url) => new URL(url).pathname).filter((path) => path !== '/robots.txt');
  };
  assert.deepEqual((await paths()).sort(), ['/', '/a/', '/a/next', '/b/', '/near']);
  isGone = true;
  await paths();
  // Now that it is known to be gone, one of the others stands for itself.
  assert.ok((await paths()).some((path) => path === '/b/next' || path === '/beyond'));
});
