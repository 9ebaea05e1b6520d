import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LONGEST_SHORT_TEXT, ShortTexts } from '../../../../src/extract/texts/short-texts.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '~'), maxLength: LONGEST_SHORT_TEXT });

test('a text is what stands in the buffer, whatever was asked for before', () => {
  const texts = new ShortTexts();
  fc.assert(
    fc.property(fc.array(text, { maxLength: 50 }), (asked) => {
      for (const one of [...asked, ...asked]) assert.equal(texts.of(Buffer.from(`${one}rest`), one.length), one);
    }),
  );
});
