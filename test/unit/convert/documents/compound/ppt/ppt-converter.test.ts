import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ConvertedDocument } from '../../../../../../src/contracts/content/document.ts';
import { convertPpt } from '../../../../../../src/convert/documents/compound/ppt/ppt-converter.ts';
import { skipWithout } from '../../../../../corpora.ts';
import { makeCompoundFile } from '../../cfb-maker.ts';
import { corpusDocument, expectedDocuments, wrongFacts } from '../../old-office-corpus.ts';
import { PATIENT_LIMITS as LIMITS } from '../../patient-limits.ts';

function atom(type: number, body: Uint8Array | string, instance = 0, version = 0): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf16le') : body;
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | version, 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

function container(type: number, instance: number, ...children: Uint8Array[]): Buffer {
  return atom(type, Buffer.concat(children), instance, 0xf);
}

function numbers(...values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}

const text = (kind: number, words: string) => Buffer.concat([atom(0x0f9f, numbers(kind)), atom(0x0fa0, words)]);
const shape = (...content: Uint8Array[]) => container(0xf004, 0, container(0xf00d, 0, ...content));
const drawing = (...shapes: Uint8Array[]) =>
  container(0x040c, 0, container(0xf002, 0, container(0xf003, 0, ...shapes)));

/** Objects get the references 2, 3, ...; the document is 1. */
function makePpt(document: Uint8Array, objects: readonly Uint8Array[], token = 0xe391c05f): Uint8Array {
  const parts = [document, ...objects];
  const places: number[] = [];
  let at = 0;
  for (const part of parts) {
    places.push(at);
    at += part.length;
  }
  const directory = atom(0x1772, numbers((parts.length << 20) | 1, ...places));
  const edit = atom(0x0ff5, numbers(0, 0, 0, at, 1, 0, 0));
  const user = atom(0x0ff6, numbers(20, token, at + directory.length));
  return makeCompoundFile({
    'Current User': user,
    'PowerPoint Document': Buffer.concat([...parts, directory, edit]),
  });
}

function presentation(): Uint8Array {
  const slides = container(
    0x0ff0,
    0,
    atom(0x03f3, numbers(3, 0, 0, 257, 0)),
    text(0, 'Second in the file'),
    text(1, 'Point one\rPoint two'),
    atom(0x03f3, numbers(2, 0, 0, 256, 0)),
  );
  const notes = container(0x0ff0, 2, atom(0x03f3, numbers(4, 0, 0, 256, 0)));
  const links = container(
    0x0409,
    0,
    container(0x0fd7, 0, atom(0x0fd3, numbers(5)), atom(0x0fba, 'http://a.example/', 1)),
  );
  const document = container(0x03e8, 0, links, slides, notes);
  const interaction = Buffer.concat([
    container(0x0ff2, 0, atom(0x0ff3, numbers(0, 5, 0, 0))),
    atom(0x0fdf, numbers(4, 8)),
  ]);
  const first = container(0x03ee, 0, drawing(shape(text(4, 'See here now'), interaction), shape(text(6, 'Its title'))));
  const second = container(0x03ee, 0, drawing(shape(atom(0x0f9e, numbers(1))), shape(atom(0x0f9e, numbers(0)))));
  const note = container(0x03f0, 0, atom(0x03f1, numbers(257)), drawing(shape(text(2, 'Say this'))));
  return makePpt(document, [first, second, note]);
}

describe('PPT', () => {
  test('slides in their order, titles first, notes behind', () => {
    const conversion = convertPpt(presentation(), LIMITS);
    assert.equal(conversion.kind, 'converted');
    const { blocks, links, pages } = (conversion as { document: ConvertedDocument }).document;
    assert.deepEqual(blocks, [
      { kind: 'heading', level: 2, text: 'Second in the file' },
      { kind: 'paragraph', text: 'Point one' },
      { kind: 'paragraph', text: 'Point two' },
      { kind: 'paragraph', text: 'Say this' },
      { kind: 'heading', level: 2, text: 'Its title' },
      { kind: 'paragraph', text: 'See here now' },
    ]);
    assert.deepEqual(links, [{ url: 'http://a.example/', text: 'here' }]);
    assert.equal(pages, 2);
  });

  test('slides beyond the limit are cut', () => {
    const conversion = convertPpt(presentation(), { ...LIMITS, maxPages: 1 });
    assert.equal(conversion.kind === 'converted' && conversion.document.cut, 'pages');
  });

  test('without its directory every text is found', () => {
    const stream = Buffer.concat([container(0x03ee, 0, drawing(shape(text(4, 'Lost'))))]);
    const conversion = convertPpt(makeCompoundFile({ 'PowerPoint Document': stream }), LIMITS);
    assert.deepEqual(conversion.kind === 'converted' && conversion.document.blocks, [
      { kind: 'paragraph', text: 'Lost' },
    ]);
  });

  test('encrypted and broken files are told apart', () => {
    const why = (bytes: Uint8Array) => {
      const conversion = convertPpt(bytes, LIMITS);
      return conversion.kind === 'unreadable' ? conversion.why : conversion.kind;
    };
    assert.equal(why(makePpt(container(0x03e8, 0), [], 0xf3d1c4df)), 'encrypted');
    assert.equal(why(makeCompoundFile({ Workbook: new Uint8Array(9) })), 'broken');
    assert.equal(why(Buffer.from('Hello')), 'broken');
  });

  test('never throws, whatever the bytes', () => {
    const whole = Buffer.from(presentation());
    fc.assert(
      fc.property(
        fc.nat(whole.length),
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 30 }),
        (length, changes) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          convertPpt(bytes, LIMITS);
          convertPpt(bytes.subarray(0, length), LIMITS);
        },
      ),
    );
  });
});

test('PPT of the data set: every confirmed fact', { skip: skipWithout('documents') }, () => {
  for (const expected of expectedDocuments('ppt')) {
    const conversion = convertPpt(corpusDocument(expected.file), LIMITS);
    assert.deepEqual(wrongFacts(expected, conversion), [], expected.file);
  }
});
