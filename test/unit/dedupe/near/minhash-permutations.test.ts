import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ContentSketch } from '../../../../src/contracts/content/content-sketch.ts';
import { MinhashPermutations } from '../../../../src/dedupe/near/minhash-permutations.ts';
import { NearIndex } from '../../../../src/dedupe/near/near-index.ts';
import {
  areUnlike,
  estimateAlike,
  estimateJaccard,
  SKETCH_BYTES,
  sketchError,
} from '../../../../src/dedupe/near/sketch.ts';
import { areComparable, DEFAULT_METHOD, isSameMethod, methodOf } from '../../../../src/dedupe/near/sketch-method.ts';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { mix } from '../../../../src/dedupe/near/text-scan.ts';
import { distinctShingles, jaccard } from './shingles.ts';

/** The sketch of the lecture: about 200 values, from as many permutations; its shingles are 4-grams. */
const TAUGHT = { shingle: 4, permutations: 200 };

const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 3, maxLength: 10 });
const words = fc.array(word, { minLength: 30, maxLength: 400 });

const sketcher = new Sketcher({ method: TAUGHT, minimumWords: 1 });
const sketchOf = (text: string): ContentSketch => sketcher.of(text)!;
const setOf = (hashes: readonly number[]) => ({ shingleLow: Int32Array.from(hashes), shingles: hashes.length });
const shareEqual = (a: Int32Array, b: Int32Array): number => a.filter((value, i) => value === b[i]).length / a.length;

/** Every order of the rows 0 to count - 1. */
function* orders(count: number, begun: readonly number[] = []): Generator<readonly number[]> {
  if (begun.length === count) yield begun;
  for (let row = 0; row < count; row++) if (!begun.includes(row)) yield* orders(count, [...begun, row]);
}

describe('the worked example of the lecture (deck 002)', () => {
  const columns = [
    [0, 1, 1, 0, 1, 0],
    [1, 0, 1, 0, 1, 1],
  ];

  test('of all permutations of the rows, 2/5 have the first one of both columns in the same row', () => {
    const all = [...orders(6)];
    const first = (order: readonly number[], column: readonly number[]): number =>
      order.findIndex((row) => column[row] === 1);
    const equal = all.filter((order) => first(order, columns[0]) === first(order, columns[1])).length;
    assert.equal(equal / all.length, 2 / 5);
  });

  test('the permutations of the sketch find the same share, but for their error', () => {
    const count = 1000;
    const rows = columns.map((column) => column.flatMap((one, row) => (one === 1 ? [mix(row + 1)] : [])));
    const [a, b] = rows.map((hashes) => new MinhashPermutations(count).read(setOf(hashes)).slice());
    assert.ok(Math.abs(shareEqual(a, b) - 2 / 5) < 4 * sketchError(2 / 5, 5, { permutations: count }));
  });

  test('a rose is a rose is a rose: three 4-grams, of which a shorter text has two', () => {
    const roses = sketchOf('a rose is a rose is a rose');
    const fewer = sketchOf('a rose is a rose');
    assert.deepEqual([roses.shingles, fewer.shingles], [3, 2]);
    const estimate = estimateJaccard(roses.sketch, fewer.sketch);
    assert.ok(Math.abs(estimate - 2 / 3) < 4 * sketchError(2 / 3, 3, TAUGHT), String(estimate));
  });

  test('equal values stand for shingles that both have: without any, none are equal; with all, all', () => {
    assert.equal(
      estimateJaccard(sketchOf('one two three four five').sketch, sketchOf('six seven eight nine ten').sketch),
      0,
    );
    assert.equal(estimateJaccard(sketchOf('a rose is a rose').sketch, sketchOf('A rose, is a ROSE!').sketch), 1);
  });
});

describe('MinhashPermutations', () => {
  test('each is a permutation: no two numbers become one', () => {
    const permutations = new MinhashPermutations(16);
    const numbers = Array.from({ length: 5000 }, (_, i) => mix(i) ^ i);
    const images = numbers.map((number) => permutations.read(setOf([number])).slice());
    for (let i = 0; i < 16; i++) assert.equal(new Set(images.map((image) => image[i])).size, new Set(numbers).size);
  });

  test('every shingle of a text is the least of about as many permutations', () => {
    const [size, count] = [20, 1000];
    const hashes = Array.from({ length: size }, (_, i) => mix(1000 + i));
    const permutations = new MinhashPermutations(count);
    const least = permutations.read(setOf(hashes)).slice();
    const wins = hashes.map((hash) => least.filter((value, i) => permutations.read(setOf([hash]))[i] === value).length);
    assert.equal(
      wins.reduce((sum, won) => sum + won, 0),
      count,
    );
    const expected = count / size;
    // Chi-square with 19 degrees of freedom: more than 43.8 once in a thousand draws.
    assert.ok(wins.reduce((sum, won) => sum + (won - expected) ** 2 / expected, 0) < 43.8, String(wins));
  });

  test('estimates are within five standard errors of the exact coefficient', () => {
    const count = fc.constantFrom(64, 200, 400);
    fc.assert(
      fc.property(
        words,
        words,
        fc.double({ min: 0, max: 1, noNaN: true }),
        count,
        (common, own, share, permutations) => {
          const method = { shingle: 4, permutations };
          const one = [...common, ...own];
          const other = [...common, ...own.slice(0, Math.floor(share * own.length)), 'another', ...own.slice(-2)];
          const exact = jaccard(distinctShingles(one, 4), distinctShingles(other, 4));
          const maker = new Sketcher({ method });
          const estimate = estimateJaccard(maker.of(one.join(' '))!.sketch, maker.of(other.join(' '))!.sketch);
          // Where nearly all is equal the binomial distribution is lopsided: a value or two more.
          const bound = 5 * sketchError(exact, one.length, method) + 2 / permutations;
          assert.ok(Math.abs(estimate - exact) <= bound, `${estimate} for ${exact}, bound ${bound}`);
        },
      ),
      { seed: 5, numRuns: 200 },
    );
  });

  test('the mean of many estimates is the exact coefficient: there is no bias', () => {
    const drawn = (seed: number, length: number): string[] =>
      Array.from({ length }, (_, i) => `w${mix(seed * 4096 + i) >>> 0}`);
    for (const kept of [30, 60, 90]) {
      const errors = Array.from({ length: 100 }, (_, seed) => {
        const common = drawn(2 * seed, kept);
        const [one, other] = [1, 2].map((which) => [...common, ...drawn(10_000 + 2 * seed + which, 100 - kept)]);
        const exact = jaccard(distinctShingles(one, 4), distinctShingles(other, 4));
        return estimateJaccard(sketchOf(one.join(' ')).sketch, sketchOf(other.join(' ')).sketch) - exact;
      });
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
      assert.ok(Math.abs(mean) < (4 * 0.0354) / Math.sqrt(errors.length), `${mean} for ${kept} words of 100`);
    }
  });
});

describe('the method of a sketch', () => {
  const text = Array.from({ length: 120 }, (_, i) => `word${(i * i) % 97}`).join(' ');
  const methods = [
    DEFAULT_METHOD,
    { shingle: 4 },
    { shingle: 5, permutations: 200 },
    { shingle: 4, permutations: 200 },
    // Without its mark it would have the length of the default.
    { shingle: 5, permutations: 199 },
    { shingle: 20, permutations: 16 },
    { shingle: 1, permutations: 1000 },
  ];
  const made = methods.map((method) => new Sketcher({ method }).of(text)!);

  test('a sketch tells its method; that of the default is what it always was', () => {
    for (const [i, method] of methods.entries()) assert.deepEqual(methodOf(made[i].sketch), method);
    assert.equal(made[0].sketch.length, SKETCH_BYTES);
    assert.equal(made[2].sketch.length, SKETCH_BYTES + 1);
  });

  test('only sketches of one method are compared', () => {
    for (const [i, a] of made.entries()) {
      for (const [j, b] of made.entries()) {
        assert.equal(areComparable(a.sketch, b.sketch), i === j);
        assert.equal(isSameMethod(methods[i], methods[j]), i === j);
        assert.equal(estimateJaccard(a.sketch, b.sketch), i === j ? 1 : 0);
        assert.equal(areUnlike(a.sketch, b.sketch, 0.8), i !== j);
        assert.equal(estimateAlike(a, b, 0.3), i === j ? 1 : undefined);
      }
    }
  });

  test('an index finds near copies by any method, and none by another', () => {
    const list = text.split(' ');
    const near = list.with(60, 'changed').join(' ');
    for (const [i, method] of methods.entries()) {
      if (method.shingle === 20) continue;
      const index = new NearIndex({ contentSketch: (document) => made[document] }, { threshold: 0.7 });
      for (const [document, sketch] of made.entries()) index.add(document, sketch);
      const copy = new Sketcher({ method }).of(near)!;
      assert.deepEqual(
        index.alike(copy).map(({ document }) => document),
        [i],
        JSON.stringify(method),
      );
      for (const [document, sketch] of made.entries()) assert.ok(index.remove(document, sketch));
      assert.deepEqual([index.size, index.alike(copy)], [0, []]);
    }
  });
});
