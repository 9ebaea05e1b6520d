import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CodeUnits } from '../../../../src/base/code-units.ts';
import { hammingDistance } from '../../../../src/dedupe/near/hamming.ts';
import { SimhashSums } from '../../../../src/dedupe/near/simhash-sums.ts';
import { estimateJaccard, SKETCH_BYTES, sketchError } from '../../../../src/dedupe/near/sketch.ts';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { TextScan } from '../../../../src/dedupe/near/text-scan.ts';
import { distinctShingles, jaccard } from './shingles.ts';
import { simhash } from './textbook-simhash.ts';

const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 3, maxLength: 10 });
const words = fc.array(word, { minLength: 30, maxLength: 400 });

describe('Sketcher', () => {
  test('equal texts have equal sketches, whatever was read before', () => {
    fc.assert(
      fc.property(words, words, (one, other) => {
        const maker = new Sketcher();
        const first = maker.of(one.join(' '));
        maker.of(other.join(' '));
        assert.deepEqual(maker.of(one.join(' ')), first);
        assert.equal(estimateJaccard(first!.sketch, first!.sketch), 1);
        assert.equal(first!.sketch.length, SKETCH_BYTES);
        assert.equal(first!.shingles, distinctShingles(one, 5).size);
      }),
    );
  });

  test('a text as code units has the sketch of the text', () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const units = new CodeUnits();
    fc.assert(
      fc.property(words, fc.string({ unit, maxLength: 400 }), (some, any) => {
        const text = `${any} ${some.join(' ')}`;
        assert.deepEqual(new Sketcher().of(text, units.of(text)), new Sketcher().of(text));
      }),
    );
  });

  test('case, punctuation and spacing make no difference', () => {
    const maker = new Sketcher();
    const text = 'It was the best of times, it was the worst of times. '.repeat(3);
    assert.deepEqual(maker.of(text.toUpperCase().replaceAll(' ', '\n\t ')), maker.of(text.replaceAll(/[,.]/g, ' - ')));
  });

  test('texts of too few words have none', () => {
    const maker = new Sketcher();
    const sentence = Array.from({ length: 20 }, (_, i) => `word${i}`);
    assert.notEqual(maker.of(sentence.join(' ')), undefined);
    assert.equal(maker.of(sentence.slice(1).join(' ')), undefined);
    assert.equal(maker.of(''), undefined);
    assert.equal(maker.of(Array.from({ length: 25 }, (_, i) => i % 10).join(' ')), undefined, 'bare digits');
    assert.equal(new Sketcher({ minimumWords: 1 }).of('only four long words'), undefined, 'no shingle');
    assert.notEqual(new Sketcher({ minimumWords: 5 }).of('there are five longer words'), undefined);
  });

  test('scripts without spaces have a sketch', () => {
    const maker = new Sketcher();
    const text = '網路爬蟲是一種用來自動瀏覽網頁的機器人其目的一般為編纂網路索引'.repeat(2);
    const like = maker.of(`${text}搜尋引擎等站點通過爬蟲軟體更新自身的內容`);
    const other = maker.of(`${text}搜尋引擎等站點通過爬蟲軟體更新自身的索引`);
    assert.ok(estimateJaccard(like!.sketch, other!.sketch) > 0.8);
    assert.equal(maker.of('網路爬蟲是一種用來自動瀏覽網頁的機器人其目的一般為編纂'), undefined);
    const astral = String.fromCodePoint(...Array.from({ length: 70 }, (_, i) => 0x20000 + i));
    assert.equal(maker.of(`${astral} 😀`)?.shingles, 66);
  });

  test('broken surrogates, letters beyond the basic plane and marks are read', () => {
    const maker = new Sketcher({ minimumWords: 1 });
    assert.equal(maker.of('one two \ud83d three four \udc00 five')?.shingles, 1);
    assert.equal(maker.of('𝒜𝒷 𝒸𝒹 𝑒𝑓 𝑔𝒽 𝒾𝒿 𝓀𝓁')?.shingles, 2);
    assert.equal(maker.of('यह एक वाक्य है और')?.shingles, 1, 'vowel signs belong to their words');
  });

  test('the sums give the simhash of the weighted words', () => {
    fc.assert(
      fc.property(words, (list) => {
        const scan = new TextScan(1000);
        scan.read(list.join(' '));
        const features = Array.from({ length: scan.words }, (_, i) => ({
          hash: (BigInt(scan.wordHigh[i] >>> 0) << 32n) | BigInt(scan.wordLow[i] >>> 0),
          weight: Math.min(8, list[i].length),
        }));
        assert.equal(new SimhashSums().of(scan), simhash(features));
      }),
    );
  });

  test('estimates are within five standard errors of the exact coefficient', () => {
    const maker = new Sketcher();
    fc.assert(
      fc.property(words, words, fc.double({ min: 0, max: 1, noNaN: true }), (common, own, share) => {
        const one = [...common, ...own];
        const other = [...common, ...own.slice(0, Math.floor(share * own.length)), 'another', ...own.slice(-2)];
        const [a, b] = [distinctShingles(one, 5), distinctShingles(other, 5)];
        const exact = jaccard(a, b);
        const estimate = estimateJaccard(maker.of(one.join(' '))!.sketch, maker.of(other.join(' '))!.sketch);
        // A bin more or less is the grain of the estimate.
        const bound = 5 * sketchError(exact, (a.size + b.size) / (1 + exact)) + 2 / 400;
        assert.ok(Math.abs(estimate - exact) <= bound, `${estimate} for ${exact}, bound ${bound}`);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  test('one word of many changes few bits', () => {
    const maker = new Sketcher();
    const list = Array.from({ length: 300 }, (_, i) => `word${(i * i) % 211}`);
    const one = maker.of(list.join(' '));
    const other = maker.of(list.with(150, 'changed').join(' '));
    assert.ok(hammingDistance(one!.simhash, other!.simhash) <= 3);
  });
});
