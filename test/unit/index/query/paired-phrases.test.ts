import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { IndexedDocument, IndexSnapshot, QueryNode } from '../../../../src/contracts/search-index.ts';
import type { Analyze } from '../../../../src/index/analyze.ts';
import { FIELDS } from '../../../../src/index/fields.ts';
import { DEFAULT_RANKING } from '../../../../src/index/ranking-options.ts';
import { openSegmentIndex, type SegmentIndex } from '../../../../src/index/segment-index.ts';
import { checkSegments } from '../../../../src/index/store/check-segments.ts';
import { indexedDocument } from '../../../conformance/search-index-suite.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { analyzeWords, bruteForceScores } from '../brute-force-scores.ts';

/** More than a segment needs here to have pairs, and fewer. */
const DOCUMENTS = 550;
const LATER = 50;
const WORDS = 30;
const WANTED = 10;

/** Few wanted, nothing counted: as much as possible is passed over. */
const ranking = {
  ...DEFAULT_RANKING,
  proximity: 0,
  titleMatch: 0,
  candidates: WANTED,
  countedPostings: 0,
  pairedDocuments: 512,
};

/** `a+b`: two terms at one place, as compounds have them. */
const analyze: Analyze = (text, language, emit) =>
  analyzeWords(text, language, (terms, position, form) => {
    for (const term of terms.split('+')) emit(term, position, form);
  });

function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

function makeDocument(at: number, random: () => number): IndexedDocument {
  const draw = (): string => `w${Math.floor(random() ** 2 * WORDS)}`;
  const text = (most: number): string =>
    Array.from({ length: Math.floor(random() * most) }, () => {
      const word = draw();
      return random() < 0.05 ? '.' : random() < 0.05 && word !== 'w0' ? `${word}+w0` : word;
    }).join(' ');
  // Some say a phrase more often than is counted exactly, in the body or in anchors.
  const often = random() < 0.05 ? ` ${'w0 w1 '.repeat(18 + Math.floor(random() * 20))}` : '';
  const anchors = Array.from({ length: Math.floor(random() * 3) }, () => ({ text: text(4), weight: random() }));
  if (random() < 0.03) for (let more = 0; more < 6; more++) anchors.push({ text: 'w0 w1', weight: 1 });
  const title = text(5);
  return indexedDocument(`https://a.example/${at}`, {
    title,
    headings: text(6),
    body: `${text(60)}${often}`,
    description: text(6),
    anchors,
  });
}

const word = fc.nat(WORDS ** 2 - 1).map((n) => `w${Math.floor(WORDS * (n / WORDS ** 2) ** 2)}`);
const phrase: fc.Arbitrary<QueryNode> = fc
  .tuple(fc.array(word, { minLength: 2, maxLength: 4 }), fc.constantFrom([0, 1, 2, 3], [0, 1, 2, 3], [0, 2, 3, 4]))
  .chain(([terms, offsets]) =>
    fc.record(
      {
        kind: fc.constant('phrase' as const),
        terms: fc.constant(terms),
        offsets: fc.constant(offsets.slice(0, terms.length)),
        field: fc.constantFrom(...FIELDS),
      },
      { requiredKeys: ['kind', 'terms', 'offsets'] },
    ),
  );
const queries: fc.Arbitrary<QueryNode> = fc.oneof(
  { weight: 4, arbitrary: phrase },
  {
    weight: 1,
    arbitrary: fc.tuple(phrase, phrase, word).map(
      ([one, not, name]): QueryNode => ({
        kind: 'and',
        nodes: [one, { kind: 'term', terms: [name] }, { kind: 'not', node: not }],
      }),
    ),
  },
);

describe('phrases of words whose pairs are listed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'paired-phrases-'));
  const documents: IndexedDocument[] = [];
  let index: SegmentIndex;

  before(async () => {
    const random = numbersFrom(7);
    index = await openSegmentIndex({ folder, analyze, ranking, mergeWidth: 2 });
    for (let at = 0; at < DOCUMENTS + LATER; at++) {
      const document = makeDocument(at, random);
      documents.push(document);
      index.add(document);
      if (at === DOCUMENTS - 1) await index.commit();
    }
    await index.commit();
  });

  after(async () => {
    await index[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  function assertBest(snapshot: IndexSnapshot, query: QueryNode, expected: Map<string, number>): void {
    const all = snapshot.top(query, documents.length);
    assert.equal(all.total, expected.size);
    for (const { document, score } of all.top) {
      const { id } = snapshot.document(document);
      assert.ok(Math.abs(score - (expected.get(id) ?? 0)) < 1e-9, `${id}: ${score}, not ${expected.get(id)}`);
    }
    const best = snapshot.top(query, WANTED);
    if (best.exact) assert.equal(best.total, expected.size);
    using seen = snapshot.matches(query, WANTED, {}, 64);
    if (seen.exact) assert.equal(seen.total, expected.size);
    for (const document of Array.from(seen.documents)) assert.ok(expected.has(snapshot.document(document).id));
    // Priors are added to the best by words alone, so of close ones others may be looked at.
    assert.equal(best.top.length, Math.min(WANTED, expected.size));
  }

  test('have the documents and scores of a plain reading, however many are wanted', () => {
    using snapshot = index.snapshot();
    fc.assert(
      fc.property(queries, (query) =>
        assertBest(snapshot, query, bruteForceScores(documents, query, ranking, analyze)),
      ),
      { numRuns: propertyRuns(25) },
    );
  });

  test('are counted to the last without positions', () => {
    using snapshot = index.snapshot();
    const query: QueryNode = { kind: 'phrase', terms: ['w0', 'w1'], offsets: [0, 1] };
    const { total, exact } = snapshot.top(query, WANTED);
    assert.deepEqual(
      { total, exact },
      { total: bruteForceScores(documents, query, ranking, analyze).size, exact: true },
    );
  });

  test('are the same after a merge, and the segments are whole', async () => {
    await index.mergeAll();
    await index.commit();
    using snapshot = index.snapshot();
    fc.assert(
      fc.property(queries, (query) =>
        assertBest(snapshot, query, bruteForceScores(documents, query, ranking, analyze)),
      ),
      { numRuns: propertyRuns(25) },
    );
    assert.deepEqual(checkSegments(folder).faults, []);
  });
});
