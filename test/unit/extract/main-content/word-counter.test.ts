import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CodeUnits } from '../../../../src/base/code-units.ts';
import { countWordsBetweenBlanks, countWordsIn } from '../../../../src/extract/main-content/word-count.ts';
import { WordCounter } from '../../../../src/extract/main-content/word-counter.ts';

const units = new CodeUnits();
const counter = new WordCounter();

function assertCounted(text: string): void {
  const read = units.of(text);
  const between = text.split(/[\0- ]+/).filter((word) => word !== '');
  assert.deepEqual(counter.count(read, text.length), {
    words: countWordsIn(read, text.length),
    betweenBlanks: between.length,
  });
  assert.equal(countWordsBetweenBlanks(read, text.length), between.length);
}

test('the words of any units are counted', () => {
  const plain = fc.constantFrom(...'abc  \n\u0000\u0021\u00a0é');
  const far = fc.constantFrom(...'\u0dff\u0e00\u0eff\u0f00ကႠហ\u3000\u3001かー中\u9fff\ua000\uac00\ud83d\ude00\uffff’');
  const any = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  for (const unit of [
    fc.oneof({ weight: 9, arbitrary: plain }, { weight: 1, arbitrary: far }),
    fc.oneof(plain, far),
    any,
  ])
    fc.assert(fc.property(fc.string({ unit, maxLength: 200, size: 'max' }), assertCounted), { numRuns: 500 });
});

test('every unit is counted as one by one', () => {
  for (let unit = 0; unit < 0x10000; unit++) assertCounted(`a${String.fromCharCode(unit)}b`);
});

test('words go on over the parts in which a long text is read', () => {
  for (const length of [24_575, 24_576, 24_577, 49_152, 100_000])
    for (const text of ['x', 'word ', '中', ' ']) assertCounted(text.repeat(length / text.length));
});
