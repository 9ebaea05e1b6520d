import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { pagePath } from '../../../../src/export/page-path.ts';
import { html } from '../../search/indexing/crawled-folder.ts';
import { COPY, HOSTILE, SPIDER, spiderCrawl, WEAVER } from '../exported-crawl.ts';

function readMarkdown(path: string): { readonly head: Record<string, unknown>; readonly body: string } {
  const [, yaml, body] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(readFileSync(path, 'utf8')) ?? assert.fail(path);
  return { head: parse(yaml), body };
}

test('each page is a file with what is known of it', async () => {
  await using crawl = await spiderCrawl();
  const folder = await crawl.export('markdown', 'pages');
  assert.equal(globSync('**/*.md', { cwd: folder }).length, 4);
  const { head, body } = readMarkdown(join(folder, 'spiders.example/garden.md'));
  assert.equal(head.url, SPIDER);
  assert.match(String(head.fetched), /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(head.links, [WEAVER]);
  assert.match(body, /orb web/);
  const weaver = readMarkdown(join(folder, 'spiders.example/weaver/index.md'));
  assert.deepEqual(
    [weaver.head.title, weaver.head.language, weaver.head.date],
    ['Orb weaver', 'en', '2026-01-02T00:00:00.000Z'],
  );
  assert.match(readMarkdown(join(folder, pagePath(COPY, '.md'))).body, /orb web/);
});

test('a hostile page stays within its file and its fields', async () => {
  await using crawl = await spiderCrawl();
  const folder = await crawl.export('markdown', 'pages');
  const { head } = readMarkdown(join(folder, pagePath(HOSTILE, '.md')));
  assert.equal(head.url, HOSTILE);
  assert.equal(head.canonical, 'https://hostile.example/"\n---\nx: y');
  assert.equal(head.title, '</script><b>"--- \u0000\ufffd');
  assert.equal(head.x, undefined);
  assert.ok(!existsSync(crawl.path('etc')));
});

test('of a page that a browser has shown, it is what was shown', async () => {
  await using crawl = await spiderCrawl();
  const [shell, rendered] = [html('App', ''), html('App', 'Words that a script has written about spiders and webs.')];
  await crawl.crawled.visit('https://spiders.example/app', { html: shell, rendered });
  const folder = await crawl.export('markdown', 'pages');
  assert.match(readMarkdown(join(folder, 'spiders.example/app.md')).body, /Words that a script has written/);
});
