import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { followCrawl } from '../../../../src/search/indexing/follow-crawl.ts';
import { DocumentStore } from '../../../../src/search/indexing/imports/document-store.ts';
import { importDocuments } from '../../../../src/search/indexing/imports/import-documents.ts';
import { workshopFolder } from '../../../../src/search/indexing/index-folder.ts';
import { hasOlderIndex } from '../../../../src/search/indexing/older-index.ts';
import { openIndexOf } from '../../../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../../../src/search/indexing/rebuild-index.ts';
import { renewOlderIndex } from '../../../../src/search/indexing/renew-older-index.ts';
import { startFollowing } from '../../../../src/search/indexing/start-following.ts';
import { openTextSource } from '../../../../src/search/indexing/text-source-of-folder.ts';
import { temporaryFolder } from '../../archive/archive-fixture.ts';
import { CrawledFolder, html } from './crawled-folder.ts';
import { giveOlderForm } from './older-form.ts';

test('a thread beside the crawl takes what is stored before and while it runs; its end leaves nothing out', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  await crawl.visit('http://a.example/1', { html: html('One', 'zebra'), text: 'zebra' });
  const following = startFollowing(crawl.folder);
  await crawl.visit('http://a.example/2', { html: html('Two', 'zebra'), text: 'zebra' });
  await following.stop('finish');
  assert.equal(following.fault, undefined);
  assert.deepEqual([following.documents, following.report?.total], [2, 2]);
});

test('a pause takes what was settled, and leaves the ranks to the run that goes on', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  await crawl.visit('http://a.example/1', { html: html('One', 'zebra <a href="/2">two</a>'), text: 'zebra' });
  const pause = new AbortController();
  // Time stands still, or on a busy machine that of the pause would be over before everything is taken.
  const clock: Clock = { ...systemClock, now: () => 0 };
  const following = followCrawl(crawl.folder, { mode: 'until-stopped', clock, pause: pause.signal });
  await crawl.visit('http://a.example/2', { html: html('Two', 'zebra'), text: 'zebra' });
  pause.abort();
  const { documents, total, caughtUp, analysed, refreshed: before, bytesWritten } = await following;
  assert.deepEqual([documents, total, caughtUp, analysed, before], [2, 2, true, 2, 0]);
  assert.ok(bytesWritten > 0);
  const { refreshed } = await followCrawl(crawl.folder, { mode: 'catch-up' });
  assert.equal(refreshed, 2);
});

test('a pause of the thread beside the crawl tells what was taken; the next run takes the rest', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  await crawl.visit('http://a.example/1', { html: html('One', 'zebra'), text: 'zebra' });
  const following = startFollowing(crawl.folder);
  await crawl.visit('http://a.example/2', { html: html('Two', 'zebra'), text: 'zebra' });
  await following.stop('pause');
  assert.equal(following.fault, undefined);
  const { documents, refreshed } = following.report!;
  assert.equal(refreshed, 0);
  const rest = await followCrawl(crawl.folder, { mode: 'catch-up' });
  assert.deepEqual([documents + rest.documents, rest.total, rest.caughtUp], [2, 2, true]);
});

test('a pause keeps what was taken when its time is over; the next run takes the rest', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  for (let page = 0; page < 5; page++)
    await crawl.visit(`http://a.example/${page}`, { html: html('Page', 'zebra'), text: 'zebra' });
  let now = 0;
  // Each look at the clock is one second later than the one before.
  const clock: Clock = { ...systemClock, now: () => (now += 1000) };
  const cut = await followCrawl(crawl.folder, { mode: 'until-stopped', clock, pause: AbortSignal.abort() });
  assert.equal(cut.caughtUp, false);
  assert.ok(cut.total < 5);
  const whole = await followCrawl(crawl.folder, { mode: 'catch-up' });
  assert.deepEqual([whole.documents, whole.total, whole.caughtUp], [5 - cut.documents, 5, true]);
});

test('an index of an older form is made anew before it is followed, with what was imported', async (t) => {
  for (const how of [{}, { shadowEveryMs: 1_000_000 }]) {
    await using crawl = await outdatedFolder(temporaryFolder(t));
    const following = startFollowing(crawl.folder, how);
    await crawl.visit('http://a.example/2', { html: html('Two', 'zebra'), text: 'zebra' });
    await following.stop('finish');
    assert.equal(following.fault, undefined);
    assert.deepEqual([following.report?.total, following.report?.caughtUp], [3, true]);
    assert.equal(hasOlderIndex(crawl.folder), false);
  }
});

test('a pause ends the making anew; the old index stays, and the next run makes it', async (t) => {
  await using crawl = await outdatedFolder(temporaryFolder(t));
  assert.equal(await renewOlderIndex(crawl.folder, systemClock, AbortSignal.abort()), 'paused');
  assert.equal(hasOlderIndex(crawl.folder), true);
  assert.ok(!existsSync(workshopFolder(crawl.folder)));
  const { signal } = new AbortController();
  assert.equal(await renewOlderIndex(crawl.folder, systemClock, signal), 'renewed');
  assert.equal(await renewOlderIndex(crawl.folder, systemClock, signal), 'current');
  assert.equal((await followCrawl(crawl.folder, { mode: 'catch-up' })).total, 2);
});

/** A crawled page and an imported document in an index that an earlier version wrote. */
async function outdatedFolder(folder: string): Promise<CrawledFolder> {
  const crawl = new CrawledFolder(folder);
  await crawl.visit('http://a.example/1', { html: html('One', 'zebra'), text: 'zebra' });
  {
    using store = new DocumentStore(folder);
    await using opened = await openIndexOf(folder);
    const documents = [{ id: 'imported', title: 'Imported', text: 'zebra' }];
    await importDocuments(documents, { index: opened.index, store, clock: systemClock });
  }
  await followCrawl(folder, { mode: 'catch-up' });
  giveOlderForm(folder);
  return crawl;
}

test('a fault of the thread is told and does not throw; another writer is such a fault', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  await using _other = await openIndexOf(crawl.folder);
  const following = startFollowing(crawl.folder);
  await following.stop('finish');
  assert.equal(following.fault?.code, 'FOLDER_IN_USE');
  assert.match(following.fault.message, /index/);
});

test('imported documents are found, replaced by id, shown with their text, and come back in a rebuild', async (t) => {
  const folder = temporaryFolder(t);
  const find = async (term: string): Promise<string[]> => {
    await using opened = await openIndexOf(folder);
    using snapshot = opened.index.snapshot();
    const { top } = snapshot.top({ kind: 'term', terms: [term] }, 10);
    return top.map(({ document }) => snapshot.document(document).id).sort();
  };
  const bring = async (...texts: (readonly [string, string])[]): Promise<void> => {
    using store = new DocumentStore(folder);
    await using opened = await openIndexOf(folder);
    const documents = texts.map(([id, text]) => ({ id, title: `title of ${id}`, text }));
    await importDocuments(documents, { index: opened.index, store, clock: systemClock });
  };
  await bring(['a', 'zebra'], ['b', 'zebra falcon']);
  await bring(['b', 'heron']);
  assert.deepEqual(await find('zebra'), ['a']);
  assert.deepEqual(await find('heron'), ['b']);
  using texts = openTextSource(folder);
  assert.deepEqual(await texts.texts([{ id: 'b' }, { id: 'c' }, { id: 'a' }]), ['heron', undefined, 'zebra']);
  assert.equal((await rebuildIndex(folder, systemClock)).documents, 2);
  assert.deepEqual([await find('zebra'), await find('heron'), await find('falcon')], [['a'], ['b'], []]);
});
