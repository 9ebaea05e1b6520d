import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BundleSearch } from '../../../../src/export/site-search/browser/bundle-search.ts';
import { DocsApp } from '../../../../src/web/docs/docs-app.ts';
import { exportDocs } from '../../../../src/web/docs/docs-export.ts';
import { SEARCH_PAGE } from '../../../../src/web/docs/docs-frame.ts';
import { DocsIndex } from '../../../../src/web/docs/docs-index.ts';
import { DocsSite } from '../../../../src/web/docs/docs-site.ts';
import { startWebApp } from '../../../../src/web/http/listen.ts';

test('every page of the documentation is found under a topic', () => {
  const { documents, topics } = new DocsSite();
  assert.deepEqual(
    topics.map(({ name }) => name),
    ['Tutorial', 'How-to guides', 'Reference', 'Explanation', 'Project'],
  );
  const listed = new Set(topics.flatMap(({ pages }) => pages.map(({ path }) => path)));
  const missing = documents
    .map(({ path }) => path)
    .filter((path) => !listed.has(path) && !path.startsWith('decisions/') && !/^(?:how-to\/)?index\.html$/.test(path));
  assert.deepEqual(missing, []);
  const paths = new Set(documents.map(({ path }) => path));
  assert.equal(paths.has(SEARCH_PAGE), false);
  assert.deepEqual(
    [...listed].filter((path) => !paths.has(path)),
    [],
  );
});

test('every link between pages, with its anchor, leads somewhere', () => {
  const site = new DocsSite();
  const pages = new Map(site.documents.map(({ path }) => [path, site.page(path) ?? '']));
  const dead: string[] = [];
  for (const [path, markup] of pages) {
    assert.match(markup, /<h1 id=/, path);
    for (const [, href] of markup.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      if (/^https?:/.test(href)) continue;
      const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://x/${path}`);
      const target = pages.get(pathname.slice(1));
      const anchor = decodeURIComponent(hash.slice(1));
      if (target === undefined || (anchor !== '' && !target.includes(`id="${anchor}"`))) dead.push(`${path}: ${href}`);
    }
  }
  assert.deepEqual(dead, []);
});

test('the app serves pages and search under a strict policy, and nothing else', async () => {
  const site = new DocsSite();
  const index = DocsIndex.build(site.documents);
  await using server = await startWebApp(new DocsApp(site, index));
  const get = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(new URL(path, server.url), init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const home = await get('/');
  assert.equal(home.status, 200);
  assert.match(home.text, /<h1 id="documentation">/);
  assert.match(home.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
  assert.doesNotMatch(home.text, /<script(?! type="module" src)|<style|\son\w+="|src="http/);
  assert.match((await get('/how-to/')).text, /How-to guides/);
  assert.equal((await get('/style.css')).headers.get('content-type'), 'text/css; charset=utf-8');
  for (const path of ['/nothing.html', '/../package.json', '/%2e%2e/package.json', '/docs-index.ts'])
    assert.equal((await get(path)).status, 404, path);
  const nested = await get('/how-to/nothing.html');
  for (const [, link] of nested.text.matchAll(/(?:href|action)="(?!#|data:)([^"]*)"/g))
    assert.equal((await get(new URL(link, new URL('/how-to/', server.url)).href)).status, 200, link);
  const posted = await get('/', { method: 'POST' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  const found = await get('/find.html?q=broken+links');
  assert.match(found.text, /<a class="title" href="how-to\/broken-links.html">/);
  const hostile = await get(`/find.html?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.equal(hostile.status, 200);
  assert.doesNotMatch(hostile.text, /<script>/);
  assert.match((await get('/find.html?q=')).text, /Type what you are looking for/);
  const { folder } = await index;
  await (await index)[Symbol.asyncDispose]();
  assert.equal(existsSync(folder), false);
});

test('the static site has all pages, and searches without a server', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'docs-site-'));
  const folder = join(parent, 'site');
  try {
    const pages = await exportDocs(folder);
    assert.equal(pages, new DocsSite().documents.length);
    const tutorial = readFileSync(join(folder, 'tutorial.html'), 'utf8');
    assert.match(tutorial, /http-equiv="content-security-policy" content="default-src &#39;none&#39;/);
    assert.match(readFileSync(join(folder, 'search.html'), 'utf8'), /BM25F/);
    assert.match(tutorial, /action="find.html"/);
    assert.match(readFileSync(join(folder, 'find.html'), 'utf8'), /src="docs-search.js"/);
    for (const name of ['style.css', 'docs.css', 'docs-search.js', 'search-index/index.json']) existing(folder, name);
    assert.equal(existsSync(join(folder, 'search-index/index.html')), false);
    const load = async (path: string) => {
      const bytes = readFileSync(join(folder, 'search-index', path));
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    };
    const { hits } = await (await BundleSearch.open(load)).search('crawl an intranet with a login', 0, 3);
    assert.equal(hits[0].url, 'how-to/intranet-with-login.html');
    for (const { url } of hits) existing(folder, url);
    await assert.rejects(exportDocs(folder), { code: 'USAGE' });
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});

function existing(folder: string, path: string): void {
  assert.ok(existsSync(join(folder, path)), path);
}
