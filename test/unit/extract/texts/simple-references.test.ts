import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeReferences } from '../../../../src/extract/character-references.ts';
import { CollapsedText } from '../../../../src/extract/texts/collapsed-text.ts';
import { collapse } from '../../../../src/extract/white-space.ts';

const piece = fc.constantFrom(
  ...['word', ' ', '&', ';', 'é', '\u00a0', '&amp;', '&lt;', '&gt;', '&quot;', '&#39;', '&nbsp;', '&#160;'],
  ...['&amp', '&ampere;', '&lt ', '&gta', '&eacute;', '&#8203;', '&NBSP;', '&#x27;', '&notit;', '&#3', 'amp;', 'nbsp;'],
);

test('character references in a text are replaced as they are in a string', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const written = pieces.join('');
      const bytes = Buffer.from(written);
      const text = new CollapsedText(16);
      text.add(bytes, 0, bytes.length, false);
      assert.equal(text.take(), collapse(decodeReferences(written, false)));
    }),
    { numRuns: 500 },
  );
});

test('a reference that the text does not hold as a whole is none', () => {
  const bytes = Buffer.from('a&amp;b');
  const text = new CollapsedText(16);
  text.add(bytes, 0, 5, true);
  assert.equal(text.take(), 'a&amp');
});
