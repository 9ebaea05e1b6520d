import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../src/index/segment-index.ts';
import { documentLanguages } from '../../../src/search/document-languages.ts';
import { temporaryFolder } from '../archive/archive-fixture.ts';

/** How many documents of each language, and how often links lead to them. */
const LANGUAGES = [
  ['en', 560, 0.9],
  ['de', 20, 0],
  ['', 30, 0],
  ['fr', 8, 1],
] as const;

const documents = LANGUAGES.flatMap(([language, count, rank]) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: `https://a.example/${language}${n}`, title: 'A', headings: '', body: 'a', description: '', anchors: [] },
    facts: {
      ...{ host: 'a.example', mediaType: 'text/html', language, date: 0, fetchedAt: 0, cluster: 0, spam: 0, rank },
    },
  })),
);

test('the languages of an index depend neither on ranks nor on the order of its documents or segments', async (t) => {
  for (const [order, commitEvery] of [
    [documents, 1000],
    [documents.toReversed(), 1000],
    [documents, 100],
  ] as const) {
    const options = { folder: temporaryFolder(t), analyze: createAnalyzer().analyze };
    await using index = await openSegmentIndex(options);
    for (const [at, document] of order.entries()) {
      index.add(document);
      if (at % commitEvery === commitEvery - 1) await index.commit();
    }
    await index.commit();
    using snapshot = index.snapshot();
    // French is of fewer documents than one in fifty, German of more.
    assert.deepEqual(documentLanguages(snapshot), ['en', 'de']);
  }
});

test('an index without documents has no language', async (t) => {
  await using index = await openSegmentIndex({ folder: temporaryFolder(t), analyze: createAnalyzer().analyze });
  using snapshot = index.snapshot();
  assert.deepEqual(documentLanguages(snapshot), []);
});
