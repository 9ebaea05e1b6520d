import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type {
  DocumentFacts,
  DocumentFilter,
  IndexedDocument,
  IndexSnapshot,
  QueryNode,
  SearchIndex,
} from '../../src/contracts/search-index.ts';
import { FIELDS } from '../../src/index/fields.ts';
import { anchorSum } from '../../src/index/format/anchor-sum.ts';
import { DEFAULT_RANKING, type RankingOptions } from '../../src/index/ranking-options.ts';
import { propertyRuns, quickOrLong } from '../property-runs.ts';
import { bruteForceScores, passes } from '../unit/index/brute-force-scores.ts';

export interface OpenOptions {
  readonly readOnly?: boolean;
  readonly ranking?: RankingOptions;
  /** False: nothing has to survive a power failure, so no step waits for the device. */
  readonly durable?: boolean;
  /** Called before each step that changes the folder. */
  readonly beforeStep?: () => void;
}

/** An index over words in lower case, as `analyzeWords` cuts them. */
export interface SearchIndexEngine {
  readonly name: string;
  open(folder: string, options?: OpenOptions): Promise<SearchIndex>;
  /** Brings the segments into another order of storage: all into one. */
  mergeAll(index: SearchIndex): Promise<number>;
}

const FACTS: DocumentFacts = {
  host: '',
  mediaType: 'text/html',
  language: 'en',
  date: 0,
  fetchedAt: 0,
  cluster: 0,
  spam: 0,
  rank: 0,
};

export function indexedDocument(id: string, extra: Partial<IndexedDocument> = {}): IndexedDocument {
  return { id, title: '', headings: '', body: '', description: '', anchors: [], facts: FACTS, ...extra };
}

const term = (...terms: string[]): QueryNode => ({ kind: 'term', terms });
const found = (snapshot: IndexSnapshot, query: QueryNode, filter?: DocumentFilter): string[] =>
  snapshot.top(query, 1000, filter).top.map(({ document }) => snapshot.document(document).id);

const WORDS = ['ant', 'bee', 'cat', 'cow', 'dog', 'eel', 'emu', 'fox'];
const word = fc.constantFrom(...WORDS);
const form = fc.constantFrom(0, 1, 6, 7, 20, 35);
const wordInForm = fc.tuple(word, form).map(([name, number]) => `${name}:${number}`);
const text = (most: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 7, arbitrary: word },
        { weight: 2, arbitrary: wordInForm },
        { weight: 1, arbitrary: fc.constant('.') },
      ),
      { maxLength: most },
    )
    .map((words) => words.join(' '));
const anchors = fc.array(fc.record({ text: text(3), weight: fc.constantFrom(0.25, 1, 2) }), { maxLength: 3 });
const documents = fc
  .array(
    fc.record({
      title: text(4),
      headings: text(3),
      body: text(40),
      description: text(4),
      anchors,
      path: fc.constantFrom('', 'a', 'a/b', 'cat/dog?x=1'),
      facts: fc.record({
        host: fc.constantFrom('a.example', 'www.a.example', 'b.example'),
        mediaType: fc.constantFrom('text/html', 'application/pdf'),
        language: fc.constantFrom('en', 'de'),
        date: fc.constantFrom(0, 1_700_000_000_000, 1_720_000_000_123),
        fetchedAt: fc.nat(),
        cluster: fc.nat(3),
        spam: fc.constantFrom(0, 0.3),
        rank: fc.constantFrom(0, 0.1, 0.7),
      }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((list) =>
    list.map(({ path, ...rest }, at): IndexedDocument => ({ id: `https://${rest.facts.host}/${path}#${at}`, ...rest })),
  );
const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  fc.record({ kind: fc.constant('term' as const), terms: fc.array(word, { minLength: 1, maxLength: 2 }) }),
  fc.record({
    kind: fc.constant('term' as const),
    terms: fc.tuple(word).map((one) => [...one]),
    field: fc.constantFrom(...FIELDS),
  }),
  fc.record({
    kind: fc.constant('term' as const),
    terms: fc.tuple(word).map((one) => [...one]),
    boost: fc.constantFrom(0.5, 2),
  }),
  fc.uniqueArray(word, { minLength: 1, maxLength: 2 }).chain((terms) =>
    fc.record(
      {
        kind: fc.constant('term' as const),
        terms: fc.constant(terms),
        forms: fc.array(form, { minLength: terms.length, maxLength: terms.length }),
        only: fc.constantFrom('form' as const, 'derivation' as const),
      },
      { requiredKeys: ['kind', 'terms', 'forms'] },
    ),
  ),
  fc.array(word, { minLength: 2, maxLength: 3 }).chain((terms) =>
    fc.record({
      kind: fc.constant('phrase' as const),
      terms: fc.constant(terms),
      offsets: fc.constantFrom([0, 1, 2], [0, 2, 3]).map((offsets) => offsets.slice(0, terms.length)),
      forms: fc.array(form, { minLength: terms.length, maxLength: terms.length }),
    }),
  ),
  fc.record({ kind: fc.constant('prefix' as const), prefix: fc.constantFrom('c', 'e', 'z', 'dog') }),
);
const queries: fc.Arbitrary<QueryNode> = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    leaf,
    fc.record({ kind: fc.constant('and' as const), nodes: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      kind: fc.constant('or' as const),
      nodes: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
      least: fc.constantFrom(1, 1, 2),
    }),
    fc.record({ kind: fc.constant('not' as const), node: tie('node') }),
    fc.constant({ kind: 'all' as const }),
  ),
})).node;
const filters: fc.Arbitrary<DocumentFilter> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<DocumentFilter>(
      { sites: ['a.example'] },
      { notSites: ['www.a.example'], languages: ['de'] },
      { mediaTypes: ['application/pdf'], after: 1 },
      { before: 1_710_000_000_000 },
      { inUrl: ['A/B'] },
    ),
  },
);

/** The same documents with the same scores; of equals any may come first. */
function assertRanking(
  snapshot: IndexSnapshot,
  query: QueryNode,
  filter: DocumentFilter,
  expected: Map<string, number>,
): void {
  const answer = snapshot.top(query, 1000, filter);
  const scores = new Map(answer.top.map(({ document, score }) => [snapshot.document(document).id, score]));
  assert.deepEqual([...scores.keys()].sort(), [...expected.keys()].sort());
  for (const [id, score] of scores)
    assert.ok(Math.abs(score - expected.get(id)!) < 1e-9, `${id}: ${score}, not ${expected.get(id)}`);
  for (let at = 1; at < answer.top.length; at++) assert.ok(answer.top[at - 1].score >= answer.top[at].score);
  if (answer.exact) assert.equal(answer.total, expected.size);
}

export function searchIndexConformance(engine: SearchIndexEngine): void {
  const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'search-index-'));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  describe(`search index: ${engine.name}`, () => {
    test('what was added is seen after the commit, not before', () =>
      inFolder(async (folder) => {
        await using index = await engine.open(folder);
        index.add(indexedDocument('1', { title: 'A title', body: 'green apples' }));
        using before = index.snapshot();
        assert.equal(before.documents, 0);
        assert.deepEqual(found(before, term('apples')), []);
        await index.commit({ at: 7 });
        using after = index.snapshot();
        assert.equal(after.documents, 1);
        assert.deepEqual(found(after, term('apples')), ['1']);
        assert.equal(after.document(after.find('1')!).title, 'A title');
        assert.deepEqual(index.place, { at: 7 });
        assert.equal(before.documents, 0, 'a snapshot does not change');
      }));

    test('adding an id again replaces it, within a commit and across commits', () =>
      inFolder(async (folder) => {
        await using index = await engine.open(folder);
        index.add(indexedDocument('1', { body: 'old' }));
        index.add(indexedDocument('1', { body: 'middle' }));
        await index.commit();
        using first = index.snapshot();
        assert.deepEqual([found(first, term('old')), found(first, term('middle'))], [[], ['1']]);
        index.add(indexedDocument('1', { body: 'new' }));
        await index.commit();
        using second = index.snapshot();
        assert.deepEqual([found(second, term('middle')), found(second, term('new'))], [[], ['1']]);
        assert.equal(second.documents, 1);
        assert.deepEqual(found(first, term('middle')), ['1'], 'an older snapshot still has the older document');
      }));

    test('what was removed is gone; removing and adding again brings it back', () =>
      inFolder(async (folder) => {
        await using index = await engine.open(folder);
        for (const id of ['1', '2', '3']) index.add(indexedDocument(id, { body: 'word' }));
        index.remove('2');
        await index.commit();
        index.remove('3');
        index.remove('never there');
        await index.commit();
        using snapshot = index.snapshot();
        assert.deepEqual(found(snapshot, term('word')), ['1']);
        assert.equal(snapshot.find('3'), undefined);
        assert.equal(snapshot.documents, 1);
        index.add(indexedDocument('3', { body: 'word' }));
        await index.commit();
        using again = index.snapshot();
        assert.deepEqual(found(again, term('word')).sort(), ['1', '3']);
      }));

    test('what was committed is there when the folder is opened again; the rest is not', () =>
      inFolder(async (folder) => {
        const facts = {
          ...FACTS,
          host: 'a.example',
          rank: 0.123456789,
          spam: 1 / 3,
          date: 1_699_999_999_999,
          cluster: 2 ** 40,
        };
        {
          await using index = await engine.open(folder);
          index.add(indexedDocument('1', { title: 'Ünïcode 標題', body: 'kept', facts }));
          await index.commit('place');
          index.add(indexedDocument('2', { body: 'lost' }));
        }
        await using index = await engine.open(folder);
        using snapshot = index.snapshot();
        assert.equal(index.place, 'place');
        assert.deepEqual([found(snapshot, term('kept')), found(snapshot, term('lost'))], [['1'], []]);
        const stored = snapshot.document(snapshot.find('1')!);
        assert.equal(stored.title, 'Ünïcode 標題');
        assert.deepEqual(stored.facts, facts);
        assert.equal(stored.lengths[FIELDS.indexOf('title')], 2);
      }));

    test('a reader sees each commit of the writer, and keeps what it looks at', () =>
      inFolder(async (folder) => {
        await using writer = await engine.open(folder, { durable: false });
        await using reader = await engine.open(folder, { readOnly: true });
        const held: IndexSnapshot[] = [];
        for (let round = 0; round < 30; round++) {
          writer.add(indexedDocument(`${round}`, { body: 'every round' }));
          if (round % 3 === 2) writer.remove(`${round - 1}`);
          await writer.commit(round);
          const snapshot = reader.snapshot();
          assert.equal(found(snapshot, term('every')).length, round + 1 - Math.floor((round + 1) / 3));
          held.push(snapshot);
        }
        await engine.mergeAll(writer);
        for (const [round, snapshot] of held.entries()) {
          assert.equal(found(snapshot, term('round')).length, round + 1 - Math.floor((round + 1) / 3));
          snapshot[Symbol.dispose]();
        }
      }));

    test('terms and their frequencies', () =>
      inFolder(async (folder) => {
        await using index = await engine.open(folder);
        index.add(indexedDocument('1', { body: 'car care cat' }));
        await index.commit();
        index.add(indexedDocument('2', { body: 'care dog', anchors: [{ text: 'car care', weight: 1 }] }));
        index.add(indexedDocument('3', { title: 'care' }));
        await index.commit();
        using snapshot = index.snapshot();
        assert.deepEqual(snapshot.terms('ca', 2), [
          { term: 'care', documents: 3 },
          { term: 'car', documents: 2 },
        ]);
        assert.deepEqual([snapshot.frequency('dog'), snapshot.frequency('cow')], [1, 0]);
      }));

    test('a phrase does not reach from one field, or one anchor, into the next', () =>
      inFolder(async (folder) => {
        await using index = await engine.open(folder);
        index.add(indexedDocument('1', { title: 'one two', headings: 'three four', body: 'five' }));
        index.add(
          indexedDocument('2', { anchors: ['one two', 'three', 'four five'].map((text) => ({ text, weight: 1 })) }),
        );
        await index.commit();
        using snapshot = index.snapshot();
        const phrase = (...terms: string[]): string[] =>
          found(snapshot, { kind: 'phrase', terms, offsets: terms.map((_, at) => at) });
        assert.deepEqual(phrase('two', 'three'), []);
        assert.deepEqual(phrase('four', 'five'), ['2']);
        assert.deepEqual(phrase('one', 'two').sort(), ['1', '2']);
      }));

    test('however often a word stands in a document, its places in the next ones are right', () =>
      inFolder(async (folder) => {
        await using index = await engine.open(folder);
        const counts = Array.from({ length: 60 }, (_, at) => at + 1);
        for (const count of counts) {
          index.add(indexedDocument(`many ${count}`, { body: 'cat '.repeat(count) }));
          index.add(indexedDocument(`pair ${count}`, { body: `${'dog '.repeat(count)}cat emu` }));
        }
        await index.commit();
        const pairs = counts.map((count) => `pair ${count}`).sort();
        const query: QueryNode = { kind: 'phrase', terms: ['cat', 'emu'], offsets: [0, 1] };
        using snapshot = index.snapshot();
        assert.deepEqual(found(snapshot, query).sort(), pairs);
        index.remove('many 1');
        await index.commit();
        await engine.mergeAll(index);
        using merged = index.snapshot();
        assert.deepEqual(found(merged, query).sort(), pairs);
      }));

    test('any ranking is that of a plain reading of all documents, merged or not', () =>
      fc.assert(
        fc.asyncProperty(
          documents,
          fc.array(fc.tuple(queries, filters), { minLength: 4, maxLength: 8 }),
          fc.nat(4),
          async (all, asked, commits) => {
            await inFolder(async (folder) => {
              await using index = await engine.open(folder, { durable: false });
              for (const [at, document] of all.entries()) {
                index.add(document);
                if (commits > 0 && at % commits === 0) await index.commit();
              }
              await index.commit();
              const check = (): void => {
                using snapshot = index.snapshot();
                for (const [query, filter] of asked) {
                  const expected = bruteForceScores(all, query, DEFAULT_RANKING, undefined, (document) =>
                    passes(filter, document),
                  );
                  assertRanking(snapshot, query, filter, expected);
                  for (const [id, score] of expected) {
                    const explained = snapshot.explain(query, snapshot.find(id)!);
                    assert.ok(Math.abs(explained.value - score) < 1e-9);
                  }
                }
              };
              check();
              await engine.mergeAll(index);
              check();
            });
          },
        ),
        { numRuns: propertyRuns(25) },
      ));

    test('removals leave a ranking as if the documents had never been, once merged', () =>
      fc.assert(
        fc.asyncProperty(
          documents,
          fc.array(queries, { minLength: 3, maxLength: 5 }),
          fc.array(fc.nat(24)),
          async (all, asked, gone) => {
            await inFolder(async (folder) => {
              await using index = await engine.open(folder, { durable: false });
              for (const document of all) index.add({ ...document, body: 'an older text' });
              await index.commit();
              for (const document of all) index.add(document);
              await index.commit();
              for (const at of gone) if (at < all.length) index.remove(all[at].id);
              await index.commit();
              const left = all.filter((_, at) => !gone.includes(at));
              using before = index.snapshot();
              assert.equal(before.documents, left.length);
              for (const query of asked) {
                assert.deepEqual(
                  found(before, query).sort(),
                  [...bruteForceScores(left, query, DEFAULT_RANKING).keys()].sort(),
                );
              }
              await engine.mergeAll(index);
              using after = index.snapshot();
              for (const query of asked)
                assertRanking(after, query, {}, bruteForceScores(left, query, DEFAULT_RANKING));
            });
          },
        ),
        { numRuns: propertyRuns(20) },
      ));

    test('a merge that refreshes leaves what documents with the anchors and facts of today would give', () =>
      fc.assert(
        fc.asyncProperty(
          documents,
          fc.array(fc.option(fc.record({ anchors, rank: fc.constantFrom(0, 0.1, 0.7), cluster: fc.nat(3) })), {
            minLength: 25,
            maxLength: 25,
          }),
          fc.array(fc.nat(24), { maxLength: 4 }),
          fc.array(queries, { minLength: 4, maxLength: 8 }),
          fc.nat(4),
          async (all, news, gone, asked, commits) => {
            await inFolder(async (folder) => {
              const numberOf = new Map(all.map(({ id }, at) => [id, at]));
              const today = all
                .map((document, at): IndexedDocument => {
                  const { anchors = document.anchors, ...facts } = news[at] ?? {};
                  return { ...document, anchors, facts: { ...document.facts, ...facts } };
                })
                .filter((_, at) => !gone.includes(at));
              const check = (index: SearchIndex): void => {
                using snapshot = index.snapshot();
                assert.equal(snapshot.documents, today.length);
                for (const query of asked)
                  assertRanking(snapshot, query, {}, bruteForceScores(today, query, DEFAULT_RANKING));
                for (const { id, facts, anchors } of today) {
                  const stored = snapshot.document(snapshot.find(id)!);
                  assert.deepEqual([stored.facts, stored.anchorSum], [facts, anchorSum(anchors)]);
                }
              };
              await using index = await engine.open(folder, { durable: false });
              const told = (id: string) => {
                const at = numberOf.get(id)!;
                return gone.includes(at) ? ('gone' as const) : (news[at] ?? undefined);
              };
              let isToday = false;
              // Merges on the way find the anchors of today, too, or none that they know of.
              index.refreshWith(async (id) => (isToday || commits > 2 ? told(id) : undefined));
              for (const [at, document] of all.entries()) {
                index.add(document);
                if (commits > 0 && at % commits === 0) await index.commit();
              }
              await index.commit();
              isToday = true;
              if (commits % 2 === 1) {
                await index.refreshAll();
                check(index);
                assert.equal(await index.refreshAll(), 0);
                check(index);
              }
              await engine.mergeAll(index);
              check(index);
              assert.equal(await engine.mergeAll(index), 0);
              check(index);
            });
          },
        ),
        { numRuns: propertyRuns(40) },
      ));

    test('documents are refreshed again and again while others are added, as if each had come with what is said of it today', () =>
      fc.assert(
        fc.asyncProperty(
          documents,
          fc.array(fc.array(anchors, { minLength: 25, maxLength: 25 }), { minLength: 2, maxLength: 3 }),
          fc.array(queries, { minLength: 4, maxLength: 8 }),
          fc.integer({ min: 2, max: 6 }),
          async (all, rounds, asked, size) => {
            await inFolder(async (folder) => {
              const numberOf = new Map(all.map(({ id }, at) => [id, at]));
              await using index = await engine.open(folder, { durable: false });
              let said = rounds[0];
              index.refreshWith(async (id) => {
                const { facts } = all[numberOf.get(id)!];
                return { anchors: said[numberOf.get(id)!], rank: facts.rank, cluster: facts.cluster };
              });
              for (const [round, today] of rounds.entries()) {
                said = today;
                for (const [at, document] of all.entries()) {
                  if (round > 0 && at % 4 !== round) continue;
                  index.add(document);
                  if (at % size === 0) await index.commit(round);
                }
                await index.commit(round);
                await index.refreshAll({ isClean: true });
                const expected = all.map((document, at) => ({ ...document, anchors: today[at] }));
                using snapshot = index.snapshot();
                for (const query of asked)
                  assertRanking(snapshot, query, {}, bruteForceScores(expected, query, DEFAULT_RANKING));
                assert.equal(await index.refreshAll({ isClean: true }), 0);
              }
            });
          },
        ),
        { numRuns: propertyRuns(80) },
      ));

    test('segments are refreshed of whose documents enough are named; the others are told', () =>
      inFolder(async (folder) => {
        await using index = await engine.open(folder, { durable: false });
        const name = (segment: number, at: number): string => `${segment}-${at}`;
        for (const segment of [1, 2]) {
          for (let at = 0; at < 8; at++) index.add(indexedDocument(name(segment, at), { body: 'text' }));
          await index.commit(segment);
        }
        index.refreshWith(async () => ({ anchors: [{ text: 'said', weight: 1 }], rank: 0.5, cluster: 7 }));
        const named = [name(1, 0), name(1, 1), name(2, 5), 'unknown'];
        assert.deepEqual(await index.refresh(named, 0.25), [name(2, 5)]);
        using snapshot = index.snapshot();
        const first = Array.from({ length: 8 }, (_, at) => name(1, at));
        assert.deepEqual(found(snapshot, term('said')).sort(), first);
        assert.deepEqual(
          [name(1, 3), name(2, 5)].map((id) => snapshot.facts(snapshot.find(id)!).cluster),
          [7, 0],
        );
        assert.equal(index.place, 2);
      }));

    test('passing over blocks loses none of the best', () =>
      inFolder(async (folder) => {
        const wordsAlone = {
          ...DEFAULT_RANKING,
          proximity: 0,
          titleMatch: 0,
          rank: 0,
          spam: 0,
          urlForm: 0,
          freshness: 0,
          candidates: 10,
          countedPostings: 0,
        };
        await using index = await engine.open(folder, { durable: false, ranking: wordsAlone });
        let state = 12345;
        const random = (): number => {
          state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
          return state / 0x7fffffff;
        };
        const all = Array.from({ length: 2500 }, (_, at) => {
          const words = Array.from(
            { length: 3 + Math.floor(random() * 30) },
            () => `w${Math.floor(random() ** 3 * 60)}`,
          );
          return indexedDocument(`${at}`, { body: words.join(' '), title: random() < 0.2 ? words[0] : '' });
        });
        for (const [at, document] of all.entries()) {
          index.add(document);
          if (at === 1000) await index.commit();
        }
        await index.commit();
        using snapshot = index.snapshot();
        const asked: QueryNode[] = [term('w0'), term('w3'), term('w40')];
        for (const names of [
          ['w0', 'w1'],
          ['w0', 'w30'],
          ['w1', 'w2', 'w5'],
          ['w0', 'w20', 'w50', 'w59'],
        ]) {
          const nodes = names.map((name) => term(name));
          asked.push(
            { kind: 'or', nodes },
            { kind: 'and', nodes },
            { kind: 'and', nodes: [...nodes, { kind: 'not', node: term('w7') }] },
            { kind: 'or', nodes, least: 2 },
          );
        }
        for (const query of asked.filter((_, at) => at % quickOrLong(2, 1) === 0)) {
          const expected = [...bruteForceScores(all, query, wordsAlone).values()].sort((a, b) => b - a).slice(0, 10);
          const scores = snapshot.top(query, 10).top.map(({ score }) => score);
          assert.equal(scores.length, expected.length);
          for (const [at, score] of scores.entries())
            assert.ok(Math.abs(score - expected[at]) < 1e-9, JSON.stringify(query));
        }
      }));

    test('a copy of the folder taken at any moment holds a committed state', () =>
      inFolder(async (folder) => {
        const copies: { readonly path: string; readonly least: number; readonly most: number }[] = [];
        let committed = 0;
        let asked = 0;
        const index = await engine.open(join(folder, 'index'), {
          durable: false,
          beforeStep: () => {
            const path = join(folder, `copy-${copies.length}`);
            cpSync(join(folder, 'index'), path, { recursive: true });
            copies.push({ path, least: committed, most: asked });
          },
        });
        index.refreshWith(async () => ({ anchors: [{ text: 'said', weight: 1 }], rank: 0.5, cluster: 1 }));
        for (let round = 1; round <= quickOrLong(5, 7); round++) {
          for (let at = 0; at < 3; at++) index.add(indexedDocument(`${round}-${at}`, { body: `round ${round}` }));
          if (round > 1) {
            index.remove(`${round - 1}-0`);
            index.add(indexedDocument(`${round - 1}-1`, { body: `again ${round}` }));
          }
          asked = round;
          await index.commit(round);
          committed = round;
        }
        await engine.mergeAll(index);
        await index[Symbol.asyncDispose]();
        assert.ok(copies.length > quickOrLong(30, 50));
        for (const { path, least, most } of copies) {
          await using copy = await engine.open(path, { durable: false });
          using snapshot = copy.snapshot();
          const round = (copy.place as number | undefined) ?? 0;
          assert.ok(round >= least && round <= most, `${path}: ${round}, not ${least} to ${most}`);
          assert.equal(snapshot.documents, round === 0 ? 0 : 2 * round + 1);
          assert.equal(found(snapshot, { kind: 'all' }).length, snapshot.documents);
          assert.equal(found(snapshot, term('again')).length, Math.max(0, round - 1));
          const ranked = found(snapshot, { kind: 'all' }).filter((id) => snapshot.facts(snapshot.find(id)!).rank > 0);
          assert.deepEqual(found(snapshot, term('said')).sort(), ranked.sort());
          copy.add(indexedDocument('more', { body: 'round more' }));
          await copy.commit('on');
          using after = copy.snapshot();
          assert.deepEqual(found(after, term('more')), ['more']);
        }
      }));
  });
}
