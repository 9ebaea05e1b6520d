import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlFolderReader } from '../../../../src/search/indexing/crawl-folder-reader.ts';
import { openTextSource } from '../../../../src/search/indexing/text-source-of-folder.ts';
import { collected, temporaryFolder } from '../../archive/archive-fixture.ts';
import { CrawledFolder, html } from './crawled-folder.ts';

test('visits come with the text stored beside them, and reading goes on where it stopped', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  await crawl.visit('http://a.example/1', { html: html('One', 'first'), text: 'first text' });
  await crawl.visit('http://a.example/2', { html: html('Two', 'second') });
  await crawl.visit('http://a.example/3', { html: html('Three', 'third'), text: 'third text' });
  using reader = new CrawlFolderReader(crawl.folder);
  const [{ name, end }] = reader.settledFiles();
  const visits = await collected(reader.visits(name, 0, end));
  assert.deepEqual(
    visits.map(({ document, text }) => [document.url, text]),
    [
      ['http://a.example/1', 'first text'],
      ['http://a.example/2', undefined],
      ['http://a.example/3', 'third text'],
    ],
  );
  for (const [at, { next }] of visits.entries()) {
    const rest = next >= end ? [] : await collected(reader.visits(name, next, end));
    assert.deepEqual(
      rest.map(({ document }) => document.url),
      visits.slice(at + 1).map(({ document }) => document.url),
    );
  }
});

test('what is archived but not settled is not read', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  await crawl.visit('http://a.example/1', { html: html('One', 'first'), text: 'first' });
  await crawl.archive('http://a.example/2', { html: html('Two', 'second'), text: 'second' });
  using reader = new CrawlFolderReader(crawl.folder);
  const [{ name, end }] = reader.settledFiles();
  assert.equal((await collected(reader.visits(name, 0, end))).length, 1);
  assert.equal(reader.page('http://a.example/2'), undefined);
});

test('near-duplicates of near-duplicates are one cluster, that of the first', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  const near = (url: string) => ({ nearDuplicateOf: { url: url as never, jaccard: 0.9 } });
  await crawl.visit('http://a.example/1', { facts: { document: 4 } });
  await crawl.visit('http://a.example/2', { facts: { document: 7, ...near('http://a.example/1') } });
  await crawl.visit('http://a.example/3', { facts: { document: 9, ...near('http://a.example/2') } });
  await crawl.visit('http://a.example/4');
  using reader = new CrawlFolderReader(crawl.folder);
  const clusters: number[] = [];
  for (const n of [1, 2, 3, 4]) clusters.push(reader.clusterOf(reader.page(`http://a.example/${n}`)!));
  assert.deepEqual(clusters, [4, 4, 4, 0]);
});

test('the text source gives stored texts, makes those that were not stored, and follows revisits', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  const words = 'Words enough to be the main content of a page, as any reader would say at once. '.repeat(4);
  await crawl.visit('http://a.example/1', { html: html('One', words), text: 'stored text' });
  const at = await crawl.visit('http://a.example/2', { html: html('Two', words) });
  await crawl.visit('http://a.example/2', {
    ...{ html: html('Two', words), outcome: { kind: 'unchanged' }, sameAs: { url: 'http://a.example/2', at } },
    facts: { about: { description: 'of the page', textLength: 1, words: 1 } },
  });
  using source = openTextSource(crawl.folder);
  const urls = ['http://a.example/2', 'http://a.example/3', 'http://a.example/1'];
  const [made, missing, stored] = await source.texts(urls.map((id) => ({ id })));
  assert.equal(stored, 'stored text');
  assert.match(made ?? '', /main content of a page/);
  assert.equal(missing, undefined);
  assert.equal(await source.description?.('http://a.example/2'), 'of the page');
});

test('every visited URL is listed once', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  const urls = Array.from({ length: 5 }, (_, n) => `http://a.example/${n}`);
  for (const url of [...urls, urls[0]]) await crawl.visit(url, { html: html(url, 'x') });
  using reader = new CrawlFolderReader(crawl.folder);
  assert.deepEqual([...reader.visitedUrls()].sort(), urls);
});
