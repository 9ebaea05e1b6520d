import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteSourceOf } from '../../../../src/extract/byte-text.ts';
import { TextBlocks } from '../../../../src/extract/metadata/text-blocks.ts';
import { scanOnce } from '../../../../src/extract/scan-once.ts';
import { collapse } from '../../../../src/extract/white-space.ts';

const piece = fc.oneof(
  fc.constantFrom(
    'Author: X',
    'Written by',
    'a',
    ' ',
    '<b>',
    '&nbsp;',
    '&#50;',
    '&#x32;',
    '&eacute;',
    'é',
    '“',
    '７',
    '१',
    '٣',
    '12',
    '1',
    'A',
    'An',
    'uthor:',
    '&#117;thor',
    ` 9${'x'.repeat(700)}`,
    '<i>',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);

test('a block of a document that tells nothing has neither two digits nor the word for an author', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const source = byteSourceOf(`<p>${pieces.join('').replaceAll(/<(?![bi]>)/g, '')}</p>`);
      const [blocks] = scanOnce<[TextBlocks]>(source, [(scanner) => new TextBlocks(scanner)]);
      for (let from = 0, to = blocks.endOf(from); to !== -1; from = to + 2, to = blocks.endOf(from)) {
        if (blocks.mayTellOfDocument(from, to)) continue;
        const text = collapse(blocks.beginning(from, to));
        assert.doesNotMatch(text, /\d\d|[\u0660-\u0fff\uff10-\uff19]/);
        assert.doesNotMatch(text, /^(?:Author|Written by|Autor|Verfasser|Auteur)/);
      }
    }),
    { numRuns: 2000 },
  );
});
