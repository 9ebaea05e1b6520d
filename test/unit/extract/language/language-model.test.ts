import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  EDGE,
  eachGram,
  MOST_GRAMS,
  scriptWords,
  type WordCase,
  wordGrams,
} from '../../../../src/extract/language/grams.ts';
import { readModel, writeModel } from '../../../../src/extract/language/language-model.ts';
import { FIRST_SCRIPT, letterClasses } from '../../../../src/extract/language/letter-classes.ts';

const classes = letterClasses();

function words(text: string, wanted: WordCase = 'any'): string {
  const letters = new Uint16Array(200);
  const length = scriptWords(text, text.toLowerCase(), classes.of, FIRST_SCRIPT, wanted, letters);
  return String.fromCharCode(...letters.subarray(0, length)).replaceAll(String.fromCharCode(EDGE), '|');
}

function gramsOf(text: string): number[] {
  const letters = new Uint16Array(200);
  const grams: number[] = [];
  const length = scriptWords(text, text, classes.of, FIRST_SCRIPT, 'any', letters);
  eachGram(letters, 0, length, (gram) => grams.push(gram) > 0);
  return grams;
}

describe('words of a script', () => {
  test('edges, apostrophes, other scripts', () => {
    assert.equal(words("l’été 'n, don't “Было” x"), "|l'été|n|don't|x|");
    assert.equal(words(''), '|');
    assert.equal(words('12 34'), '|');
  });

  test('words with and without capitals', () => {
    assert.equal(words('the Orbweaver iPhone spins', 'small'), '|the|spins|');
    assert.equal(words('the Orbweaver iPhone spins', 'capital'), '|orbweaver|iphone|');
  });

  test('a word that never ends is cut', () => {
    assert.equal(words('x'.repeat(150)).length, 42);
  });
});

describe('grams of a word', () => {
  test('all at once they are those that are met one by one, whichever of them are known', () => {
    const grams = new Int32Array(MOST_GRAMS);
    const following = new Uint8Array(MOST_GRAMS);
    const letter = fc.oneof(fc.integer({ min: 0x61, max: 0x64 }), fc.integer({ min: 2, max: 0xffff }));
    const word = fc.array(letter, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 31 }), (written, known) => {
        const letters = Uint16Array.of(EDGE, EDGE, ...written, EDGE, EDGE);
        const isKnown = (gram: number) => (gram & known) !== 0;
        const met: number[] = [];
        eachGram(letters, 1, letters.length - 1, (gram) => {
          met.push(gram);
          return isKnown(gram);
        });
        const count = wordGrams(letters, 1, letters.length - 1, grams, following);
        const found: number[] = [];
        for (let index = 0; index < count; index++) {
          found.push(grams[index]);
          if (!isKnown(grams[index])) index += following[index];
        }
        assert.deepEqual(found, met);
      }),
    );
  });
});

describe('LanguageModel', () => {
  const [one, two, three] = gramsOf('ab');
  const part = {
    languages: ['aa', 'bb'],
    grams: Int32Array.of(three, one, two),
    weights: Int8Array.of(1, 2, 30, 40, -5, 6),
    unit: 0.5,
  };

  test('what is written is read again', () => {
    const [model] = readModel(writeModel([part, { ...part, languages: ['cc', 'dd'] }]));
    assert.deepEqual(model.languages, ['aa', 'bb']);
    const letters = new Uint16Array(20);
    const length = scriptWords('ab', 'ab', classes.of, FIRST_SCRIPT, 'any', letters);
    const scores = new Float64Array(2);
    assert.equal(model.score(letters, length, 2, scores), 3);
    assert.deepEqual([...scores], [26, 48]);
  });

  test('a gram that is 0 says nothing', () => {
    const letters = Uint16Array.of(EDGE, 0xf3, 0xff38, 0x244, EDGE);
    const grams: number[] = [];
    eachGram(letters, 0, letters.length, (gram) => grams.push(gram) > 0);
    const zero = grams.indexOf(0);
    assert.ok(zero >= 2);
    const [model] = readModel(writeModel([{ ...part, grams: Int32Array.of(one, grams[zero - 2], grams[zero - 1]) }]));
    const scores = new Float64Array(2);
    assert.equal(model.score(letters, letters.length, 1, scores), 2);
  });

  test('words of unknown grams say nothing', () => {
    const [model] = readModel(writeModel([part]));
    const letters = new Uint16Array(20);
    const scores = new Float64Array(2);
    const length = scriptWords('xyz', 'xyz', classes.of, FIRST_SCRIPT, 'any', letters);
    assert.equal(model.score(letters, length, 1, scores), 0);
    assert.deepEqual([...scores], [0, 0]);
  });
});
