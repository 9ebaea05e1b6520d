import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { DocumentFilter, IndexSnapshot, QueryNode } from '../../../../src/contracts/search-index.ts';
import { openSegmentIndex, type SegmentIndex } from '../../../../src/index/segment-index.ts';
import { indexedDocument } from '../../../conformance/search-index-suite.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { analyzeWords, WORDS_ALONE } from '../brute-force-scores.ts';

const DOCUMENTS = 4000;
const WORDS = 200;
const WANTED = 10;

/** Few wanted, nothing counted: as much as possible is passed over. */
const ranking = { ...WORDS_ALONE, candidates: WANTED, countedPostings: 0 };

// From a word that is nearly everywhere, often more than fourteen times, to rare ones.
const word = fc.nat(WORDS ** 2 - 1).map((n) => `w${Math.floor(WORDS * (n / WORDS ** 2) ** 3)}`);
const term = word.map((name): QueryNode => ({ kind: 'term', terms: [name] }));
const phrase = fc
  .array(word, { minLength: 2, maxLength: 3 })
  .map((terms): QueryNode => ({ kind: 'phrase', terms, offsets: terms.map((_, at) => at) }));
const nodes = fc.array(fc.oneof({ weight: 6, arbitrary: term }, { weight: 1, arbitrary: phrase }), {
  minLength: 1,
  maxLength: 4,
});
const queries: fc.Arbitrary<QueryNode> = fc.oneof(
  term,
  phrase,
  fc.record({ kind: fc.constant('or' as const), nodes, least: fc.constantFrom(1, 1, 2) }),
  fc.record({ kind: fc.constant('and' as const), nodes }),
  fc
    .tuple(nodes, term)
    .map(([required, not]): QueryNode => ({ kind: 'and', nodes: [...required, { kind: 'not', node: not }] })),
);
const filters: fc.Arbitrary<DocumentFilter> = fc.constantFrom<DocumentFilter>({}, {}, { languages: ['de'] });

function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

describe('the best of all segments', () => {
  const folder = mkdtempSync(join(tmpdir(), 'top-of-segments-'));
  let index: SegmentIndex;
  let snapshot: IndexSnapshot;

  before(async () => {
    const random = numbersFrom(42);
    index = await openSegmentIndex({ folder, analyze: analyzeWords, ranking });
    for (let at = 0; at < DOCUMENTS; at++) {
      const length = random() < 0.5 ? 60 : 20 + Math.floor(random() * 200);
      const words = Array.from({ length }, () => `w${Math.floor(random() ** 3 * WORDS)}`);
      const facts = { ...indexedDocument('').facts, language: random() < 0.1 ? 'de' : 'en' };
      index.add(indexedDocument(`${at}`, { body: words.join(' '), title: random() < 0.2 ? words[0] : '', facts }));
      if (at === 1000 || at === 2500) await index.commit();
    }
    for (let at = 0; at < DOCUMENTS; at += 17) index.remove(`${at}`);
    await index.commit();
    snapshot = index.snapshot();
  });

  after(async () => {
    snapshot[Symbol.dispose]();
    await index[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are the same, in the same order, as when nothing is passed over', () =>
    fc.assert(
      fc.property(queries, filters, (query, filter) => {
        // With room for all there is no threshold.
        const all = snapshot.top(query, DOCUMENTS, filter).top;
        const best = snapshot.top(query, WANTED, filter);
        assert.equal(best.top.length, Math.min(WANTED, all.length));
        for (const [at, { document, score }] of best.top.entries()) {
          assert.ok(Math.abs(score - all[at].score) < 1e-9);
          assert.equal(document, all[at].document);
        }
        if (best.exact) assert.equal(best.total, all.length);
        else assert.ok(best.total >= best.top.length);
      }),
      { numRuns: propertyRuns(150) },
    ));

  test('what is counted does not change them', async () => {
    await using counting = await openSegmentIndex({
      folder,
      analyze: analyzeWords,
      readOnly: true,
      ranking: { ...ranking, countedPostings: 1e9 },
    });
    using counted = counting.snapshot();
    fc.assert(
      fc.property(queries, filters, (query, filter) => {
        const exact = counted.top(query, WANTED, filter);
        const best = snapshot.top(query, WANTED, filter);
        assert.ok(exact.exact);
        assert.equal(exact.total, counted.top(query, DOCUMENTS, filter).top.length);
        assert.equal(best.top.length, exact.top.length);
        for (const [at, { score }] of best.top.entries()) assert.ok(Math.abs(score - exact.top[at].score) < 1e-9);
      }),
      { numRuns: propertyRuns(80) },
    );
  });

  test('a part of many matches is what is found where only so many are asked for', () =>
    fc.assert(
      fc.property(queries, filters, fc.constantFrom(1, WANTED, 300), (query, filter, k) => {
        const many = snapshot.matches(query, DOCUMENTS, filter);
        assert.deepEqual(many.top(k), snapshot.top(query, k, filter).top);
        const shown = many.top(k).map(({ document }) => document);
        assert.equal(snapshot.matchesAny(query, shown), shown.length > 0);
        const others = Array.from({ length: 50 }, (_, at) => at).filter(
          (at) => !Array.from(many.documents).includes(at),
        );
        if (filter.languages === undefined)
          assert.equal(
            snapshot.matchesAny(
              query,
              others.filter((at) => at % 17 !== 0),
            ),
            false,
          );
      }),
      { numRuns: propertyRuns(100) },
    ));

  test('a phrase with room for all its matches is counted exactly, and its best are those of a search for the best alone', () =>
    fc.assert(
      fc.property(phrase, filters, (query, filter) => {
        const all = snapshot.top(query, DOCUMENTS, filter).top.map(({ document }) => document);
        using matches = snapshot.matches(query, WANTED, filter, DOCUMENTS);
        assert.deepEqual(
          Array.from(matches.documents),
          all.sort((a, b) => a - b),
        );
        assert.deepEqual([matches.total, matches.exact, matches.isPart], [all.length, true, false]);
        assert.deepEqual(matches.top(WANTED), snapshot.top(query, WANTED, filter).top);
      }),
      { numRuns: propertyRuns(100) },
    ));

  test('matches of any rank are all of them, or spread over all of them, and change nothing of the best', async () => {
    await using counting = await openSegmentIndex({
      folder,
      analyze: analyzeWords,
      readOnly: true,
      ranking: { ...ranking, countedPostings: 2000 },
    });
    using counted = counting.snapshot();
    const seen = 500;
    fc.assert(
      fc.property(queries, filters, fc.constantFrom(snapshot, counted), (query, filter, searched) => {
        const all = snapshot.top(query, DOCUMENTS, filter).top.map(({ document }) => document);
        using matches = searched.matches(query, WANTED, filter, seen);
        assert.deepEqual(matches.top(WANTED), searched.top(query, WANTED, filter).top);
        const documents = Array.from(matches.documents);
        assert.equal(new Set(documents).size, documents.length);
        if (!matches.isPart) assert.equal(documents.length, all.length);
        const held = new Set(all);
        assert.ok(documents.every((document) => held.has(document)));
        if (all.length <= seen / 4) assert.equal(documents.length, all.length);
        assert.ok(documents.length >= Math.min(all.length, seen / 4), `${documents.length} of ${all.length}`);
        if (matches.exact) assert.equal(matches.total, all.length);
        // A window is 64 documents: half of 4,000 are known to some 2 % of them.
        assert.ok(Math.abs(matches.total - all.length) <= 0.1 * DOCUMENTS, `${matches.total}, not ${all.length}`);
        const first = (numbers: readonly number[]): number =>
          numbers.filter((document) => document < DOCUMENTS / 2).length / Math.max(1, numbers.length);
        if (documents.length > 0) assert.ok(Math.abs(first(documents) - first(all)) < 0.25);
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});
