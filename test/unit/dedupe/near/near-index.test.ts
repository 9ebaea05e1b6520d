import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ContentSketch } from '../../../../src/contracts/content/content-sketch.ts';
import { HIGH_WORD, LOW_WORD } from '../../../../src/dedupe/near/chain-walk.ts';
import { hammingDistance } from '../../../../src/dedupe/near/hamming.ts';
import { NearIndex } from '../../../../src/dedupe/near/near-index.ts';
import { PackedRecords } from '../../../../src/dedupe/near/packed-records.ts';
import { PermutedTables, tablesFor } from '../../../../src/dedupe/near/permuted-tables.ts';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { propertyRuns } from '../../../property-runs.ts';

const fingerprint = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const flips = fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 9 });

function tablesOf(fingerprints: readonly bigint[], distance: number): PermutedTables {
  const records = new PackedRecords(2 + tablesFor(distance));
  const tables = new PermutedTables({ records, distance, firstLink: 2 });
  for (const value of fingerprints) {
    const record = records.add();
    records.set(record, LOW_WORD, Number(value & 0xffffffffn));
    records.set(record, HIGH_WORD, Number(value >> 32n));
    tables.add(record);
  }
  return tables;
}

function found(tables: PermutedTables, query: bigint): number[] {
  const records = new Set<number>();
  tables.find(Number(query & 0xffffffffn), Number(query >> 32n), records);
  return [...records].sort((a, b) => a - b);
}

describe('PermutedTables', () => {
  for (const distance of [0, 1, 2, 3, 4, 5, 6, 7]) {
    test(`find exactly what is within ${distance} bits`, () => {
      fc.assert(
        fc.property(fingerprint, fc.array(flips, { minLength: 1, maxLength: 40 }), (query, changes) => {
          const values = changes.map((bits) => bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), query));
          const near = values.flatMap((value, i) => (hammingDistance(value, query) <= distance ? [i] : []));
          assert.deepEqual(found(tablesOf(values, distance), query), near);
        }),
        { numRuns: propertyRuns(40) },
      );
    });
  }

  test('find everything after buckets were split many times', () => {
    const random = randomWords(3);
    const values = Array.from({ length: 200_000 }, () => (BigInt(random()) << 32n) | BigInt(random()));
    const tables = tablesOf(values, 3);
    for (let i = 0; i < values.length; i += 997) {
      const query = values[i] ^ (1n << BigInt(i % 64)) ^ (1n << BigInt((i * 5 + 1) % 64));
      assert.ok(found(tables, query).includes(i));
    }
  });
});

describe('NearIndex', () => {
  const maker = new Sketcher();
  const text = (seed: number): string[] => {
    const random = randomWords(seed);
    return Array.from({ length: 200 }, () => `word${random() % 5000}`);
  };

  function indexOf(texts: readonly string[], threshold = 0.8): { index: NearIndex; sketches: ContentSketch[] } {
    const sketches = texts.map((one) => maker.of(one)!);
    const index = new NearIndex({ contentSketch: (document) => sketches[document - 100] }, { threshold });
    for (const [i, contentSketch] of sketches.entries()) index.add(100 + i, contentSketch);
    return { index, sketches };
  }

  test('finds copies with small changes, the likest first, under the numbers they were given', () => {
    const words = text(1);
    const changed = [words, words.with(3, 'x'), words.with(3, 'x').with(190, 'y'), text(2)];
    const { index, sketches } = indexOf(changed.map((list) => list.join(' ')));
    const alike = index.alike(sketches[0]);
    assert.deepEqual(
      alike.map(({ document }) => document),
      [100, 101, 102],
    );
    assert.equal(alike[0].jaccard, 1);
    assert.equal(alike[0].distance, 0);
    assert.ok(alike[1].jaccard > alike[2].jaccard && alike[2].jaccard >= 0.8);
    assert.equal(index.size, 4);
  });

  test('equal simhashes alone are no near-duplicates', () => {
    const words = text(3);
    // The same words in another order: the same simhash, no shingle in common.
    const { index, sketches } = indexOf([words.join(' '), words.toReversed().join(' ')]);
    assert.equal(sketches[0].simhash, sketches[1].simhash);
    assert.deepEqual(
      index.alike(sketches[0]).map(({ document }) => document),
      [100],
    );
  });

  test('a document that the store does not know is passed over', () => {
    const contentSketch = maker.of(text(4).join(' '))!;
    const index = new NearIndex({ contentSketch: () => undefined });
    index.add(1, contentSketch);
    assert.deepEqual(index.alike(contentSketch), []);
  });

  test('a document that changed is found by its new text alone', () => {
    const kept = new Map<number, ContentSketch>();
    const index = new NearIndex({ contentSketch: (document) => kept.get(document) });
    const before = maker.of(text(5).join(' '))!;
    const after = maker.of(text(6).join(' '))!;
    for (const contentSketch of [before, after]) {
      const former = kept.get(1);
      if (former !== undefined) assert.ok(index.remove(1, former));
      kept.set(1, contentSketch);
      index.add(1, contentSketch);
    }
    assert.deepEqual(index.alike(before), []);
    assert.equal(index.alike(after).length, 1);
    assert.equal(index.size, 1);
  });

  test('a document is removed only by the sketch it was added with', () => {
    const { index, sketches } = indexOf([text(1).join(' '), text(2).join(' ')]);
    assert.equal(index.remove(100, sketches[1]), false);
    assert.equal(index.remove(102, sketches[1]), false);
    assert.equal(index.remove(100, { ...sketches[0], sketch: sketches[1].sketch }), false, 'the same simhash');
    assert.equal(index.size, 2);
    assert.equal(index.alike(sketches[0]).length, 1);
    assert.equal(index.remove(100, sketches[0]), true);
    assert.equal(index.remove(100, sketches[0]), false);
    assert.deepEqual(index.alike(sketches[0]), []);
    assert.equal(index.alike(sketches[1]).length, 1);
  });

  test('after any sequence of additions, changes and removals it answers as one built anew from what is left', () => {
    const documents = 24;
    const variant = fc.record({
      family: fc.integer({ min: 0, max: 5 }),
      bit: fc.integer({ min: 0, max: 63 }),
      changes: fc.integer({ min: 0, max: 80 }),
    });
    const step = fc.record({
      document: fc.integer({ min: 1, max: documents }),
      becomes: fc.option(variant, { nil: undefined, freq: 3 }),
    });
    const families = Array.from({ length: 6 }, (_, i) => drawn(i + 1));
    // Two variants of a text differ in two bits at most, so that every one alike is a candidate wherever it lies.
    const make = ({ family, bit, changes }: { family: number; bit: number; changes: number }): ContentSketch => {
      const { simhash, sketch, shingles } = families[family];
      const copy = sketch.slice();
      for (let i = 0; i < changes; i++) copy[(i * 5) % 400] ^= 1 + (bit & 1);
      return { simhash: simhash ^ (1n << BigInt(bit)), sketch: copy, shingles };
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), fc.integer({ min: 0, max: 4 }), (steps, firstBits) => {
        const kept = new Map<number, ContentSketch>();
        const store = { contentSketch: (document: number) => kept.get(document) };
        const index = new NearIndex(store, { firstBits });
        for (const { document, becomes } of steps) {
          const former = kept.get(document);
          if (former !== undefined) assert.ok(index.remove(document, former));
          kept.delete(document);
          if (becomes === undefined) continue;
          kept.set(document, make(becomes));
          index.add(document, kept.get(document)!);
        }
        const anew = new NearIndex(store);
        for (const [document, contentSketch] of kept) anew.add(document, contentSketch);
        assert.equal(index.size, kept.size);
        for (const contentSketch of [...kept.values(), ...families])
          assert.deepEqual(index.alike(contentSketch), anew.alike(contentSketch));
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test('many changes of many documents leave as many places as documents', () => {
    const kept = Array.from({ length: 2000 }, (_, i) => drawn(i));
    const index = new NearIndex({ contentSketch: (document) => kept[document] }, { firstBits: 4 });
    for (const [document, contentSketch] of kept.entries()) index.add(document, contentSketch);
    const bytes = index.bytes;
    for (let change = 1; change <= 20; change++) {
      for (const [document, former] of kept.entries()) {
        assert.ok(index.remove(document, former));
        kept[document] = drawn(document + change * 10_000);
        index.add(document, kept[document]);
      }
    }
    assert.equal(index.size, kept.length);
    assert.equal(index.bytes, bytes);
    for (const [document, contentSketch] of kept.entries()) {
      assert.deepEqual(
        index.alike(contentSketch).map((alike) => alike.document),
        [document],
      );
    }
  });

  test('thousands of equal pages cost a bounded number of reads', () => {
    const contentSketch = maker.of(text(7).join(' '))!;
    let reads = 0;
    const index = new NearIndex({
      contentSketch: () => {
        reads++;
        return contentSketch;
      },
    });
    for (let i = 0; i < 5000; i++) index.add(i, contentSketch);
    assert.equal(index.alike(contentSketch).length, 64);
    assert.equal(reads, 64);
  });

  test('takes at most 40 bytes per document, and finds among many', () => {
    const random = randomWords(9);
    const wide = new BigUint64Array(1);
    const halves = new Uint32Array(wide.buffer);
    const sketch = new Uint8Array(464);
    const bytes = new Uint32Array(sketch.buffer);
    const target = maker.of(text(8).join(' '))!;
    const index = new NearIndex({ contentSketch: (document) => (document === 7 ? target : undefined) });
    for (let i = 0; i < 1 << 19; i++) {
      halves[0] = random();
      halves[1] = random();
      for (let at = 100; at < bytes.length; at++) bytes[at] = random();
      index.add(i, i === 7 ? target : { simhash: wide[0], sketch, shingles: 100 });
    }
    assert.deepEqual(
      index.alike(target).map(({ document }) => document),
      [7],
    );
    assert.ok(index.bytes / index.size <= 40, `${index.bytes / index.size} bytes`);
  });
});

/** A sketch that is like no other. */
function drawn(seed: number): ContentSketch {
  const random = randomWords(Math.imul(seed + 1, 0x9e3779b1) | 1);
  for (let i = 0; i < 4; i++) random();
  const sketch = new Uint8Array(464);
  const words = new Uint32Array(sketch.buffer);
  for (let i = 0; i < words.length; i++) words[i] = random();
  return { simhash: (BigInt(random()) << 32n) | BigInt(random()), sketch, shingles: 500 };
}

function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.imul(state, 0x2545f491) >>> 0;
  };
}
