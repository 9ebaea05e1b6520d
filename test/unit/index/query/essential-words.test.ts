import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, mock, test } from 'node:test';
import fc from 'fast-check';
import type { IndexedDocument, IndexSnapshot, QueryNode } from '../../../../src/contracts/search-index.ts';
import { EssentialWords } from '../../../../src/index/query/essential-words.ts';
import { openSegmentIndex, type SegmentIndex } from '../../../../src/index/segment-index.ts';
import { indexedDocument } from '../../../conformance/search-index-suite.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { analyzeWords, bruteForceScores, WORDS_ALONE } from '../brute-force-scores.ts';

const DOCUMENTS = 3000;
const LENGTH = 90;
const WORDS = 400;
const WANTED = 10;

/** Few wanted, nothing counted: as much as possible is passed over. */
const ranking = { ...WORDS_ALONE, candidates: WANTED, countedPostings: 0 };

/** From a word that is in every document some twenty times to those that are in two of a hundred. */
const nameOf = (value: number): string => `w${Math.floor(WORDS * value ** 4)}`;

const word = fc.nat(9999).map((n) => `w${Math.floor(WORDS ** (n / 10_000)) - 1}`);
const term = word.map((name): QueryNode => ({ kind: 'term', terms: [name] }));
const rare = fc.integer({ min: WORDS / 2, max: WORDS - 1 }).map((n): QueryNode => ({ kind: 'term', terms: [`w${n}`] }));
const union = fc.tuple(word, word).map((terms): QueryNode => ({ kind: 'term', terms }));
const phrase = fc
  .array(word, { minLength: 2, maxLength: 3 })
  .map((terms): QueryNode => ({ kind: 'phrase', terms, offsets: terms.map((_, at) => at) }));
const nodes = fc.array(
  fc.oneof({ weight: 8, arbitrary: term }, { weight: 1, arbitrary: union }, { weight: 1, arbitrary: phrase }),
  { minLength: 2, maxLength: 5 },
);
const queries: fc.Arbitrary<QueryNode> = fc.oneof(
  // Of equals none is essential by itself.
  fc.array(rare, { minLength: 2, maxLength: 4 }).map((words): QueryNode => ({ kind: 'or', nodes: words })),
  fc.record({ kind: fc.constant('or' as const), nodes, least: fc.constantFrom(1, 1, 1, 2) }),
  fc.record({ kind: fc.constant('and' as const), nodes }),
);

function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

describe('common and rare words together', () => {
  const folder = mkdtempSync(join(tmpdir(), 'essential-words-'));
  const documents: IndexedDocument[] = [];
  let index: SegmentIndex;
  let snapshot: IndexSnapshot;

  before(async () => {
    const random = numbersFrom(3);
    index = await openSegmentIndex({ folder, analyze: analyzeWords, ranking });
    for (let at = 0; at < DOCUMENTS; at++) {
      const words = Array.from({ length: LENGTH }, () => nameOf(random()));
      const document = indexedDocument(`${at}`, { body: words.join(' '), title: random() < 0.1 ? words[0] : '' });
      documents.push(document);
      index.add(document);
      if (at === DOCUMENTS / 2) await index.commit();
    }
    await index.commit();
    snapshot = index.snapshot();
  });

  after(async () => {
    snapshot[Symbol.dispose]();
    await index[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('have the best that are found where nothing is passed over, with the same scores to the last bit', () => {
    const led = mock.method(EssentialWords.prototype, 'read');
    fc.assert(
      fc.property(queries, (query) => {
        // With room for all there is no threshold.
        const all = snapshot.top(query, DOCUMENTS).top;
        const best = snapshot.top(query, WANTED);
        assert.deepEqual(best.top, all.slice(0, WANTED));
        if (best.exact) assert.equal(best.total, all.length);
      }),
      { numRuns: propertyRuns(150) },
    );
    assert.ok(led.mock.callCount() > 0);
    led.mock.restore();
  });

  test('as a phrase have the documents of a plain reading, counted or not, the first time and later', async () => {
    await using counting = await openSegmentIndex({
      folder,
      analyze: analyzeWords,
      readOnly: true,
      ranking: { ...ranking, countedPostings: 1e9 },
    });
    using counted = counting.snapshot();
    fc.assert(
      fc.property(phrase, (query) => {
        const expected = bruteForceScores(documents, query, ranking, analyzeWords);
        for (let time = 0; time < 2; time++) {
          const exact = counted.top(query, DOCUMENTS);
          assert.deepEqual([exact.total, exact.exact], [expected.size, true]);
          for (const { document, score } of exact.top)
            assert.ok(Math.abs(score - (expected.get(counted.document(document).id) ?? 0)) < 1e-9);
          const best = snapshot.top(query, WANTED);
          assert.deepEqual(best.top, exact.top.slice(0, WANTED));
          assert.deepEqual(counted.top(query, WANTED), { top: best.top, total: expected.size, exact: true });
        }
      }),
      { numRuns: propertyRuns(12) },
    );
  });

  test('are counted to the last where each is asked for', async () => {
    await using counting = await openSegmentIndex({
      folder,
      analyze: analyzeWords,
      readOnly: true,
      ranking: { ...ranking, countedPostings: 1e9 },
    });
    using counted = counting.snapshot();
    fc.assert(
      fc.property(nodes, (required) => {
        const query: QueryNode = { kind: 'and', nodes: required };
        const { total, exact } = counted.top(query, WANTED);
        assert.deepEqual([total, exact], [snapshot.top(query, DOCUMENTS).top.length, true]);
      }),
      { numRuns: propertyRuns(80) },
    );
  });
});
