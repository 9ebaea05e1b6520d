import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlReader } from '../../src/index.ts';
import { crawlAnyHosts, type HostAnswer } from './any-host-web.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const SEED = 'http://example.test/';

/** example.test leads to www.example.test, and that to its English pages; another host is linked to, and redirected to. */
function moved(url: URL): HostAnswer | undefined {
  const { hostname, pathname } = url;
  if (pathname === '/robots.txt') return undefined;
  if (hostname === 'example.test') return { status: 301, headers: { location: 'http://www.example.test/' } };
  if (hostname === 'www.example.test' && pathname === '/') return { status: 302, headers: { location: '/en/' } };
  if (pathname === '/en/')
    return {
      body: `<title>Home</title><p>Hello</p><a href=a>a</a><a href=b>b</a><a href=away>away</a>
        <a href=http://shop.example.test/>shop</a>`,
    };
  if (pathname === '/en/away') return { status: 301, headers: { location: 'http://other.test/' } };
  return { body: `<title>${url.href}</title><p>The page ${url.href}</p>` };
}

const PAGES = ['http://www.example.test/en/', 'http://www.example.test/en/a', 'http://www.example.test/en/b'];

test('a seed that redirects takes the scope along; a link that redirects does not', async () => {
  for (const scope of ['host', 'directory'] as const) {
    using folder = temporaryFolder();
    const { summary } = await crawlAnyHosts(moved, folder.path, [SEED], { scope });
    assert.equal(summary.ended, 'finished');
    assert.deepEqual(storedPages(folder.path), PAGES, scope);
    using reader = new CrawlReader(folder.path);
    const { path } = await reader.explain(PAGES[0]);
    assert.deepEqual(
      path.map(({ how }) => how),
      ['seed', 'redirect', 'redirect'],
    );
    const away = await reader.explain('http://other.test/');
    assert.equal(away.page?.outcome?.kind === 'refused' && away.page.outcome.by, 'scope');
  }
});

test('it does so also when the crawl was ended on the way', async () => {
  using folder = temporaryFolder();
  const first = await crawlAnyHosts(moved, folder.path, [SEED], { scope: 'host', maxPages: 1 });
  assert.equal(first.summary.ended, 'limit: max-pages');
  const second = await crawlAnyHosts(moved, folder.path, [], { scope: 'host' });
  assert.equal(second.summary.ended, 'finished');
  assert.deepEqual(storedPages(folder.path), PAGES);
  assert.ok(!second.asked.includes(SEED), 'the seed itself is known');
  const wider = await crawlAnyHosts(moved, folder.path, [], { scope: 'domain' });
  assert.equal(wider.summary.pages, PAGES.length + 1, 'the shop came in; the rest stays');
});

test('a seed may lead to another domain; links that were out of scope until then come in', async () => {
  using folder = temporaryFolder();
  const web = (url: URL): HostAnswer | undefined => {
    if (url.pathname === '/robots.txt') return undefined;
    if (url.hostname === 'one.test') return { body: '<title>One</title><a href=http://new.test/deep>deep</a>' };
    if (url.hostname === 'old.test') return { status: 308, headers: { location: 'http://new.test/' } };
    return { body: `<title>${url.href}</title>` };
  };
  const first = await crawlAnyHosts(web, folder.path, ['http://one.test/'], { scope: 'domain' });
  assert.deepEqual(first.summary.refused, { scope: 1 });
  const { summary } = await crawlAnyHosts(web, folder.path, ['http://old.test/'], { scope: 'domain' });
  assert.deepEqual(summary.refused, {});
  assert.deepEqual(storedPages(folder.path), ['http://new.test/', 'http://new.test/deep', 'http://one.test/']);
});

test('a seed that leads to what is excluded opens nothing', async () => {
  using folder = temporaryFolder();
  const web = (url: URL): HostAnswer | undefined => {
    if (url.pathname === '/robots.txt') return undefined;
    if (url.href === 'http://a.test/members') return { status: 302, headers: { location: 'http://b.test/login' } };
    return { body: `<title>${url.href}</title><p>${url.href}</p><a href=http://b.test/other>o</a>` };
  };
  const seeds = ['http://a.test/', 'http://a.test/members'];
  await crawlAnyHosts(web, folder.path, seeds, { scope: 'host', exclude: ['/login*'] });
  assert.deepEqual(storedPages(folder.path), ['http://a.test/']);
  {
    using reader = new CrawlReader(folder.path);
    const { page } = await reader.explain('http://b.test/login');
    assert.match(page?.outcome?.kind === 'refused' ? page.outcome.rule : '', /exclude/);
  }
  await crawlAnyHosts(web, folder.path, [], { scope: 'host' });
  assert.deepEqual(storedPages(folder.path), ['http://a.test/', 'http://b.test/login', 'http://b.test/other']);
});
