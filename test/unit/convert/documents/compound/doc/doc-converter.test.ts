import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ConvertedDocument } from '../../../../../../src/contracts/content/document.ts';
import { convertDoc } from '../../../../../../src/convert/documents/compound/doc/doc-converter.ts';
import { numberText } from '../../../../../../src/convert/documents/compound/doc/doc-number-text.ts';
import { hyperlinkOf } from '../../../../../../src/convert/documents/open-xml/field-instruction.ts';
import { skipWithout } from '../../../../../corpora.ts';
import { makeCompoundFile } from '../../cfb-maker.ts';
import { corpusDocument, expectedDocuments, wrongFacts } from '../../old-office-corpus.ts';
import { PATIENT_LIMITS as LIMITS } from '../../patient-limits.ts';

/** A document of one piece of UTF-16, without properties. */
function makeDoc(text: string, flags = 0, pieces = 1): Uint8Array {
  const main = Buffer.alloc(2_048 + text.length * 2);
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(0xc1, 2);
  main.writeUInt16LE(flags, 10);
  main.writeUInt32LE(text.length * pieces, 0x4c);
  main.writeUInt32LE(0, 0x1a2);
  main.writeUInt32LE(5 + 4 + pieces * 12, 0x1a6);
  main.write(text, 2_048, 'utf16le');
  const table = Buffer.alloc(5 + 4 + pieces * 12);
  table.writeUInt8(2, 0);
  table.writeUInt32LE(4 + pieces * 12, 1);
  for (let i = 0; i <= pieces; i++) table.writeUInt32LE(i * text.length, 5 + i * 4);
  for (let i = 0; i < pieces; i++) table.writeUInt32LE(2_048, 5 + (pieces + 1) * 4 + i * 8 + 2);
  return makeCompoundFile({ WordDocument: main, '0Table': table });
}

function makeOldDoc(text: string, language: number): Uint8Array {
  const main = Buffer.alloc(768 + text.length);
  main.writeUInt16LE(0xa5dc, 0);
  main.writeUInt16LE(0x68, 2);
  main.writeUInt16LE(language, 6);
  main.writeUInt32LE(768, 0x18);
  main.writeUInt32LE(text.length, 0x34);
  main.write(text, 768, 'latin1');
  return makeCompoundFile({ WordDocument: main });
}

function convert(bytes: Uint8Array, limits = LIMITS): ConvertedDocument {
  const conversion = convertDoc(bytes, limits);
  assert.equal(conversion.kind, 'converted');
  return (conversion as { document: ConvertedDocument }).document;
}

describe('DOC', () => {
  test('paragraphs, special characters and fields', () => {
    const field = '\u0013 HYPERLINK "http://a.example/" \u0014the link\u0015';
    const document = convert(makeDoc(`One 日本\rTwo\u000bhas ${field} in\u001eit\r`));
    assert.deepEqual(document.blocks, [
      { kind: 'paragraph', text: 'One 日本' },
      { kind: 'paragraph', text: 'Two has the link in\u2011it' },
    ]);
    assert.deepEqual(document.links, [{ url: 'http://a.example/', text: 'the link' }]);
  });

  test('fields that are never ended lose no text', () => {
    const document = convert(makeDoc(`a\u0015b\u0014c\r\u0013${'x'.repeat(5_000)}\rd\r`));
    assert.equal(document.blocks.length, 3);
    assert.deepEqual(document.blocks[0], { kind: 'paragraph', text: 'abc' });
  });

  test('Word 95 is read in the code page of its language; cells make rows', () => {
    const document = convert(makeOldDoc('\xc4\xe0\ra\u0007b\u0007\u0007c\u0007d\u0007\u0007end\r', 0x0419));
    assert.deepEqual(document.blocks, [
      { kind: 'paragraph', text: 'Да' },
      {
        kind: 'table',
        rows: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
      { kind: 'paragraph', text: 'end' },
    ]);
  });

  test('encrypted, broken and unsupported files are told apart', () => {
    const why = (bytes: Uint8Array) => {
      const conversion = convertDoc(bytes, LIMITS);
      return conversion.kind === 'unreadable' ? conversion.why : conversion.kind;
    };
    assert.equal(why(makeDoc('a', 0x0100)), 'encrypted');
    assert.equal(why(makeCompoundFile({ EncryptedPackage: new Uint8Array(9) })), 'encrypted');
    assert.equal(why(makeCompoundFile({ WordDocument: new Uint8Array(9) })), 'unsupported');
    assert.equal(why(makeCompoundFile({ Workbook: new Uint8Array(9) })), 'broken');
    assert.equal(why(Buffer.from('Hello')), 'broken');
  });

  test('the same text in very many pieces is cut', () => {
    const document = convert(makeDoc(`${'word '.repeat(2_000)}\r`, 0, 2_000), { ...LIMITS, maxText: 50_000 });
    assert.equal(document.cut, 'text');
    assert.equal(document.blocks.length, 6);
  });

  test('list numbers', () => {
    assert.deepEqual(
      [numberText(4, 1), numberText(1_999, 2), numberText(28, 3), numberText(3, 4)],
      ['IV', 'mcmxcix', 'BB', 'c'],
    );
    assert.deepEqual(
      [numberText(12, 5), numberText(22, 5), numberText(7, 22), numberText(7, 0)],
      ['12th', '22nd', '07', '7'],
    );
    assert.deepEqual([numberText(10 ** 9, 1), numberText(-4, 4)], ['1000000000', '-4']);
  });

  test('field instructions', () => {
    assert.equal(hyperlinkOf(' HYPERLINK "http://a.example/" \\l "place" \\o "tip"'), 'http://a.example/#place');
    assert.equal(hyperlinkOf('HYPERLINK http://a.example/ '), 'http://a.example/');
    assert.equal(hyperlinkOf('HYPERLINK "http://a.example/\u201d'), 'http://a.example/');
    assert.equal(hyperlinkOf('HYPERLINK \\l "place"'), undefined);
    assert.equal(hyperlinkOf('PAGEREF x'), undefined);
  });

  test('never throws, whatever the bytes', () => {
    const whole = Buffer.from(makeDoc('One\rTwo \u0013 HYPERLINK "x" \u0014link\u0015\ra\u0007\u0007\r'));
    fc.assert(
      fc.property(
        fc.nat(whole.length),
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 30 }),
        (length, changes) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          convertDoc(bytes, LIMITS);
          convertDoc(bytes.subarray(0, length), LIMITS);
        },
      ),
    );
  });
});

test('DOC of the data set: every confirmed fact', { skip: skipWithout('documents') }, () => {
  for (const expected of expectedDocuments('doc')) {
    const conversion = convertDoc(corpusDocument(expected.file), LIMITS);
    assert.deepEqual(wrongFacts(expected, conversion), [], expected.file);
  }
});
