import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import type { IndexSnapshot, SearchIndex } from '../../../../src/contracts/search-index.ts';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';
import { FIELDS } from '../../../../src/index/fields.ts';
import { ArchiveFollower } from '../../../../src/search/indexing/archive-follower.ts';
import { formerLinksFolder, workshopFolder } from '../../../../src/search/indexing/index-folder.ts';
import { hasOlderIndex } from '../../../../src/search/indexing/older-index.ts';
import { openIndexOf } from '../../../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../../../src/search/indexing/rebuild-index.ts';
import { openSearcher } from '../../../../src/search/open-searcher.ts';
import { temporaryFolder } from '../../archive/archive-fixture.ts';
import { CrawledFolder, html } from './crawled-folder.ts';
import { giveOlderForm } from './older-form.ts';

const A = 'http://a.example/a';
const B = 'http://a.example/b';
const C = 'http://c.example/c';

/** Follows up to here with stores opened for the purpose: what is not durable would be missed. */
async function followed(folder: string, work: (follower: ArchiveFollower, index: SearchIndex) => Promise<void>) {
  await using opened = await openIndexOf(folder);
  using links = new SqliteLinkStore(folder);
  using follower = new ArchiveFollower({ folder, index: opened.index, links, clock: systemClock });
  await work(follower, opened.index);
}

async function indexOf<T>(folder: string, look: (snapshot: IndexSnapshot) => T): Promise<T> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  return look(snapshot);
}

function idsWith(snapshot: IndexSnapshot, term: string): string[] {
  const { top } = snapshot.top({ kind: 'term', terms: [term] }, 100);
  return top.map(({ document }) => snapshot.document(document).id).sort();
}

async function catchUp(folder: string): Promise<number> {
  let documents = 0;
  await followed(folder, async (follower) => {
    for (;;) {
      const step = await follower.step(2);
      documents += step.documents;
      if (step.caughtUp) return;
    }
  });
  return documents;
}

function crawled(t: TestContext): CrawledFolder {
  return new CrawledFolder(temporaryFolder(t));
}

test('stored pages are found by title, heading, text and the anchors of others; a second run repeats nothing', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(A, { html: html('Alpha', 'zebra', [[B, 'falcon']]), text: 'zebra' });
  await crawl.visit(B, { html: html('Beta', 'yak'), text: 'yak' });
  assert.equal(await catchUp(crawl.folder), 2);
  await indexOf(crawl.folder, (snapshot) => {
    assert.equal(snapshot.documents, 2);
    assert.deepEqual(idsWith(snapshot, 'alpha'), [A]);
    assert.deepEqual(idsWith(snapshot, 'zebra'), [A]);
    assert.deepEqual(idsWith(snapshot, 'head'), [A, B]);
    const stored = snapshot.document(snapshot.find(A)!);
    assert.deepEqual(
      [stored.facts.host, stored.facts.mediaType, stored.facts.language],
      ['a.example', 'text/html', 'en'],
    );
  });
  assert.equal(await catchUp(crawl.folder), 0);
});

test('what is not settled, not a page, noindex, gone or a copy is not indexed; the rest goes on', async (t) => {
  await using crawl = crawled(t);
  await crawl.archive('http://a.example/robots.txt', { html: 'User-agent: *', mediaType: 'text/plain' });
  await crawl.visit(A, { html: html('Alpha', 'zebra'), text: 'zebra' });
  await crawl.visit('http://a.example/n', { html: html('No', 'zebra'), text: 'zebra', facts: { noindex: true } });
  await crawl.visit('http://a.example/g', { html: 'zebra', status: 404, outcome: { kind: 'gone', status: 404 } });
  await crawl.visit('http://a.example/soft', {
    ...{ html: html('x', 'zebra'), text: 'zebra' },
    outcome: { kind: 'gone', status: 200, soft: 'as for a page that cannot exist' },
  });
  await crawl.visit('http://a.example/copy', {
    ...{ html: html('Alpha', 'zebra'), text: 'zebra', outcome: { kind: 'duplicate', of: A as never } },
  });
  await crawl.visit('http://a.example/list.xml', { html: '<urlset/>', mediaType: 'application/xml' });
  await crawl.archive('http://a.example/late', { html: html('Late', 'zebra'), text: 'zebra' });
  await catchUp(crawl.folder);
  assert.deepEqual(await indexOf(crawl.folder, (snapshot) => idsWith(snapshot, 'zebra')), [A]);
  assert.equal(await indexOf(crawl.folder, (snapshot) => snapshot.documents), 1);
});

test('a later visit replaces, and one that finds the page gone removes', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(A, { html: html('Alpha', 'zebra'), text: 'zebra' });
  await crawl.visit(B, { html: html('Beta', 'zebra'), text: 'zebra' });
  await catchUp(crawl.folder);
  await crawl.visit(A, { html: html('Alpha', 'heron'), text: 'heron' });
  await crawl.visit(B, { html: 'not here', status: 410, outcome: { kind: 'gone', status: 410 } });
  await catchUp(crawl.folder);
  await indexOf(crawl.folder, (snapshot) => {
    assert.deepEqual(idsWith(snapshot, 'zebra'), []);
    assert.deepEqual(idsWith(snapshot, 'heron'), [A]);
    assert.equal(snapshot.documents, 1);
  });
});

test('an unchanged page stays, and is found again after a rebuild although only a revisit record speaks of it', async (t) => {
  await using crawl = crawled(t);
  const page = { html: html('Alpha', 'zebra '.repeat(50)) };
  const at = await crawl.visit(A, page);
  await crawl.visit(A, { ...page, outcome: { kind: 'unchanged' }, sameAs: { url: A, at } });
  await catchUp(crawl.folder);
  assert.deepEqual(await indexOf(crawl.folder, (snapshot) => idsWith(snapshot, 'zebra')), [A]);
  await rebuildIndex(crawl.folder, systemClock);
  assert.deepEqual(await indexOf(crawl.folder, (snapshot) => idsWith(snapshot, 'zebra')), [A]);
});

test('anchors that came after the page was indexed count at the end, also those of copies and redirects', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(A, { html: html('Alpha', 'zebra'), text: 'zebra' });
  await catchUp(crawl.folder);
  await crawl.visit(B, {
    html: html('Beta', 'yak', [
      [A, 'falcon'],
      [C, 'ostrich'],
    ]),
    text: 'yak',
  });
  await crawl.visit(C, { html: '', status: 301, outcome: { kind: 'redirected', to: A } });
  await followed(crawl.folder, async (follower) => {
    await follower.finish();
  });
  await indexOf(crawl.folder, (snapshot) => {
    assert.deepEqual(idsWith(snapshot, 'falcon'), [A]);
    assert.deepEqual(idsWith(snapshot, 'ostrich'), [A]);
    assert.ok(snapshot.document(snapshot.find(A)!).facts.rank > snapshot.document(snapshot.find(B)!).facts.rank);
  });
});

test('a page that was refused or marked noindex without a new record is removed at the end', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(A, { html: html('Alpha', 'zebra'), text: 'zebra' });
  await catchUp(crawl.folder);
  crawl.settle(A, { outcome: { kind: 'refused', by: 'robots', rule: 'Disallow: /' } }, undefined, Date.now());
  await followed(crawl.folder, async (follower) => {
    assert.equal(await follower.finish(), 1);
  });
  assert.equal(await indexOf(crawl.folder, (snapshot) => snapshot.documents), 0);
});

test('files of several writers are followed side by side, each from its own place', async (t) => {
  await using crawl = crawled(t);
  for (let n = 0; n < 6; n++) {
    const page = { html: html(`Page ${n}`, `zebra word${n}x`), text: `zebra word${n}x`, writer: `w${n % 2}` };
    await crawl.visit(`http://a.example/${n}`, page);
    if (n % 3 === 2) await catchUp(crawl.folder);
  }
  await indexOf(crawl.folder, (snapshot) => {
    assert.equal(idsWith(snapshot, 'zebra').length, 6);
    for (let n = 0; n < 6; n++) assert.deepEqual(idsWith(snapshot, `word${n}x`), [`http://a.example/${n}`]);
  });
});

test('a follower that ends between the commit of the links and that of the index takes the same again', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(A, { html: html('Alpha', 'zebra', [[B, 'falcon']]), text: 'zebra' });
  await crawl.visit(B, { html: html('Beta', 'yak'), text: 'yak' });
  await assert.rejects(
    followed(crawl.folder, async (follower, index) => {
      index.commit = async () => {
        throw new Error('the power is off');
      };
      await follower.step(10);
    }),
  );
  assert.equal(await indexOf(crawl.folder, (snapshot) => snapshot.documents), 0);
  await followed(crawl.folder, async (follower) => {
    await follower.finish();
  });
  using links = new SqliteLinkStore(crawl.folder, { readOnly: true });
  assert.deepEqual(
    links.anchorsFor(B, 10).map(({ text }) => text),
    ['falcon'],
  );
  assert.deepEqual(await indexOf(crawl.folder, (snapshot) => idsWith(snapshot, 'falcon')), [B]);
});

test('a rebuild gives what following gave: the same documents with the same fields, and the same scores', async (t) => {
  await using crawl = crawled(t);
  for (let n = 0; n < 12; n++) {
    const links = [3, 5, 7].map((step) => [`http://a.example/${(n * step) % 12}`, `name${(n * step) % 12}x`] as const);
    await crawl.visit(`http://a.example/${n}`, { html: html(`Page ${n}`, `word${n}x`, links), text: `word${n}x` });
    // Most links to a page come after it was indexed.
    if (n % 3 === 1) await catchUp(crawl.folder);
  }
  await crawl.visit('http://a.example/3', { status: 404, html: 'no', outcome: { kind: 'gone', status: 404 } });
  const described = (snapshot: IndexSnapshot) =>
    Array.from({ length: 12 }, (_, n) => snapshot.find(`http://a.example/${n}`)).map((number) => {
      if (number === undefined) return undefined;
      const { id, title, lengths, facts } = snapshot.document(number);
      return { id, title, lengths, anchors: lengths[FIELDS.indexOf('anchors')] > 0, rank: facts.rank };
    });
  const scores = (snapshot: IndexSnapshot) =>
    ['page', 'word5x', 'name7x', 'name1x'].map((term) =>
      snapshot
        .top({ kind: 'term', terms: [term] }, 20)
        .top.map(({ document, score }) => [snapshot.document(document).id, score] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  await followed(crawl.folder, async (follower) => {
    await follower.finish();
  });
  const before = await indexOf(crawl.folder, described);
  const scored = await indexOf(crawl.folder, scores);
  assert.equal(before[3], undefined);
  assert.equal((await rebuildIndex(crawl.folder, systemClock)).documents, 11);
  assert.deepEqual(await indexOf(crawl.folder, described), before);
  assert.deepEqual(await indexOf(crawl.folder, scores), scored);
  assert.equal(await catchUp(crawl.folder), 0, 'the place is part of the rebuilt index');
});

test('each page is analysed once, whatever is said of it later', async (t) => {
  await using crawl = crawled(t);
  const url = (n: number): string => `http://a.example/${n}`;
  await followed(crawl.folder, async (follower, index) => {
    for (let n = 0; n < 60; n++) {
      const links = [1, 7, 20].map((step) => [url((n + step) % 60), `name${(n + step) % 60}x`] as const);
      await crawl.visit(url(n), { html: html(`Page ${n}`, `word${n}x`, links), text: `word${n}x` });
      if (n % 2 === 1) await follower.step(2);
    }
    await follower.finish();
    assert.equal(index.work.analysed, 60);
    assert.equal(await follower.finish(), 0);
  });
  const scored = (snapshot: IndexSnapshot) =>
    ['page', 'name0x', 'name31x', 'word59x'].map((term) =>
      snapshot
        .top({ kind: 'term', terms: [term] }, 100)
        .top.map(({ document, score }) => `${snapshot.document(document).id} ${score}`)
        .sort(),
    );
  const before = await indexOf(crawl.folder, scored);
  assert.deepEqual(
    before.map((found) => found.length),
    [60, 1, 1, 1],
  );
  await rebuildIndex(crawl.folder, systemClock);
  assert.deepEqual(await indexOf(crawl.folder, scored), before);
});

test('whichever spelling of an anchor comes first, a rebuild gives the same', async (t) => {
  await using crawl = crawled(t);
  // The second file is read after the first by a rebuild; followed, its visit came first.
  await crawl.visit(B, { html: html('Beta', ''), text: 'yak', writer: 'w0' });
  await crawl.visit(C, { html: html('Gamma', '', [[B, 'openWindow']]), text: 'gnu', writer: 'w1' });
  await followed(crawl.folder, async (follower) => {
    await follower.finish();
  });
  await crawl.visit(A, { html: html('Alpha', '', [[B, 'openwindow']]), text: 'zebra', writer: 'w0' });
  const window = (snapshot: IndexSnapshot) => ['window', 'openwindow'].map((term) => idsWith(snapshot, term));
  await followed(crawl.folder, async (follower) => {
    await follower.finish();
  });
  const followedWindow = await indexOf(crawl.folder, window);
  assert.deepEqual(followedWindow[0], [B]);
  await rebuildIndex(crawl.folder, systemClock);
  assert.deepEqual(await indexOf(crawl.folder, window), followedWindow);
});

test('what a page has stopped saying of another leads there no longer', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(A, { html: html('Alpha', '', [[B, 'falcon']]), text: 'zebra' });
  await crawl.visit(B, { html: html('Beta', ''), text: 'yak' });
  await crawl.visit(C, { html: html('Gamma', '', [[A, 'heron']]), text: 'gnu' });
  await catchUp(crawl.folder);
  await crawl.visit(A, { html: html('Alpha', '', [[B, 'osprey']]), text: 'zebra' });
  await crawl.visit(C, { status: 410, outcome: { kind: 'gone', status: 410 } });
  await followed(crawl.folder, async (follower) => {
    await follower.finish();
  });
  await indexOf(crawl.folder, (snapshot) => {
    assert.deepEqual(idsWith(snapshot, 'falcon'), []);
    assert.deepEqual(idsWith(snapshot, 'osprey'), [B]);
    assert.deepEqual(idsWith(snapshot, 'heron'), []);
  });
});

test('what is said of a redirect counts for its target, and no longer when it is a page again', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(C, { html: html('Gamma', '', [[A, 'heron']]), text: 'gnu' });
  await crawl.visit(B, { html: html('Beta', ''), text: 'yak' });
  await crawl.visit(A, { status: 301, outcome: { kind: 'redirected', to: B } });
  const finish = () =>
    followed(crawl.folder, async (follower) => {
      await follower.finish();
    });
  await finish();
  await indexOf(crawl.folder, (snapshot) => assert.deepEqual(idsWith(snapshot, 'heron'), [B]));
  await crawl.visit(A, { html: html('Alpha', ''), text: 'zebra' });
  await finish();
  await indexOf(crawl.folder, (snapshot) => assert.deepEqual(idsWith(snapshot, 'heron'), [A]));
});

test('an index of an older form is told from others, and a rebuild takes its place', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(A, { html: html('Alpha', ''), text: 'zebra' });
  assert.equal(hasOlderIndex(crawl.folder), false);
  await catchUp(crawl.folder);
  assert.equal(hasOlderIndex(crawl.folder), false);
  giveOlderForm(crawl.folder, 5);
  assert.equal(hasOlderIndex(crawl.folder), false, 'read as it is');
  for (const form of [6, 1]) {
    giveOlderForm(crawl.folder, form);
    assert.equal(hasOlderIndex(crawl.folder), true, `form ${form}`);
  }
  const remedy = /index --rebuild/;
  const isOlder = (error: unknown) =>
    error instanceof OrbweaverError && error.code === 'INDEX_OUTDATED' && remedy.test(error.remedy ?? '');
  await assert.rejects(openIndexOf(crawl.folder), isOlder);
  await assert.rejects(openSearcher(crawl.folder), isOlder);
  assert.equal((await rebuildIndex(crawl.folder, systemClock)).documents, 1);
  assert.equal(hasOlderIndex(crawl.folder), false);
  await indexOf(crawl.folder, (snapshot) => assert.deepEqual(idsWith(snapshot, 'zebra'), [A]));
});

test('a rebuild that was cut off leaves nothing lying about', async (t) => {
  await using crawl = crawled(t);
  await crawl.visit(A, { html: html('Alpha', ''), text: 'zebra' });
  await catchUp(crawl.folder);
  mkdirSync(join(workshopFolder(crawl.folder), 'index'), { recursive: true });
  mkdirSync(formerLinksFolder(crawl.folder));
  await catchUp(crawl.folder);
  assert.ok(!existsSync(workshopFolder(crawl.folder)) && !existsSync(formerLinksFolder(crawl.folder)));
});
