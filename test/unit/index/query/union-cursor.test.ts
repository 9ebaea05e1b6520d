import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { DocumentFilter, IndexSnapshot, QueryNode } from '../../../../src/contracts/search-index.ts';
import { RANGE, STRETCH } from '../../../../src/index/format/dense-codes.ts';
import { SearchMemory } from '../../../../src/index/memory/search-memory.ts';
import { WINDOW } from '../../../../src/index/memory/window-buffers.ts';
import { END, type ScoreCursor } from '../../../../src/index/query/cursors/score-cursor.ts';
import { UnionCursor } from '../../../../src/index/query/cursors/union-cursor.ts';
import { QueryPlan } from '../../../../src/index/query/query-plan.ts';
import { SegmentQuery } from '../../../../src/index/query/segment-query.ts';
import { type SnapshotBasis, snapshotBasis } from '../../../../src/index/query/snapshot-basis.ts';
import { DEFAULT_RANKING } from '../../../../src/index/ranking-options.ts';
import { openSegmentIndex, type SegmentIndex } from '../../../../src/index/segment-index.ts';
import { newestManifest, readManifest } from '../../../../src/index/store/manifest.ts';
import { PostingsCache } from '../../../../src/index/store/postings-cache.ts';
import { openState } from '../../../../src/index/store/segment-state.ts';
import { indexedDocument } from '../../../conformance/search-index-suite.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { analyzeWords } from '../brute-force-scores.ts';

const DOCUMENTS = 3000;
const WORDS = 300;
/** Words that fewer than one document of 64 holds, mostly together with the next one. */
const RARE_WORDS = 40;
const WANTED = 10;

/** Words alone: a prefix is not asked for in a title or near other words, the terms that it stands for would be. */
const ranking = { ...DEFAULT_RANKING, proximity: 0, titleMatch: 0, form: 0, titleForm: 0, candidates: WANTED };

// From words that are nearly everywhere, often more than fourteen times, to some that few documents or segments hold.
const word = fc.nat(WORDS ** 2 - 1).map((n) => `w${Math.floor(WORDS * (n / WORDS ** 2) ** 2)}`);
type Term = Extract<QueryNode, { kind: 'term' }>;
const rare = fc
  .nat(RARE_WORDS - 2)
  .chain((n) => fc.subarray([`r${n}`, `r${n + 1}`, 'w0', 'w50', 'w290'], { minLength: 2 }));
const union = fc
  .oneof({ weight: 3, arbitrary: fc.uniqueArray(word, { minLength: 2, maxLength: 5 }) }, { weight: 1, arbitrary: rare })
  .map((terms): Term => ({ kind: 'term', terms, forms: terms.map(() => 0) }));
const term = word.map((name): Term => ({ kind: 'term', terms: [name] }));
const prefix = fc.nat(WORDS - 1).map((n): QueryNode => ({ kind: 'prefix', prefix: `w${n}` }));
const phrase = fc
  .array(word, { minLength: 2, maxLength: 2 })
  .map((terms): QueryNode => ({ kind: 'phrase', terms, offsets: [0, 1] }));
const leaf = fc.oneof(
  { weight: 6, arbitrary: union },
  { weight: 2, arbitrary: term },
  { weight: 1, arbitrary: prefix },
  { weight: 1, arbitrary: phrase },
);
const leaves = fc.array(leaf, { minLength: 1, maxLength: 3 });
const any = fc.record({ kind: fc.constant('or' as const), nodes: leaves, least: fc.constantFrom(1, 1, 2) });
const queries: fc.Arbitrary<QueryNode> = fc.oneof(
  union,
  prefix,
  any,
  fc.record({ kind: fc.constant('and' as const), nodes: leaves }),
  fc.tuple(leaves, any).map(([nodes, or]): QueryNode => ({ kind: 'and', nodes: [...nodes, or] })),
  fc
    .tuple(leaves, fc.oneof(union, any))
    .map(([nodes, node]): QueryNode => ({ kind: 'and', nodes: [...nodes, { kind: 'not', node }] })),
);

/** All documents have all words in their first form: what is limited to that form is made a list, and the same. */
function asLists(node: QueryNode, snapshot: Pick<IndexSnapshot, 'terms'>): QueryNode {
  switch (node.kind) {
    case 'term':
      return { ...node, forms: node.terms.map(() => 0), only: 'form' };
    case 'prefix': {
      const terms = snapshot.terms(node.prefix, 256).map(({ term: name }) => name);
      return { kind: 'term', terms, forms: terms.map(() => 0), only: 'form' };
    }
    case 'and':
    case 'or':
      return { ...node, nodes: node.nodes.map((inner) => asLists(inner, snapshot)) };
    case 'not':
      return { kind: 'not', node: asLists(node.node, snapshot) };
    default:
      return node;
  }
}

function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

describe('a word of several terms', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orb-union-cursor-'));
  let index: SegmentIndex;
  let snapshot: IndexSnapshot;
  let basis: SnapshotBasis;

  before(async () => {
    const random = numbersFrom(7);
    index = await openSegmentIndex({ folder, analyze: analyzeWords, ranking: { ...ranking, countedPostings: 0 } });
    for (let at = 0; at < DOCUMENTS; at++) {
      const length = random() < 0.5 ? 30 : 10 + Math.floor(random() * 200);
      const words = Array.from({ length }, () => `w${Math.floor(random() ** 3 * WORDS)}`);
      const n = Math.floor(random() * RARE_WORDS);
      if (random() < 0.2) words.push(`r${n}`, ...(random() < 0.7 ? [`r${n + 1}`] : []));
      const facts = { ...indexedDocument('').facts, language: random() < 0.1 ? 'de' : 'en' };
      index.add(indexedDocument(`${at}`, { body: words.join(' '), title: random() < 0.2 ? words[0] : '', facts }));
      if (at === 40 || at === 900) await index.commit();
    }
    for (let at = 0; at < DOCUMENTS; at += 17) index.remove(`${at}`);
    await index.commit();
    snapshot = index.snapshot();
    const cache = new PostingsCache(1e8);
    const { segments } = readManifest(folder, newestManifest(folder));
    basis = snapshotBasis(
      segments.map((named) => openState(folder, named, cache, undefined)),
      ranking,
    );
  });

  after(async () => {
    for (const { segment } of basis.segments) segment.release();
    snapshot[Symbol.dispose]();
    await index[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A word walked over term by term, and the list that it comes to. */
  function cursors(node: Term, at: number): { cursor: ScoreCursor; list: ScoreCursor; documents: number } {
    const memory = new SearchMemory();
    const searched = basis.segments[at];
    const of = (asked: QueryNode): ScoreCursor =>
      new SegmentQuery(searched, new QueryPlan(asked, snapshot, ranking), ranking.k1, memory).cursor(asked);
    return { cursor: of(node), list: of(asLists(node, snapshot)), documents: searched.segment.documents };
  }

  const segment = fc.nat(2);

  test('is the same as the list of its documents, one by one and in windows', () =>
    fc.assert(
      fc.property(
        union,
        segment,
        fc.array(fc.tuple(fc.constantFrom('seek', 'accumulate', 'mark', 'rewind'), fc.nat(700)), { maxLength: 12 }),
        (node, at, steps) => {
          const { cursor, list, documents } = cursors(node, at);
          assert.equal(cursor.documents, list.documents);
          let reached = 0;
          for (const [step, ahead] of steps) {
            const to = Math.min(reached + ahead, documents);
            if (step === 'seek') assert.equal(cursor.seek(to), list.seek(to));
            else if (step === 'rewind') {
              cursor.rewind();
              list.rewind();
            } else {
              const windows = [cursor, list].map((walked) => {
                const window = { sums: new Float64Array(WINDOW), matches: new Uint16Array(WINDOW) };
                if (step === 'mark') walked.mark(to, reached, window.matches);
                else walked.accumulate(to, reached, window.sums, window.matches);
                return window;
              });
              assert.deepEqual(windows[0], windows[1]);
            }
            assert.equal(cursor.document, list.document);
            if (cursor.document !== END) assert.equal(cursor.score(), list.score());
            reached = step === 'rewind' ? 0 : to;
          }
        },
      ),
      { numRuns: propertyRuns(200) },
    ));

  test('scores ranges as the list does, and no document above the bounds', () =>
    fc.assert(
      fc.property(union, segment, fc.array(fc.nat(2), { minLength: 1 }), fc.nat(2), (node, at, before, least) => {
        const { cursor, list, documents } = cursors(node, at);
        const stretches = Math.ceil(documents / (RANGE * STRETCH));
        const bounds = [true, false].map((every) => {
          const sums = new Float64Array(stretches);
          cursor.addBounds(sums, every);
          return sums;
        });
        const scores = new Float64Array(documents).fill(Number.NEGATIVE_INFINITY);
        for (let document = list.document; document !== END; document = list.seek(document + 1)) {
          scores[document] = list.score();
          const bound = cursor.boundAt(document);
          assert.ok(cursor.boundEnd >= document && scores[document] <= bound);
          assert.ok(scores[document] <= cursor.peak);
        }
        for (let stretch = 0; stretch < stretches; stretch++) {
          const best = Math.max(...scores.subarray(stretch * RANGE * STRETCH, (stretch + 1) * RANGE * STRETCH));
          assert.equal(bounds[0][stretch] === Number.NEGATIVE_INFINITY, best === Number.NEGATIVE_INFINITY);
          assert.ok(best <= bounds[0][stretch] && bounds[1][stretch] === Math.max(0, bounds[0][stretch]));
        }
        cursor.rewind();
        for (let range = 0; range * RANGE < documents; range++) {
          const [from, to] = [range * RANGE, Math.min((range + 1) * RANGE, documents)];
          const best = Math.max(...scores.subarray(from, to));
          const bound = cursor.rangeBound(range);
          assert.equal(bound === Number.NEGATIVE_INFINITY, best === Number.NEGATIVE_INFINITY);
          assert.ok(best <= bound);
          const matches = Uint16Array.from({ length: RANGE }, (_, offset) => before[(from + offset) % before.length]);
          const expected = Array.from(matches, (found, offset) => {
            const score = scores[from + offset] ?? Number.NEGATIVE_INFINITY;
            return found < least || score === Number.NEGATIVE_INFINITY ? [found, 0] : [found + 1, score];
          });
          const sums = new Float64Array(RANGE);
          cursor.accumulateRange(from, to, sums, matches, least, Number.NEGATIVE_INFINITY);
          assert.deepEqual(
            Array.from(matches, (found, offset) => [found, sums[offset]]),
            expected,
          );
          for (const every of [false, true]) {
            const added = new Float64Array(STRETCH);
            cursor.addRangeBounds(range, range + 1, added, every);
            assert.equal(added[0], every ? bound : Math.max(0, bound));
          }
        }
      }),
      { numRuns: propertyRuns(100) },
    ));

  test('that are in one segment only need no union in others', () => {
    const kinds = basis.segments.map((_, at) => cursors({ kind: 'term', terms: ['w0', 'w1'] }, at).cursor);
    assert.ok(kinds.every((cursor) => cursor instanceof UnionCursor));
    const lone = cursors({ kind: 'term', terms: ['w0', 'nowhere'] }, 0).cursor;
    assert.ok(!(lone instanceof UnionCursor));
    assert.equal(cursors({ kind: 'term', terms: ['nowhere', 'never'] }, 0).cursor.document, END);
  });

  for (const countedPostings of [0, 300, 1e9]) {
    test(`finds what lists find, where ${countedPostings} postings are counted`, async () => {
      await using reader = await openSegmentIndex({
        folder,
        analyze: analyzeWords,
        readOnly: true,
        ranking: { ...ranking, countedPostings },
      });
      using searched = reader.snapshot();
      fc.assert(
        fc.property(
          queries,
          fc.constantFrom<DocumentFilter>({}, {}, { languages: ['de'] }),
          fc.constantFrom(1, WANTED, DOCUMENTS),
          (query, filter, k) => {
            const lists = asLists(query, searched);
            const [found, expected] = [searched.top(query, k, filter), searched.top(lists, k, filter)];
            assert.equal(found.exact, expected.exact);
            // What passes the filter is estimated from what was looked at.
            if (found.exact || filter.languages === undefined) assert.equal(found.total, expected.total);
            assert.equal(found.top.length, expected.top.length);
            for (const [at, { document, score }] of found.top.entries()) {
              // Words are added up in the order of their bounds, so the last digit may differ, and with it the order of equals.
              assert.ok(Math.abs(score - expected.top[at].score) < 1e-9);
              if (document !== expected.top[at].document) {
                const scores = searched.top(lists, DOCUMENTS, filter).top;
                assert.ok(Math.abs(scores.find((one) => one.document === document)!.score - score) < 1e-9);
              }
            }
            const documents = expected.top.map(({ document }) => document);
            assert.equal(searched.matchesAny(query, documents), documents.length > 0);
            for (const document of documents.slice(0, 2))
              assert.ok(
                Math.abs(searched.explain(query, document).value - searched.explain(lists, document).value) < 1e-9,
              );
          },
        ),
        { numRuns: propertyRuns(120) },
      );
    });
  }
});
