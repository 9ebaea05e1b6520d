import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ConvertedDocument } from '../../../../../../src/contracts/content/document.ts';
import { convertXls } from '../../../../../../src/convert/documents/compound/xls/xls-converter.ts';
import { skipWithout } from '../../../../../corpora.ts';
import { makeCompoundFile } from '../../cfb-maker.ts';
import { corpusDocument, expectedDocuments, wrongFacts } from '../../old-office-corpus.ts';
import { PATIENT_LIMITS as LIMITS } from '../../patient-limits.ts';

type Part = number | string | Uint8Array;

/** A record; numbers are written as two bytes, texts in Latin letters. */
function record(type: number, ...parts: Part[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part, 'latin1');
      return typeof part === 'number' ? Buffer.from([part & 255, part >> 8]) : part;
    }),
  );
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(body.length, 2);
  return Buffer.concat([head, body]);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

const GLOBALS = record(0x809, 0x600, 0x0005, 0, 0);
const SHEET = record(0x809, 0x600, 0x0010, 0, 0);
const END = record(0x0a);
const label = (row: number, column: number, text: string) =>
  record(0x204, row, column, 0, text.length, Buffer.from([0]), text);

/** A workbook with a date format (1) and the general one (0). */
function makeXls(...cells: Buffer[]): Uint8Array {
  const formats = [record(0xe0, 0, 0), record(0xe0, 0, 14)];
  const globals = Buffer.concat([GLOBALS, ...formats]);
  const name = record(0x85, globals.length + 4 + 8 + 6 + END.length, 0, 0, Buffer.from([6, 0]), 'Prices');
  return makeCompoundFile({ Workbook: Buffer.concat([globals, name, END, SHEET, ...cells, END]) });
}

function convert(bytes: Uint8Array, limits = LIMITS): ConvertedDocument {
  const conversion = convertXls(bytes, limits);
  assert.equal(conversion.kind, 'converted');
  return (conversion as { document: ConvertedDocument }).document;
}

function rows(bytes: Uint8Array): readonly (readonly string[])[] {
  const table = convert(bytes).blocks.find((block) => block.kind === 'table');
  return table?.kind === 'table' ? table.rows : [];
}

describe('XLS', () => {
  test('a sheet is a heading and a table', () => {
    const packed = Buffer.alloc(4);
    packed.writeInt32LE((1_250 << 2) | 3);
    const document = convert(
      makeXls(
        label(0, 1, 'Item'),
        label(0, 2, 'Price'),
        label(3, 1, 'Tea'),
        record(0x27e, 3, 2, 0, packed),
        record(0x203, 4, 1, 1, double(40_000.5)),
        record(0x205, 4, 2, 0, Buffer.from([1, 0])),
        record(0x205, 4, 3, 0, Buffer.from([7, 1])),
      ),
    );
    assert.deepEqual(document.blocks, [
      { kind: 'heading', level: 2, text: 'Prices' },
      {
        kind: 'table',
        rows: [
          ['Item', 'Price'],
          ['Tea', '12.5'],
          ['2009-07-06', 'TRUE', '#DIV/0!'],
        ],
      },
    ]);
    assert.equal(document.pages, 1);
  });

  test('formulas show their values', () => {
    const isText = Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]);
    const cells = [
      record(0x06, 0, 0, 0, double(42)),
      record(0x06, 0, 1, 0, isText),
      record(0x207, 4, Buffer.from([0]), 'text'),
    ];
    assert.deepEqual(rows(makeXls(...cells)), [['42', 'text']]);
  });

  test('shared texts run on into the next record and change their width there', () => {
    const shared = record(0xfc, 1, 0, 1, 0, 4, Buffer.from([0]), 'ab');
    const more = record(0x3c, Buffer.from([1]), Buffer.from('日本', 'utf16le'));
    assert.deepEqual(rows(makeXls(shared, more, record(0xfd, 0, 0, 0, 0, 0))), [['ab日本']]);
  });

  test('hyperlinks have the text of their cell', () => {
    const url = Buffer.from('http://a.example/\0', 'utf16le');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(url.length);
    const moniker = Buffer.from('e0c9ea79f9bace118c8200aa004ba90b', 'hex');
    const link = record(0x1b8, 0, 0, 0, 0, new Uint8Array(16), 2, 0, 3, 0, moniker, length, url);
    assert.deepEqual(convert(makeXls(label(0, 0, 'Home'), link)).links, [{ url: 'http://a.example/', text: 'Home' }]);
  });

  test('records without a compound file are an old sheet', () => {
    const old = Buffer.concat([
      record(0x0009, 2, 0x0010),
      record(0x0004, 0, 0, new Uint8Array(3), Buffer.from([4]), 'Text'),
      record(0x0003, 0, 1, new Uint8Array(3), double(1.5)),
      END,
    ]);
    assert.deepEqual(rows(old), [['Text', '1.5']]);
  });

  test('cells far from each other make no large table', () => {
    const cells = Array.from({ length: 500 }, (_, i) => label(i * 100, i, 'x'));
    const table = rows(makeXls(...cells));
    assert.equal(table.length, 500);
    assert.ok(table.every((row) => row.length === 1));
  });

  test('limits of sheets and of text', () => {
    const sheets = Array.from({ length: 5 }, () => Buffer.concat([SHEET, label(0, 0, 'cell'), END]));
    const file = makeCompoundFile({ Workbook: Buffer.concat([GLOBALS, END, ...sheets]) });
    assert.equal(convert(file, { ...LIMITS, maxPages: 3 }).cut, 'pages');
    assert.equal(convert(file, { ...LIMITS, maxPages: 3 }).blocks.length, 3);
    assert.equal(convert(file, { ...LIMITS, maxText: 6 }).cut, 'text');
  });

  test('encrypted and broken files are told apart', () => {
    const why = (bytes: Uint8Array) => {
      const conversion = convertXls(bytes, LIMITS);
      return conversion.kind === 'unreadable' ? conversion.why : conversion.kind;
    };
    assert.equal(why(makeCompoundFile({ Workbook: Buffer.concat([GLOBALS, record(0x2f, 1)]) })), 'encrypted');
    assert.equal(why(makeCompoundFile({ EncryptedPackage: new Uint8Array(9) })), 'encrypted');
    assert.equal(why(makeCompoundFile({ Workbook: new Uint8Array(9) })), 'broken');
    assert.equal(why(Buffer.from('a;b\n')), 'broken');
  });

  test('never throws, whatever the bytes', () => {
    const type = fc.constantFrom(
      0x06,
      0x0a,
      0x22,
      0x3c,
      0x42,
      0x85,
      0xbd,
      0xd6,
      0xe0,
      0xfc,
      0xfd,
      0x1b6,
      0x1b8,
      0x203,
      0x204,
      0x205,
      0x207,
      0x27e,
      0x41e,
      0x809,
      0x100d,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(type, fc.uint8Array({ maxLength: 60 })), { maxLength: 30 }), (records) => {
        convertXls(makeXls(...records.map(([kind, body]) => record(kind, body))), LIMITS);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 900 }), (bytes) => {
        convertXls(Buffer.concat([record(0x0809, 0x600, 0x10), bytes]), LIMITS);
        convertXls(Buffer.concat([makeXls().subarray(0, 512), bytes]), LIMITS);
      }),
    );
  });
});

test('XLS of the data set: every confirmed fact', { skip: skipWithout('documents') }, () => {
  for (const expected of expectedDocuments('xls')) {
    const conversion = convertXls(corpusDocument(expected.file), LIMITS);
    if (expected.file.includes('protected')) {
      assert.equal(conversion.kind === 'unreadable' && conversion.why, 'encrypted');
    } else assert.deepEqual(wrongFacts(expected, conversion), [], expected.file);
  }
});
