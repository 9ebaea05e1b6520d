import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { IndexedDocument } from '../../../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../../src/index/segment-index.ts';
import { openSearcher } from '../../../../src/search/open-searcher.ts';
import type { Searcher } from '../../../../src/search/searcher.ts';

const SENTENCES = [
  'VACUUM reclaims storage and ANALYZE collects statistics.',
  'A dictionary comprehension builds a dictionary in one expression.',
  'The silk of a spider is stronger than steel.',
  'Adobe Flash plays videos in old browsers.',
];

/** Three documents of each sentence; one has a rare word. */
const DOCUMENTS = SENTENCES.flatMap((sentence, at) =>
  [1, 2, 3].map((copy): IndexedDocument => {
    const id = `https://site${copy}.example/${at}`;
    const facts = { mediaType: 'text/html', language: 'en', date: 0, fetchedAt: 0, cluster: 0, spam: 0, rank: 0 };
    const body = copy === 1 && at === 0 ? `${sentence} Hummingbird.` : sentence;
    return {
      id,
      title: `Page ${at}`,
      headings: '',
      body,
      description: '',
      anchors: [],
      facts: { host: 'x', ...facts },
    };
  }),
);

describe('spelling', () => {
  let folder = '';
  let searcher: Searcher;
  const texts = new Map(DOCUMENTS.map(({ id, body }) => [id, body]));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spelling-'));
    await using index = await openSegmentIndex({ folder: join(folder, 'index'), analyze: createAnalyzer().analyze });
    for (const document of DOCUMENTS) index.add(document);
    await index.commit();
    searcher = await openSearcher(folder, {
      texts: { texts: async (copies) => copies.map(({ id }) => texts.get(id)) },
      now: () => 0,
    });
  });

  after(async () => {
    await searcher[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('runs corrections that are beyond doubt', async () => {
    for (const [typed, meant] of [
      ['vacum analyze', 'vacuum analyze'],
      ['dictionary comprehention', 'dictionary comprehension'],
      ['spidder silkk', 'spider silk'],
      ['vacuum -steel statisitcs', 'vacuum -steel statistics'],
    ] as const) {
      const answer = await searcher.search({ query: typed });
      assert.equal(answer.query, typed);
      assert.equal(answer.correctedQuery, meant);
      assert.equal(answer.suggestion, undefined);
      assert.equal(answer.dropped, undefined);
      const { hits, total } = await searcher.search({ query: meant });
      assert.deepEqual(answer.hits, hits, meant);
      assert.equal(answer.total, total);
    }
  });

  it('suggests the same correction where the words are wanted as typed', async () => {
    const { correctedQuery, suggestion, dropped } = await searcher.search({ query: 'vacum analyze', exactWords: true });
    assert.equal(correctedQuery, undefined);
    assert.equal(suggestion, 'vacuum analyze');
    assert.deepEqual(dropped, ['vacum']);
  });

  it('only suggests where another word may be meant: short words, rare corrections, another first letter', async () => {
    for (const [typed, meant] of [
      ['flask browsers', 'flash browsers'],
      ['hummingbrid', 'hummingbird'],
      ['victionary', 'dictionary'],
    ] as const) {
      const { correctedQuery, suggestion } = await searcher.search({ query: typed });
      assert.equal(correctedQuery, undefined, typed);
      assert.equal(suggestion, meant);
    }
  });
});
