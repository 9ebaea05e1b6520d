import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CodeUnits } from '../../../../../src/base/code-units.ts';
import { KernelReader } from '../../../../../src/dedupe/near/kernel/kernel-reader.ts';
import { MOST_UNITS } from '../../../../../src/dedupe/near/kernel/memory-layout.ts';
import { Sketcher } from '../../../../../src/dedupe/near/sketcher.ts';
import { TextReader } from '../../../../../src/dedupe/near/text-reader.ts';

const units = new CodeUnits();
const kernel = new KernelReader();
const plain = new TextReader();

function assertSame(text: string): void {
  const { words, letters, shingles } = plain.read(units.of(text), text.length);
  assert.deepEqual(kernel.read(units.of(text), text.length), { words, letters, shingles });
  if (shingles > 0) assert.deepEqual(kernel.sketch(), plain.sketch());
}

describe('the sketch made in WebAssembly is that made in TypeScript', () => {
  const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJÄÖéßИжΣς0123456789_');
  const gaps = fc.constantFrom(...' .,-\n\t’“”\u0000\u00a0\u2028');
  const peculiar = fc.constantFrom(
    ...[...'中文網路かなไทยမြန်한국यहवाİ\u0301\u0e33ｱ々〆𝒜𐐀\u{20000}\u{2ffff}😀👩🏽'],
    '\ud83d',
    '\ude00',
    '\ud840',
  );
  const any = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

  test('of any units', () => {
    const unit = fc.oneof(
      { weight: 8, arbitrary: letters },
      { weight: 2, arbitrary: gaps },
      { weight: 1, arbitrary: peculiar },
      { weight: 1, arbitrary: any },
    );
    fc.assert(fc.property(fc.string({ unit, maxLength: 1000, size: 'max' }), assertSame), { numRuns: 500 });
  });

  test('of scripts without spaces, and of units without order', () => {
    fc.assert(fc.property(fc.string({ unit: peculiar, maxLength: 300, size: 'max' }), assertSame), { numRuns: 300 });
    fc.assert(fc.property(fc.string({ unit: any, maxLength: 300, size: 'max' }), assertSame), { numRuns: 300 });
  });

  test('of every unit, learnt or not', () => {
    for (let from = 0; from < 0x10000; from += 0x1000) {
      let text = '';
      for (let unit = from; unit < from + 0x1000; unit++) text += `a${String.fromCharCode(unit)}b `;
      assertSame(text);
      assertSame(text);
    }
  });

  test('of texts that end in the middle of something, after longer ones', () => {
    const long = 'some words and others '.repeat(40);
    for (const end of ['', 'x', ' ', '中', '\ud83d', '\ud83d\ude00', '\ud840\udc00', '𝒜', '\udc00', '\u0000']) {
      assertSame(`${long}\ude00${long}`);
      assertSame(`one two three four five six${end}`);
      assertSame(end);
    }
  });

  test('of as many words as fit, of one, and of words of any length', () => {
    for (const text of ['中', 'a ', 'ab', 'a', ' ']) assertSame(text.repeat(MOST_UNITS).slice(0, MOST_UNITS));
    for (const length of [7, 8, 9, 31, 254, 255, 256, 257, 512, 5000]) assertSame(`${'x'.repeat(length)} `.repeat(12));
    for (let words = 0; words < 80; words++) assertSame(Array.from({ length: words }, (_, i) => `word${i}`).join(' '));
  });
});

test('a text that is too long for the kernel has a sketch', () => {
  const sketcher = new Sketcher();
  const text = Array.from({ length: MOST_UNITS / 4 }, (_, i) => `w${i % 1000}`).join(' ');
  const reader = new TextReader();
  for (const part of [text.slice(0, MOST_UNITS), text.slice(0, MOST_UNITS + 1), text]) {
    reader.read(units.of(part), part.length);
    assert.deepEqual(sketcher.of(part), reader.sketch());
  }
});
