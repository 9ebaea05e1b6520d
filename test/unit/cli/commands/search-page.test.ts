import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { openSearchPage } from '../../../../src/cli/commands/search-page.ts';
import { DocumentStore } from '../../../../src/search/indexing/imports/document-store.ts';
import { importDocuments } from '../../../../src/search/indexing/imports/import-documents.ts';
import { openIndexOf } from '../../../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../../../src/search/indexing/rebuild-index.ts';
import { temporaryFolder } from '../../archive/archive-fixture.ts';
import { CrawledFolder, html } from '../../search/indexing/crawled-folder.ts';
import { giveOlderForm } from '../../search/indexing/older-form.ts';

const LOOPBACK = { port: '0', host: '127.0.0.1' };

async function get(url: string, path: string): Promise<{ readonly status: number; readonly body: string }> {
  const response = await fetch(new URL(path, url));
  return { status: response.status, body: await response.text() };
}

test('a folder with a crawl is served with its copies and its dashboard', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  const text = 'The zebra sleeps.';
  await crawl.visit('http://a.example/1', { html: html('One', text), text });
  // Without a stored text the body is read again.
  await crawl.visit('http://a.example/2', { html: html('Two', 'The heron sleeps beside a quiet river.') });
  await rebuildIndex(crawl.folder, systemClock);
  await using page = await openSearchPage({ dir: crawl.folder, ...LOOPBACK });
  assert.equal(page.watched, true);
  assert.match((await get(page.url, '/search?q=zebra')).body, /<mark>zebra<\/mark> sleeps/);
  assert.match((await get(page.url, '/search?q=heron')).body, /<mark>heron<\/mark> sleeps/);
  assert.equal((await get(page.url, '/dashboard.json')).status, 200);
  assert.equal((await get(page.url, '/cached?url=http%3A%2F%2Fa.example%2F1')).status, 200);
});

test('a folder of imported documents is served without a crawl behind it', async (t) => {
  const folder = temporaryFolder(t);
  {
    using store = new DocumentStore(folder);
    await using opened = await openIndexOf(folder);
    const documents = [{ id: 'a', title: 'One', text: 'The zebra sleeps.' }];
    await importDocuments(documents, { index: opened.index, store, clock: systemClock });
  }
  await using page = await openSearchPage({ dir: folder, ...LOOPBACK });
  assert.equal(page.watched, false);
  assert.match((await get(page.url, '/search?q=zebra')).body, /<mark>zebra<\/mark> sleeps/);
  assert.equal((await get(page.url, '/dashboard.json')).status, 404);
});

test('a crawl that has stored nothing yet has a dashboard, and a page that says so', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  await using page = await openSearchPage({ dir: crawl.folder, ...LOOPBACK, mayBeEmpty: true });
  assert.equal((await get(page.url, '/dashboard')).status, 200);
  assert.match((await get(page.url, '/')).body, /No page can be found yet/);
  const { status, body } = await get(page.url, '/search?q=zebra');
  assert.equal(status, 503);
  assert.match(body, /the crawl has only begun/);
  await crawl.visit('http://a.example/1', { html: html('One', 'The zebra sleeps.'), text: 'The zebra sleeps.' });
  await rebuildIndex(crawl.folder, systemClock);
  assert.match((await get(page.url, '/search?q=zebra')).body, /<mark>zebra<\/mark> sleeps/);
});

test('an index of an older form is said to be one, with the command that makes it anew, until it is made', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  await crawl.visit('http://a.example/1', { html: html('One', 'The zebra sleeps.'), text: 'The zebra sleeps.' });
  await rebuildIndex(crawl.folder, systemClock);
  giveOlderForm(crawl.folder);
  await assert.rejects(openSearchPage({ dir: crawl.folder, ...LOOPBACK }), { code: 'INDEX_OUTDATED' });
  await using page = await openSearchPage({ dir: crawl.folder, ...LOOPBACK, mayBeEmpty: true });
  for (const path of ['/', '/search?q=zebra', '/api/search?q=zebra']) {
    const { status, body } = await get(page.url, path);
    assert.equal(status, 503);
    assert.match(body, /older form.*orbweaver index --rebuild/);
  }
  assert.equal((await get(page.url, '/dashboard')).status, 200);
  await rebuildIndex(crawl.folder, systemClock);
  assert.match((await get(page.url, '/search?q=zebra')).body, /<mark>zebra<\/mark> sleeps/);
});
