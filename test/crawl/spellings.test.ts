import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { documentText } from '../../src/crawl/content/document-text.ts';
import { extractAgain } from '../../src/crawl/extraction/extract-again.ts';
import { readRules } from '../../src/crawl/extraction/read-rules.ts';
import { formatReport } from '../../src/crawl/report/format-report.ts';
import { openLinkReader } from '../../src/engines/open-links.ts';
import { openRowReader } from '../../src/engines/open-rows.ts';
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
  const closed = await reader.explain(`${HOME}closed`);
  assert.equal(closed.robots?.verdict.allowed, false, 'explain judges what was to be asked for, too');
  assert.match(formatReport(closed).join('\n'), /fetched as {3}http:\/\/folders\.test\/closed\/, as its server wants/);
  assert.match(formatReport(await reader.explain(`${HOME}a`)).join('\n'), /fetched as/);
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
  await assert.rejects(crawlAnyHosts(folders, folder.path, [HOME]), {
    code: 'SETTING_INVALID',
    remedy: /\(--trailing-slash strip --www strip\)/,
  });
});

/** A folder whose redirects and links are relative, and that tells by its ETag that it is as before. */
const relative = ({ pathname }: URL, sent: IncomingHttpHeaders): HostAnswer | undefined => {
  const etag = '"1"';
  switch (pathname) {
    case '/':
      return { body: '<title>home</title><a href="a/">a</a> <a href="moved/">moved</a>' };
    case '/a':
    case '/moved':
      return { status: 301, headers: { location: `${pathname}/` } };
    case '/moved/':
      return { status: 302, headers: { location: 'there.html' } };
    case '/moved/there.html':
      return { body: `<title>there</title><p>${textOf('there')}</p>` };
    case '/a/':
      return sent['if-none-match'] === etag
        ? { status: 304, headers: { etag } }
        : {
            headers: { etag },
            body: `<title>a</title><article><h1>A</h1><p>${textOf('a')} <a class=x href="leaf.html">leaf</a>.</p><p>${textOf('b')}</p></article>`,
          };
    case '/a/leaf.html':
      return { body: `<title>leaf</title><p>${textOf('leaf')}</p>` };
    default:
      return undefined;
  }
};

test('all that is relative counts from the address: redirects, rows, Markdown; a 304 changes nothing', async () => {
  using folder = temporaryFolder();
  const extract = 'leaves: { match: /a, fields: { leaf: { css: a.x, attribute: href, type: url, required: true } } }\n';
  const rowsOf = (): unknown[] => {
    using rows = openRowReader(folder.path);
    return [...(rows?.rows({ set: 'leaves' }) ?? [])].map(({ fields }) => fields);
  };
  const settings = { ...STRIPPED, extract, softNotFound: false };
  const { asked } = await crawlAnyHosts(relative, folder.path, [HOME], settings);
  assert.ok(asked.includes(`${HOME}moved/there.html`), asked.join(' '));
  assert.deepEqual(rowsOf(), [{ leaf: `${HOME}a/leaf.html` }]);
  await extractAgain(folder.path, await readRules({ extract }), { extractTime: 5000, durability: 'process' });
  assert.deepEqual(rowsOf(), [{ leaf: `${HOME}a/leaf.html` }]);

  const later = await crawlAnyHosts(relative, folder.path, [HOME], { ...settings, again: true });
  assert.ok(later.asked.includes(`${HOME}a/`));
  using reader = new CrawlReader(folder.path);
  const copy = await reader.get(`${HOME}a`);
  assert.equal(copy.address, `${HOME}a/`);
  assert.match(await documentText(copy.body, copy.address, 'text/html', 'markdown'), /a\/leaf\.html/);
  assert.deepEqual(
    (await reader.linksOf(copy)).map(({ url }) => url),
    [`${HOME}a/leaf.html`],
  );
  // Where a page is asked for is no version of it.
  const versions = await reader.versions(`${HOME}a`);
  assert.deepEqual(
    versions.map(({ changed }) => changed),
    ['first', 'same'],
  );
});
