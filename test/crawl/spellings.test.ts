import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { openLinkReader } from '../../src/engines/open-links.ts';
import { CrawlReader } from '../../src/index.ts';
import { followCrawl } from '../../src/search/indexing/follow-crawl.ts';
import { rebuildIndex } from '../../src/search/indexing/rebuild-index.ts';
import { crawlAnyHosts, type HostAnswer, textOf } from './any-host-web.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const HOME = 'http://folders.test/';
const STRIPPED = { trailingSlash: 'strip', www: 'strip' } as const;

/** Folders with pages, as any server of files has them: who asks for a folder without its slash is sent to the one with it. */
function folders({ pathname, href }: URL): HostAnswer | undefined {
  if (pathname === '/robots.txt') return { body: 'User-agent: *\nDisallow: /closed/' };
  const page = (...links: readonly string[]): HostAnswer => ({
    body: `<title>${href}</title><p>${textOf(href)}</p>${links.map((link) => `<a href="${link}">to ${link}</a>`).join('')}`,
  });
  const to = (location: string): HostAnswer => ({ status: 301, headers: { location } });
  switch (pathname) {
    case '/':
      return page('a/', 'closed/', 'file', 'loop', 'login', 'away');
    case '/a':
    case '/a/b':
    case '/closed':
      return to(`${pathname}/`);
    case '/a/':
      return page('b/', 'leaf.html');
    case '/a/b/':
      return page('../leaf.html', 'deep.html');
    case '/a/leaf.html':
    case '/a/b/deep.html':
    case '/closed/':
    case '/file':
      return page();
    case '/login':
      return to('http://user:secret@folders.test/login');
    case '/away':
      return to('//www.folders.test/away');
    case '/loop':
      return to('/loop/');
    case '/loop/':
      return to('/loop');
    default:
      return undefined;
  }
}

test('with trailing slashes stripped, folders are asked for as their server wants, and their links count from there', async () => {
  using folder = temporaryFolder();
  const { asked } = await crawlAnyHosts(folders, folder.path, [HOME], STRIPPED);
  const paths = asked.map((url) => new URL(url).pathname);
  assert.deepEqual(
    storedPages(folder.path).map((url) => new URL(url).pathname),
    ['/', '/a', '/a/b', '/a/b/deep.html', '/a/leaf.html', '/file'],
  );
  for (const path of ['/a', '/a/', '/a/b', '/a/b/', '/a/leaf.html', '/a/b/deep.html', '/file'])
    assert.equal(paths.filter((one) => one === path).length, 1, path);
  assert.ok(!paths.includes('/closed/'), 'robots.txt speaks of the address that is asked for');
  assert.ok(paths.filter((path) => path.startsWith('/loop')).length <= 3, paths.join(' '));
  using reader = new CrawlReader(folder.path);
  const outcomeOf = async (path: string) => (await reader.explain(new URL(path, HOME).href)).page?.outcome;
  for (const path of ['/loop', '/login', '/away'])
    assert.match(JSON.stringify(await outcomeOf(path)), /redirect-loop/, path);
  assert.match(JSON.stringify(await outcomeOf('/closed')), /refused.*robots/);
  assert.equal((await reader.get(`${HOME}a/`)).address, `${HOME}a/`);

  const linkedFrom = async (): Promise<string[]> => {
    using links = openLinkReader(folder.path);
    return (links.outLinks(`${HOME}a/b`)?.links ?? []).map(({ url }) => new URL(url).pathname).sort();
  };
  await followCrawl(folder.path, { mode: 'catch-up' });
  assert.deepEqual(await linkedFrom(), ['/a/b/deep.html', '/a/leaf.html']);
  await rebuildIndex(folder.path, systemClock);
  assert.deepEqual(await linkedFrom(), ['/a/b/deep.html', '/a/leaf.html']);
});

test('after a restart the way is found again', async () => {
  using folder = temporaryFolder();
  await crawlAnyHosts(folders, folder.path, [HOME], { ...STRIPPED, maxPages: 2 });
  await crawlAnyHosts(folders, folder.path, [HOME], STRIPPED);
  assert.equal(storedPages(folder.path).length, 6);
});
