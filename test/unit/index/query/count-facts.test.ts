import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DocumentFacts } from '../../../../src/contracts/search-index.ts';
import { openSegmentIndex } from '../../../../src/index/segment-index.ts';
import { fileTypeName } from '../../../../src/search/query/file-types.ts';
import { facetsOf } from '../../../../src/search/results/facets.ts';
import { indexedDocument } from '../../../conformance/search-index-suite.ts';
import { analyzeWords } from '../brute-force-scores.ts';

const NEW_YEAR = Date.UTC(2024, 0, 1);
const facts: fc.Arbitrary<DocumentFacts> = fc
  .record({
    host: fc.constantFrom('', 'a.example', 'b.example', 'c.example:8080'),
    mediaType: fc.constantFrom('', 'text/html', 'application/xhtml+xml', 'application/pdf', 'x/unknown'),
    language: fc.constantFrom('', 'en', 'de'),
    // Around the turn of a year, far away, and unknown.
    date: fc.oneof(
      fc.integer({ min: NEW_YEAR - 2, max: NEW_YEAR + 2 }),
      fc.integer({ min: 0, max: Date.UTC(2400, 0) }),
      fc.constant(0),
    ),
    fetchedAt: fc.nat(),
    cluster: fc.nat(3),
    spam: fc.constant(0),
    rank: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  // A plain object, as the index gives it back.
  .map((facts) => ({ ...facts }));

/** Read document by document, as it is stored. */
function countedOneByOne(all: readonly DocumentFacts[]): ReturnType<typeof facetsOf> {
  const by = (valueIn: (facts: DocumentFacts) => string) => {
    const counts = new Map<string, number>();
    for (const value of all.map(valueIn)) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, 20);
  };
  return {
    host: by(({ host }) => host),
    language: by(({ language }) => language),
    type: by(({ mediaType }) => (mediaType === '' ? '' : fileTypeName(mediaType))),
    year: by(({ date }) => (date > 0 ? String(new Date(date).getUTCFullYear()) : '')).sort(
      (a, b) => Number(b.value) - Number(a.value),
    ),
  };
}

test('columns answer what the documents themselves say, over segments and deletions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { minLength: 1, maxLength: 60 }), fc.nat(59), async (all, removed) => {
      const folder = mkdtempSync(join(tmpdir(), 'count-facts-'));
      try {
        await using index = await openSegmentIndex({ folder, analyze: analyzeWords });
        for (const [at, facts] of all.entries()) {
          index.add(indexedDocument(`${at}`, { body: 'word', facts }));
          if (at % 20 === 19) await index.commit();
        }
        index.remove(`${removed}`);
        await index.commit();
        using snapshot = index.snapshot();
        const { documents, total } = snapshot.matches({ kind: 'term', terms: ['word'] }, 1000);
        assert.equal(documents.length, total);
        const stored = Array.from(documents, (document) => snapshot.document(document));
        for (const [at, { id, facts }] of stored.entries()) {
          assert.deepEqual(facts, all[Number(id)]);
          assert.deepEqual(snapshot.facts(documents[at]), facts);
          for (const name of Object.keys(facts) as (keyof DocumentFacts)[])
            assert.equal(snapshot.fact(name, documents[at]), facts[name]);
        }
        const expected = countedOneByOne(all.filter((_, at) => at !== removed));
        assert.deepEqual(facetsOf(snapshot.countFacts(documents)), expected);
        const selected = snapshot.select(documents, new Set(['a.example', 'z.example']), new Set([2, 1026]));
        assert.deepEqual(
          [...selected].sort((a, b) => a - b),
          Array.from(documents)
            .filter((_, at) => stored[at].facts.host === 'a.example' || stored[at].facts.cluster === 2)
            .sort((a, b) => a - b),
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 25 },
  );
});
