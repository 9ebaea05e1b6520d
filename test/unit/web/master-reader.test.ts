import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { followCrawl } from '../../../src/search/indexing/follow-crawl.ts';
import { feedMaster } from '../../../src/search/indexing/master/feed-master.ts';
import { openSearchThreads } from '../../../src/search/threads/search-threads.ts';
import { MasterReader } from '../../../src/web/master-reader.ts';
import { CrawledFolder, html } from '../search/indexing/crawled-folder.ts';
import { serve } from './serving.ts';

const SHARED = 'http://shared.example/';

async function crawled(folder: string, pages: readonly (readonly [url: string, words: string])[]): Promise<void> {
  {
    await using crawl = new CrawledFolder(folder);
    for (const [url, words] of pages) await crawl.visit(url, { html: html('Spider page', words), text: words });
  }
  await followCrawl(folder, { mode: 'catch-up' });
}

async function fedMaster(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'orbweaver-copies-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [a, b, master] = ['a', 'b', 'master'].map((name) => join(root, name));
  await crawled(a, [
    [SHARED, 'early words of the shared page'],
    ['http://a.example/', 'words of the first folder'],
  ]);
  // Each visit is a second after the one before: this one comes later.
  await crawled(b, [
    ['http://b.example/', 'words of the second folder'],
    ['http://b.example/more', 'more words of the second folder'],
    [SHARED, 'late words of the shared page'],
  ]);
  assert.equal((await feedMaster(master, [a, b])).documents, 4);
  return { a, b, master };
}

test('copies and snippets of a master index come from the folder with the latest visit', async (t) => {
  const { master } = await fedMaster(t);
  using reader = new MasterReader(master);
  await using search = await openSearchThreads(master, { threads: 1 });
  await using served = await serve({ reader, search });
  const { hits } = await search.search({ query: 'shared', unfolded: true });
  assert.deepEqual(
    hits.map(({ id, snippet }) => [id, snippet.map(({ text }) => text).join('')]),
    [[SHARED, 'late words of the shared page']],
  );
  const page = await served.get('/search?q=spider');
  assert.equal(page.status, 200);
  assert.match(page.text, /\/cached\?url=/);
  const copy = async (url: string): Promise<string> =>
    (await served.get(`/cached?url=${encodeURIComponent(url)}&as=text`)).text;
  assert.match(await copy(SHARED), /late words/);
  assert.match(await copy('http://a.example/'), /of the first folder/);
  assert.match(await copy('http://b.example/'), /of the second folder/);
  const versions = await served.get(`/versions?url=${encodeURIComponent(SHARED)}`);
  assert.equal(versions.status, 200);
  assert.equal((await served.get('/cached?url=http://nobody.example/')).status, 404);
  assert.deepEqual(served.faults, []);
});

test('where a folder is gone its documents are found all the same, and /cached says where the copies lie', async (t) => {
  const { a, master } = await fedMaster(t);
  renameSync(a, `${a}-gone`);
  using reader = new MasterReader(master);
  await using search = await openSearchThreads(master, { threads: 1 });
  await using served = await serve({ reader, search });
  const { hits } = await search.search({ query: 'first folder', unfolded: true });
  assert.equal(hits[0].id, 'http://a.example/');
  const { status, text } = await served.get('/cached?url=http://a.example/');
  assert.equal(status, 404);
  assert.match(text, /master index, and copies lie in the folders that it is fed from/);
  assert.ok(text.includes(a), text);
  assert.match((await served.get(`/cached?url=${encodeURIComponent(SHARED)}&as=text`)).text, /late words/);
});
