import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { closeEmptyTags } from '../../../src/export/html/close-empty-tags.ts';
import { withBase } from '../../../src/export/html/with-base.ts';
import { pagePath } from '../../../src/export/page-path.ts';
import { extractPage } from '../../../src/extract/extract-page.ts';
import { HOSTILE, SPIDER, spiderCrawl, WEAVER } from './exported-crawl.ts';

test('each page is an HTML file whose links lead where they led', async () => {
  await using crawl = await spiderCrawl();
  const own = 'https://spiders.example/own-base';
  const markup =
    '<!doctype html><html><head><base href="/elsewhere/"><title>x</title></head><body><a href="y">y</a></body></html>';
  await crawl.crawled.visit(own, { html: markup });
  const folder = await crawl.export('html', 'files');
  assert.equal(globSync('**/*.html', { cwd: folder }).length, 5);
  const linksIn = (url: string): readonly string[] => {
    const file = readFileSync(join(folder, pagePath(url, '.html')), 'utf8');
    // From a file anywhere: only BASE says where links lead.
    return extractPage(file, { url: 'file:///tmp/any.html' }).links.map((link) => link.url);
  };
  assert.ok(linksIn(SPIDER).includes(WEAVER));
  assert.ok(linksIn(own).includes('https://spiders.example/elsewhere/y'));
  assert.match(
    readFileSync(join(folder, pagePath(HOSTILE, '.html')), 'utf8'),
    /<base href="https:\/\/hostile\.example\//,
  );
});

test('BASE and charset come before all that the page says, and behind its doctype', () => {
  const base = 'https://example.org/a?b&c="d"';
  const head = '<meta charset="utf-8"><base href="https://example.org/a?b&amp;c=&quot;d&quot;">';
  for (const [page, expected] of [
    ['<!DOCTYPE html><title>x</title>', `<!DOCTYPE html>${head}<title>x</title>`],
    ['\ufeff <!-- a --> <!doctype html>x', ` <!-- a --> <!doctype html>${head}x`],
    ['<!-- never ends', `${head}<!-- never ends`],
    ['<p>plain', `${head}<p>plain`],
    ['', head],
  ])
    assert.equal(withBase(page, base), expected);
  for (const filler of [' ', '<?>', '<!-->']) {
    const long = filler.repeat(16_000_000 / filler.length);
    assert.ok(withBase(`${long}<!doctype html>x`, base).endsWith(`<!doctype html>${head}x`), filler);
  }
});

test('empty elements of XHTML end where they did, for readers of HTML', () => {
  for (const [page, expected] of [
    ['<head><script src="a.js" /><title/></head>', '<head><script src="a.js" ></script><title></title></head>'],
    ['<a title="1 > 0/>" href="x"/>y', '<a title="1 > 0/>" href="x"></a>y'],
    ['<br/><img alt=""/><p>a/>b</p>', '<br/><img alt=""/><p>a/>b</p>'],
    ['<div title="never ends/>', '<div title="never ends/>'],
    ['a < b/> c', 'a < b/> c'],
  ])
    assert.equal(closeEmptyTags(page), expected);
  const page = '<html><head><script src="a.js"/></head><body><a href="x">x</a></body></html>';
  const file = withBase(closeEmptyTags(page), 'https://example.org/');
  assert.ok(extractPage(file, { url: 'file:///any.html' }).links.some(({ url }) => url === 'https://example.org/x'));
});
