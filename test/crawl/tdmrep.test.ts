import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const FILE = '/.well-known/tdmrep.json';
const PATHS = ['/open/a', '/closed/b', '/closed/c'];

/** a.test reserves a part of its pages in the file, b.test forbids the file to robots, c.test has none. */
function answer({ hostname, pathname }: URL) {
  if (pathname === '/robots.txt') {
    return { body: hostname === 'b.test' ? 'User-agent: *\nDisallow: /.well-known/' : 'User-agent: *\nDisallow: /x' };
  }
  if (pathname === FILE && hostname === 'a.test') {
    return { body: JSON.stringify([{ location: '/closed/*', 'tdm-reservation': 1, 'tdm-policy': 'http://a.test/p' }]) };
  }
  if (pathname === '/') return pageOf(`Home ${hostname}`, textOf(hostname), PATHS);
  if (!PATHS.includes(pathname)) return undefined;
  const page = pageOf(pathname, textOf(hostname + pathname), []);
  return pathname === '/closed/c' ? { ...page, headers: { 'tdm-reservation': '0' } } : page;
}

const SEEDS = ['http://a.test/', 'http://b.test/', 'http://c.test/'];

test('tdmrep.json is asked for once per origin, after robots.txt and as that allows, and read by pages that say nothing', async () => {
  using folder = temporaryFolder();
  const { summary, asked } = await crawlAnyHosts(answer, folder.path, SEEDS, { tdmrep: true, scope: 'host' });
  assert.equal(summary.pages, 12);
  assert.deepEqual(asked.filter((url) => url.endsWith(FILE)).sort(), [`http://a.test${FILE}`, `http://c.test${FILE}`]);
  const ofA = asked.filter((url) => url.startsWith('http://a.test/'));
  assert.deepEqual(ofA.slice(0, 2), ['http://a.test/robots.txt', `http://a.test${FILE}`]);
  using crawl = new CrawlReader(folder.path);
  const tdm = async (url: string) => (await crawl.explain(url)).page?.facts?.usage?.tdm;
  assert.equal(await tdm('http://a.test/closed/b'), 'disallowed');
  assert.equal(await tdm('http://a.test/closed/c'), 'allowed', 'a header counts before the file');
  assert.equal(await tdm('http://a.test/open/a'), undefined);
  assert.equal(await tdm('http://b.test/closed/b'), undefined);
});

test('by default it is not asked for', async () => {
  using folder = temporaryFolder();
  const { asked } = await crawlAnyHosts(answer, folder.path, SEEDS, { scope: 'host' });
  assert.deepEqual(
    asked.filter((url) => url.includes('.well-known')),
    [],
  );
});

test('what is reserved is what is asked for, whatever the page is called', async () => {
  using folder = temporaryFolder();
  const folders = (url: URL) => {
    if (url.pathname === '/') return pageOf('Home', textOf('home'), ['/closed/']);
    if (url.pathname === '/closed') return { status: 301, headers: { location: '/closed/' } };
    return url.pathname === '/closed/' ? pageOf('Folder', textOf('folder'), []) : answer(url);
  };
  await crawlAnyHosts(folders, folder.path, ['http://a.test/'], { tdmrep: true, trailingSlash: 'strip' });
  using crawl = new CrawlReader(folder.path);
  assert.equal((await crawl.explain('http://a.test/closed')).page?.facts?.usage?.tdm, 'disallowed');
});
