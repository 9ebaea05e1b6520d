import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { seededRandom } from '../../../src/base/seeded-random.ts';
import type { IndexedDocument } from '../../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../src/index/segment-index.ts';
import { openSearcher } from '../../../src/search/open-searcher.ts';
import { serveShard } from '../../../src/search/shards/serve-shard.ts';
import { openSearchThreads } from '../../../src/search/threads/search-threads.ts';
import { quickOrLong } from '../../property-runs.ts';

const DOCUMENTS = 900;
const QUERIES = quickOrLong(30, 200);
/** Each of these takes some dozen requests. */
const QUERIES_ELSEWHERE = quickOrLong(8, QUERIES);
const SHARDS = ['a', 'b', 'c'];
/** Equal scores come in the order of documents, which is another in another index: these are unlike by far more. */
const LEAST_GAP = 1e-6;

const random = seededRandom(17);
const WORDS = Array.from({ length: 400 }, () =>
  Array.from({ length: 2 + Math.floor(random() * 3) }, () => 'bcdfglmnprst'[Math.floor(random() * 12)])
    .map((consonant) => consonant + 'aeiou'[Math.floor(random() * 5)])
    .join(''),
);
/** Few words are frequent, many are rare. */
const word = (): string => WORDS[Math.floor(WORDS.length * random() ** 2)];
const words = (count: number): string => Array.from({ length: count }, word).join(' ');

function document(number: number): IndexedDocument {
  const host = `h${number % 40}.example`;
  const day = Date.UTC(2026, 0, 1 + (number % 300));
  return {
    ...{ id: `https://${host}/${number}`, title: words(3), headings: words(4), body: words(20 + (number % 130)) },
    ...{ description: words(8), anchors: [{ text: words(2), weight: 1 + (number % 7) }] },
    facts: {
      ...{ host, mediaType: 'text/html', language: 'en', date: day, fetchedAt: day, cluster: number, spam: 0 },
      rank: random(),
    },
  };
}

describe('several folders searched as one', () => {
  const root = mkdtempSync(join(tmpdir(), 'orbweaver-shards-'));
  const folderOf = (name: string): string => join(root, name);
  const [first, ...also] = SHARDS.map(folderOf);

  let queries: readonly string[];

  before(async () => {
    const documents = Array.from({ length: DOCUMENTS }, (_, number) => document(number));
    const make = async (name: string, held: readonly IndexedDocument[]): Promise<void> => {
      const analyze = createAnalyzer().analyze;
      await using index = await openSegmentIndex({ folder: join(folderOf(name), 'index'), analyze });
      for (const [at, one] of held.entries()) {
        index.add(one);
        // Several segments each.
        if (at % 200 === 199) await index.commit();
      }
      await index.commit();
    };
    await make('whole', documents);
    // Uneven, and by host, as nodes have them.
    const shardOf = ({ facts }: IndexedDocument): number =>
      [0, 0, 0, 1, 1, 2][Number.parseInt(facts.host.slice(1), 10) % 6];
    for (const [at, name] of SHARDS.entries())
      await make(
        name,
        documents.filter((one) => shardOf(one) === at),
      );
  });
  before(() => {
    queries = Array.from({ length: QUERIES }, (_, number) =>
      number % 5 === 4 ? `"${word()} ${word()}" OR ${word()}` : words(1 + (number % 4)),
    );
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  test(`the ten best of ${QUERIES} queries, and their scores, are those of one index`, async () => {
    const options = { texts: { texts: async () => [] }, now: () => 0 };
    await using one = await openSearcher(folderOf('whole'), options);
    await using several = await openSearcher(first, { ...options, also });
    assert.equal(several.documents, DOCUMENTS);
    let compared = 0;
    for (const query of queries) {
      const expected = one.rank(query, 11);
      const isTied = expected.some(({ score }, at) => at > 0 && expected[at - 1].score - score < LEAST_GAP);
      const found = several.rank(query, 11);
      assert.deepEqual(
        found.map(({ score }) => score),
        expected.map(({ score }) => score),
        query,
      );
      if (isTied) continue;
      compared++;
      assert.deepEqual(found.slice(0, 10), expected.slice(0, 10), query);
      const [a, b] = await Promise.all([one, several].map((searcher) => searcher.search({ query, facets: true })));
      assert.deepEqual([b.total, b.hits.map(({ id }) => id)], [a.total, a.hits.map(({ id }) => id)], query);
      assert.deepEqual(b.facets, a.facets, query);
    }
    assert.ok(compared > QUERIES * 0.9, `${compared} without ties`);
  });

  test(`over the network too: the ten best of ${QUERIES_ELSEWHERE} queries, their scores, counts and facets`, async () => {
    await using served = new AsyncDisposableStack();
    const shards: { readonly name: string; readonly address: string }[] = [];
    for (const name of SHARDS) {
      const shard = await serveShard({ folder: folderOf(name), node: name, address: '127.0.0.1:0', token: '' });
      shards.push({ name, address: served.use(shard).address });
    }
    await using one = await openSearcher(folderOf('whole'));
    await using local = await openSearcher(first, { also });
    await using several = await openSearcher('none', { remote: { shards, token: '', timeoutMs: 60_000 } });
    assert.equal(several.documents, DOCUMENTS);
    let compared = 0;
    for (const query of queries.slice(0, QUERIES_ELSEWHERE)) {
      const answer = async (searcher: typeof one) => ({ ...(await searcher.search({ query, facets: true })), ms: 0 });
      const found = several.rank(query, 11);
      assert.deepEqual(found, local.rank(query, 11), query);
      assert.deepEqual(await answer(several), await answer(local), query);
      const expected = one.rank(query, 11);
      if (expected.some(({ score }, at) => at > 0 && expected[at - 1].score - score < LEAST_GAP)) continue;
      compared++;
      assert.deepEqual(found.slice(0, 10), expected.slice(0, 10), query);
      const [a, b] = [await answer(one), await answer(several)];
      assert.deepEqual(
        [b.total, b.facets, b.hits.map(({ id }) => id)],
        [a.total, a.facets, a.hits.map(({ id }) => id)],
      );
    }
    assert.ok(compared > QUERIES_ELSEWHERE * 0.9, `${compared} without ties`);
  });

  test('a shard alone scores otherwise: the test above can fail', async () => {
    const options = { texts: { texts: async () => [] }, now: () => 0 };
    await using one = await openSearcher(folderOf('whole'), options);
    await using shard = await openSearcher(first, options);
    const query = WORDS[0];
    assert.notEqual(shard.rank(query, 1)[0].score, one.rank(query, 1)[0].score);
  });

  test('threads search all of them', async () => {
    await using threads = await openSearchThreads(first, { also, threads: 1 });
    assert.equal(threads.documents, DOCUMENTS);
    const { hits } = await threads.search({ query: WORDS[0], perPage: 100, unfolded: true });
    assert.ok(new Set(hits.map(({ id }) => new URL(id).host)).size > 20, 'of hosts of all shards');
  });
});
