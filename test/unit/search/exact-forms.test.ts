import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { IndexedDocument } from '../../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../src/index/segment-index.ts';
import { openSearcher } from '../../../src/search/open-searcher.ts';
import type { TextSource } from '../../../src/search/text-source.ts';
import { indexedDocument } from '../../conformance/search-index-suite.ts';
import { temporaryFolder } from '../archive/archive-fixture.ts';

async function searcherOf(t: TestContext, documents: readonly IndexedDocument[]) {
  const folder = temporaryFolder(t);
  await using index = await openSegmentIndex({ folder: join(folder, 'index'), analyze: createAnalyzer().analyze });
  for (const document of documents) index.add(document);
  await index.commit();
  const texts: TextSource = {
    texts: async (copies) => copies.map(({ id }) => documents.find((document) => document.id === id)?.body),
  };
  const searcher = await openSearcher(folder, { texts, now: () => 0 });
  t.after(() => searcher[Symbol.asyncDispose]());
  return async (query: string) => {
    const { hits, total } = await searcher.search({ query, unfolded: true, exactWords: true });
    const marked = hits.flatMap(({ snippet }) => snippet.filter(({ match }) => match).map(({ text }) => text));
    return { ids: hits.map(({ id }) => id), total, marked };
  };
}

/** One page for each form, alike but for it. */
const bodies = (...forms: string[]): IndexedDocument[] =>
  forms.map((form) => indexedDocument(form, { body: `This page is about ${form} in a list.` }));

test('a word alone is found in its own forms, not in others of its root', async (t) => {
  const find = await searcherOf(t, bodies('comprehensive', 'comprehensions', 'comprehension', 'subscriptions'));
  const { ids, total, marked } = await find('comprehension');
  assert.deepEqual(ids, ['comprehension', 'comprehensions']);
  assert.equal(total, 2);
  assert.deepEqual(marked.sort(), ['comprehension', 'comprehensions']);
});

test('where no document has the word, those of its root stand in for it', async (t) => {
  const find = await searcherOf(t, bodies('comprehensive', 'subscriptions'));
  const { ids, marked } = await find('subscriptable');
  assert.deepEqual([ids, marked], [['subscriptions'], ['subscriptions']]);
});

test('an excluded word excludes what the word alone finds, not others of its root', async (t) => {
  const find = await searcherOf(t, bodies('comprehensive', 'comprehensions', 'comprehension', 'lists'));
  const left = ['comprehensive', 'lists'];
  for (const query of ['page -comprehension', 'page list -comprehension', 'page -(comprehension OR zebra)'])
    assert.deepEqual((await find(query)).ids.sort(), left, query);
  assert.deepEqual((await find('lang:en -comprehension')).ids.sort(), left);
  assert.deepEqual((await find('page -comprehensive')).ids.sort(), ['comprehension', 'comprehensions', 'lists']);
  assert.deepEqual((await find('page -"comprehension"')).ids.sort(), ['comprehensions', 'comprehensive', 'lists']);
});

test('of pages alike but for the form of a word the one with the form asked for comes first', async (t) => {
  const forms = ['index', 'indexes', 'indexing', 'indexed'];
  const find = await searcherOf(t, bodies(...forms));
  for (const form of forms) {
    assert.equal((await find(form)).ids[0], form);
    assert.equal((await find(`${form} list`)).ids[0], form);
    assert.equal(
      (await find(`is this long question about ${form} the one that lists every page about it`)).ids[0],
      form,
    );
  }
});

test('a title with the word as typed comes before one with another form of it', async (t) => {
  const page = (id: string, title: string) =>
    indexedDocument(id, { title, body: 'An index of indexes, and how to make them.' });
  const find = await searcherOf(t, [page('1', 'Index'), page('2', 'Indexes'), page('3', 'Index')]);
  assert.equal((await find('indexes')).ids[0], '2');
  assert.equal((await find('index')).ids[2], '2');
});

test('in other languages, too', async (t) => {
  const facts = { ...indexedDocument('').facts, language: 'de' };
  const find = await searcherOf(
    t,
    bodies('Kind', 'Kinder', 'Kindern').map((document) => ({ ...document, facts })),
  );
  for (const form of ['Kind', 'Kinder', 'Kindern']) assert.equal((await find(form)).ids[0], form);
});

test('a quoted word is found as it is; other forms follow only where there is none', async (t) => {
  const find = await searcherOf(t, bodies('index', 'indexes', 'crawling'));
  const { ids, marked } = await find('"indexes"');
  assert.deepEqual([ids, marked], [['indexes'], ['indexes']]);
  assert.deepEqual((await find('list -"indexes"')).ids, ['index', 'crawling']);
  const given = await find('"crawled"');
  assert.deepEqual([given.ids, given.marked], [['crawling'], ['crawling']]);
});

test('a quoted phrase is found in other forms as well, but first as typed', async (t) => {
  const find = await searcherOf(t, bodies('a polite crawler', 'polite crawlers'));
  assert.deepEqual((await find('"polite crawlers"')).ids, ['polite crawlers', 'a polite crawler']);
  assert.deepEqual((await find('"polite crawler"')).ids, ['a polite crawler', 'polite crawlers']);
});
