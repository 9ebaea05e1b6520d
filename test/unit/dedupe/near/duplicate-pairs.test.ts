import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DuplicatePairs, findDuplicatePairs } from '../../../../src/dedupe/near/duplicate-pairs.ts';
import { jaccardAtLeast, type Spill } from '../../../../src/dedupe/near/shingle-shelf.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { distinctShingles, jaccard } from './shingles.ts';

/** Texts in families: each the changed copy of a parent. */
const families = fc.array(
  fc.record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    length: fc.integer({ min: 5, max: 120 }),
    changes: fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 6 },
);

function textsOf(drawn: { seed: number; length: number; changes: number[][] }[]): { id: string; text: string }[] {
  return drawn.flatMap(({ seed, length, changes }, family) => {
    const words = Array.from({ length }, (_, i) => `w${(Math.imul(seed + i, 0x9e3779b1) >>> 0) % 997}`);
    return changes.map((places, copy) => {
      const own = [...words];
      for (const place of places) own[place % own.length] = `changed${place}`;
      return { id: `${family}-${copy}`, text: own.join(' ') };
    });
  });
}

function bruteForce(texts: { id: string; text: string }[], threshold: number, shingle = 5): string[] {
  const sets = texts.map(({ text }) => distinctShingles(text.split(' '), shingle));
  const pairs: string[] = [];
  for (const [i, a] of sets.entries()) {
    for (let j = i + 1; j < sets.length; j++) {
      const exact = jaccard(a, sets[j]);
      if (exact >= threshold) pairs.push(`${texts[i].id} ${texts[j].id} ${exact.toFixed(9)}`);
    }
  }
  return pairs.sort();
}

describe('DuplicatePairs', () => {
  test('by shingles of any length', () => {
    fc.assert(
      fc.property(families, fc.integer({ min: 1, max: 20 }), (drawn, shingle) => {
        const texts = textsOf(drawn);
        const truth = new Set(bruteForce(texts, 0.8, shingle));
        for (const { a, b, jaccard: exact } of findDuplicatePairs(texts, { threshold: 0.8, shingle }))
          assert.ok(truth.has(`${a} ${b} ${exact.toFixed(9)}`), `${a} ${b}`);
        assert.equal(findDuplicatePairs(texts, { threshold: 1, shingle }).length, bruteForce(texts, 1, shingle).length);
      }),
      { seed: 12, numRuns: propertyRuns(60) },
    );
  });

  for (const threshold of [0.3, 0.5, 0.8, 0.95, 1]) {
    test(`finds the pairs of at least ${threshold}, with their exact coefficients`, () => {
      let expected = 0;
      let missed = 0;
      fc.assert(
        fc.property(families, (drawn) => {
          const texts = textsOf(drawn);
          const truth = new Set(bruteForce(texts, threshold));
          const found = findDuplicatePairs(texts, { threshold }).map(
            ({ a, b, jaccard: j }) => `${a} ${b} ${j.toFixed(9)}`,
          );
          assert.equal(new Set(found).size, found.length, 'a pair is told twice');
          for (const pair of found) assert.ok(truth.has(pair), pair);
          expected += truth.size;
          missed += truth.size - found.length;
        }),
        { seed: 11, numRuns: propertyRuns(80) },
      );
      assert.ok(missed <= 0.01 * expected, `${missed} of ${expected} missed`);
    });
  }

  test('the likest first', () => {
    const words = Array.from({ length: 100 }, (_, i) => `w${i}`);
    const pairs = findDuplicatePairs(
      [
        { id: 1, text: words.join(' ') },
        { id: 2, text: words.with(50, 'x').join(' ') },
        { id: 3, text: words.join(' ') },
        { id: 4, text: 'too short' },
      ],
      { threshold: 0.8 },
    );
    assert.deepEqual(
      pairs.map(({ a, b }) => [a, b]),
      [
        [1, 3],
        [1, 2],
        [2, 3],
      ],
    );
    assert.equal(pairs[0].jaccard, 1);
  });

  test('finds the same when everything is spilled', () => {
    const texts = textsOf([{ seed: 7, length: 90, changes: [[], [3], [50], [3, 80]] }]);
    const batch = new DuplicatePairs<string>({ threshold: 0.7, shelf: { memoryBytes: 500, spill: new MemorySpill() } });
    for (const { id, text } of texts) batch.add(id, text);
    assert.deepEqual(batch.pairs(), findDuplicatePairs(texts, { threshold: 0.7 }));
    assert.ok(batch.pairs().length >= 3);
  });
});

test('jaccardAtLeast is the coefficient, or undefined below the threshold', () => {
  const list = fc
    .uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1 })
    .map((items) => items.sort((a, b) => a - b));
  fc.assert(
    fc.property(list, list, fc.double({ min: 0.1, max: 1, noNaN: true }), (a, b, threshold) => {
      const exact = jaccard(new Set(a), new Set(b));
      const told = jaccardAtLeast(Int32Array.from(a), Int32Array.from(b), threshold);
      if (Math.abs(exact - threshold) > 1e-9) assert.equal(told, exact > threshold ? exact : undefined);
      assert.equal(jaccardAtLeast(Int32Array.from(a), Int32Array.from(a), 1), 1);
    }),
  );
});

class MemorySpill implements Spill {
  readonly #kept: Uint8Array[] = [];

  append(bytes: Uint8Array): number {
    return this.#kept.push(bytes.slice()) - 1;
  }

  read(place: number, bytes: Uint8Array): void {
    bytes.set(this.#kept[place]);
  }
}
