import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ConvertedDocument } from '../../../../../src/contracts/content/document.ts';
import { convertRtf } from '../../../../../src/convert/documents/rtf/rtf-converter.ts';
import { skipWithout } from '../../../../corpora.ts';
import { corpusDocument, expectedDocuments, wrongFacts } from '../old-office-corpus.ts';
import { PATIENT_LIMITS as LIMITS } from '../patient-limits.ts';

function convert(rtf: string, limits = LIMITS): ConvertedDocument {
  const conversion = convertRtf(Buffer.from(rtf, 'latin1'), limits);
  assert.equal(conversion.kind, 'converted');
  return (conversion as { document: ConvertedDocument }).document;
}

function texts(rtf: string): string[] {
  return convert(rtf).blocks.map((block) => (block.kind === 'table' ? JSON.stringify(block.rows) : block.text));
}

describe('RTF text', () => {
  test('paragraphs, special characters and escapes', () => {
    assert.deepEqual(texts('{\\rtf1 One \\{a\\\\b\\}\\par Two\\~\\endash\\line three\\par}'), [
      'One {a\\b}',
      'Two \u2013 three',
    ]);
  });

  test('bytes are read in the code page of their font', () => {
    const fonts = '{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}}';
    assert.deepEqual(texts(`{\\rtf1\\ansi ${fonts}\\f0 \\'e4\\par\\f1 \\'c4\\'e0\\par\\f2 \\'93\\'fa\\par}`), [
      'ä',
      'Да',
      '日',
    ]);
  });

  test('the code page of the document holds where the font says nothing', () => {
    assert.deepEqual(texts("{\\rtf1\\ansi\\ansicpg1250 \\'e8\\'9a\\par}"), ['čš']);
    assert.deepEqual(texts("{\\rtf1\\pc \\'81\\par}"), ['ü']);
    assert.deepEqual(texts("{\\rtf1\\mac \\'8a\\par}"), ['ä']);
  });

  test('\\u skips as many substitutes as \\uc says', () => {
    assert.deepEqual(texts('{\\rtf1\\uc1 \\u26085?\\u-10179?\\u-8704?!\\par}'), ['日😀!']);
    assert.deepEqual(texts("{\\rtf1\\uc2 \\u26085\\'93\\'fa!{\\uc0 \\u228 x}\\par}"), ['日!äx']);
  });

  test('halves of characters are replaced', () => {
    assert.deepEqual(texts('{\\rtf1 a\\u-10179? b\\par}'), ['a� b']);
  });

  test('groups that hold no text are skipped', () => {
    const rtf =
      '{\\rtf1{\\colortbl;\\red1;}{\\*\\generator X 1;}{\\pict\\pngblip 89504e47}{\\*\\unknown text {deep}}seen{\\object{\\*\\objdata 00ff}{\\result shown}}\\par}';
    assert.deepEqual(texts(rtf), ['seenshown']);
  });

  test('raw bytes may hold braces', () => {
    assert.deepEqual(texts('{\\rtf1 a{\\pict\\bin5 }}}}}}b\\par}'), ['ab']);
  });
});

describe('RTF structure', () => {
  test('tables', () => {
    const row = (cells: string[]) =>
      `\\trowd\\cellx1\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row `;
    const { blocks } = convert(`{\\rtf1 Before\\par ${row(['a', 'b'])}${row(['c\\par d', ''])}\\pard After\\par}`);
    assert.deepEqual(blocks, [
      { kind: 'paragraph', text: 'Before' },
      { kind: 'table', rows: [['a', 'b'], ['c d']] },
      { kind: 'paragraph', text: 'After' },
    ]);
  });

  test('headings by style and by outline level', () => {
    const sheet = '{\\stylesheet{\\s0 Normal;}{\\s1 heading 1;}{\\s2 Heading 2;}}';
    const { blocks } = convert(
      `{\\rtf1${sheet}\\pard\\s1 Top\\par\\pard\\s2 Sub\\par\\pard\\outlinelevel2 Third\\par\\pard Text\\par}`,
    );
    assert.deepEqual(
      blocks.map((block) => (block.kind === 'heading' ? block.level : 0)),
      [1, 2, 3, 0],
    );
  });

  test('properties of a paragraph end with their group, unless the paragraph goes on', () => {
    const { blocks } = convert('{\\rtf1{\\pard\\outlinelevel0 In\\par}Behind\\par{\\pard\\outlinelevel0 Around}\\par}');
    assert.deepEqual(
      blocks.map((block) => block.kind),
      ['heading', 'paragraph', 'heading'],
    );
  });

  test('text boxes are read once', () => {
    const box = '{\\shp{\\*\\shpinst{\\shptxt Box\\par}}{\\shprslt{\\*\\do{\\dptxbxtext Box\\par}}}}';
    assert.deepEqual(texts(`{\\rtf1 Text${box}\\par{\\*\\do{\\dptxbxtext Old box\\par}}}`), ['Text', 'Box', 'Old box']);
  });

  test('list items keep their numbers and lose their bullets', () => {
    const { blocks } = convert(
      "{\\rtf1{\\fonttbl{\\f3\\fcharset2 Symbol;}}\\pard{\\listtext 1.\\tab}\\ls1 First\\par\\pard{\\listtext\\f3\\'b7\\tab}\\ls2 Second\\par\\pard Text\\par}",
    );
    assert.deepEqual(blocks, [
      { kind: 'item', text: '1. First' },
      { kind: 'item', text: 'Second' },
      { kind: 'paragraph', text: 'Text' },
    ]);
  });

  test('hyperlinks, also over several paragraphs', () => {
    const { links } = convert(
      '{\\rtf1{\\field{\\*\\fldinst{HYPERLINK "http://a.example/x" \\\\l "y"}}{\\fldrslt{the\\par link}}} {\\field{\\*\\fldinst PAGE}{\\fldrslt 3}}\\par}',
    );
    assert.deepEqual(links, [{ url: 'http://a.example/x#y', text: 'the link' }]);
  });

  test('footnotes and headers come behind the text', () => {
    assert.deepEqual(texts('{\\rtf1{\\header Head\\par}Text{\\footnote Note}\\par More\\par}'), [
      'Text',
      'More',
      'Head',
      'Note',
    ]);
  });

  test('the information group', () => {
    const document = convert(
      "{\\rtf1{\\info{\\title The \\'dcber}{\\author A. Writer}{\\keywords one, two}{\\creatim\\yr2004\\mo3\\dy2\\hr1\\min5}{\\nofpages4}}Text\\par}",
    );
    assert.equal(document.title, 'The Über');
    assert.deepEqual(document.authors, ['A. Writer']);
    assert.deepEqual(document.keywords, ['one', 'two']);
    assert.equal(document.created, Date.UTC(2004, 2, 2, 1, 5));
    assert.equal(document.pages, 4);
    assert.equal(document.modified, undefined);
  });
});

describe('RTF limits', () => {
  test('what is no RTF is broken', () => {
    assert.equal(convertRtf(Buffer.from('Hello'), LIMITS).kind, 'unreadable');
    assert.equal(convertRtf(new Uint8Array(0), LIMITS).kind, 'unreadable');
  });

  test('text beyond the limit is cut', () => {
    const document = convert(`{\\rtf1 ${'word \\par '.repeat(5_000)}}`, { ...LIMITS, maxText: 100 });
    assert.equal(document.cut, 'text');
    assert.equal(document.blocks.length, 25);
  });

  test('groups nested without end are passed over', () => {
    assert.deepEqual(texts(`{\\rtf1 a\\par ${'{'.repeat(200_000)}deep${'}'.repeat(200_000)}b\\par}`), ['a', 'b']);
    assert.deepEqual(texts(`{\\rtf1 a\\par ${'{'.repeat(200_000)}`), ['a']);
  });

  test('time is kept', () => {
    const conversion = convertRtf(Buffer.from(`{\\rtf1 ${'word \\par '.repeat(50_000)}}`), { ...LIMITS, maxMs: -1 });
    assert.ok(conversion.kind === 'unreadable' ? conversion.why === 'timeout' : conversion.document.cut === 'time');
  });

  test('never throws, whatever the bytes', () => {
    const word = fc.constantFrom(
      '\\u',
      '\\u-5 ',
      '\\uc9 ',
      "\\'8",
      '{',
      '}',
      '\\*',
      '\\par',
      '\\cell',
      '\\row',
      '\\intbl ',
      '\\field',
      '{\\fldinst HYPERLINK "x"}',
      '\\footnote',
      '{\\fonttbl{\\f1\\fcharset128',
      '\\f1 ',
      '\\bin9',
      'text',
      '\\listtext',
      '\\info{\\title',
      '\\s1 ',
      '{\\stylesheet{\\s1 heading 1;}}',
      '\u00e9',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const conversion = convertRtf(Buffer.from(`{\\rtf1 ${words.join('')}`, 'latin1'), LIMITS);
        assert.equal(conversion.kind, 'converted');
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        convertRtf(Buffer.concat([Buffer.from('{\\rtf1'), bytes]), LIMITS);
      }),
    );
  });
});

test('RTF of the data set: every confirmed fact', { skip: skipWithout('documents') }, () => {
  for (const expected of expectedDocuments('rtf')) {
    const conversion = convertRtf(corpusDocument(expected.file), LIMITS);
    assert.deepEqual(wrongFacts(expected, conversion), [], expected.file);
  }
});
