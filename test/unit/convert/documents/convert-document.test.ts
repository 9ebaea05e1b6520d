import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { strToU8 } from 'fflate';
import type { Conversion } from '../../../../src/contracts/content/document.ts';
import { convertDocument } from '../../../../src/convert/documents/convert-document.ts';
import { CONVERTIBLE_MEDIA_TYPES, isConvertible } from '../../../../src/convert/documents/document-types.ts';
import { mediaTypeOf } from '../../../../src/convert/media-type.ts';
import { corpus, skipWithout } from '../../../corpora.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { archive, converted, docx, odf, p, relationships, short, xlsx } from './office-files.ts';

const why = (conversion: Conversion) => (conversion.kind === 'unreadable' ? conversion.why : 'converted');
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('convertDocument: what it is', () => {
  test('the content has the last word', async () => {
    for (const type of [undefined, 'application/octet-stream', 'application/msword', 'text/plain', XLSX, 'image/png'])
      assert.deepEqual(short((await converted(docx(p('words')), type)).blocks), ['words'], type);
    for (const type of ['application/msword', 'text/plain', DOCX, 'application/pdf'])
      assert.deepEqual(short((await converted('{\\rtf1 words}', type)).blocks), ['words'], type);
    for (const type of ['application/vnd.ms-excel', DOCX, 'application/pdf'])
      assert.deepEqual(
        short((await converted('<html><table><tr><td>a</td><td>b</td></tr></table>', type)).blocks),
        ['a|b'],
        type,
      );
    assert.deepEqual(short((await converted('only words', DOCX)).blocks), ['only words']);
  });

  test('text by the ending of its address', async () => {
    const blocksAt = async (path: string, mediaType?: string) => {
      const options = { url: `http://host.test/${path}`, ...(mediaType === undefined ? {} : { mediaType }) };
      const conversion = await convertDocument(strToU8('# a,b\nc,d'), options);
      return conversion.kind === 'converted' ? short(conversion.document.blocks) : conversion.why;
    };
    assert.deepEqual(await blocksAt('README.md', 'text/plain'), ['h1 a,b', 'c,d']);
    assert.deepEqual(await blocksAt('data.csv?x=1'), ['# a|b / c|d']);
    assert.deepEqual(await blocksAt('a.html', 'text/plain; charset=utf-8'), ['# a,b\nc,d']);
    assert.deepEqual(await blocksAt('data.csv', 'text/markdown'), ['h1 a,b', 'c,d']);
  });

  test('what is no document', async () => {
    assert.equal(
      why(await convertDocument(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), { mediaType: DOCX })),
      'unsupported',
    );
    assert.equal(
      why(await convertDocument(archive({ 'a.txt': 'x' }), { mediaType: 'application/zip' })),
      'unsupported',
    );
    assert.equal(why(await convertDocument(archive({ 'a.txt': 'x' }), { mediaType: DOCX })), 'broken');
    assert.equal(why(await convertDocument(new Uint8Array(0), { mediaType: DOCX })), 'broken');
    assert.equal(why(await convertDocument(new Uint8Array(0))), 'unsupported');
  });

  test('archives inside of archives stay closed', async () => {
    const inner = docx(p('inner'));
    const bytes = archive({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relationships(['r', 'officeDocument', 'word/document.xml']),
      'word/document.xml': `<w:document>${p('outer')}</w:document>`,
      'word/embeddings/inner.docx': inner,
    });
    assert.deepEqual(short((await converted(bytes)).blocks), ['outer']);
  });

  test('types by content in the answer of a server', () => {
    const typeOf = (header: string | undefined, bytes: Uint8Array, path = '') =>
      mediaTypeOf(header, bytes, `http://host.test/${path}`).type;
    assert.equal(typeOf(undefined, docx('')), DOCX);
    assert.equal(typeOf('application/octet-stream', xlsx({ S: '' })), XLSX);
    assert.equal(typeOf('application/msword', docx('')), DOCX);
    assert.equal(typeOf('application/zip', odf('presentation', '')), 'application/vnd.oasis.opendocument.presentation');
    assert.equal(typeOf('text/plain', strToU8('{\\rtf1 x}')), 'application/rtf');
    assert.equal(typeOf('application/vnd.ms-excel', strToU8('<html><table>')), 'text/html');
    const template = 'application/vnd.openxmlformats-officedocument.wordprocessingml.template';
    assert.equal(typeOf(template, docx('')), template);
    assert.equal(typeOf('application/zip', archive({ 'a.txt': 'x' })), 'application/zip');
    assert.equal(typeOf('application/java-archive', docx('')), 'application/java-archive');
  });

  test('archives whose parts lie outside of them', () => {
    const bytes = odf('text', '');
    bytes.fill(0xff, 26, 30);
    assert.equal(mediaTypeOf(undefined, bytes, 'http://host.test/').type, 'application/vnd.oasis.opendocument.text');
  });

  test('every type that is listed has a reader', () => {
    assert.ok(CONVERTIBLE_MEDIA_TYPES.length > 40);
    for (const type of CONVERTIBLE_MEDIA_TYPES) assert.equal(isConvertible(type), true, type);
    for (const type of ['text/html', 'application/xhtml+xml', 'image/png', 'application/zip'])
      assert.equal(isConvertible(type), false, type);
  });
});

describe('convertDocument: limits', () => {
  test('a bomb ends as too large', async () => {
    const bytes = archive({
      '[Content_Types].xml': '<Types/>',
      'word/document.xml': new Uint8Array(20_000_000).fill(0x20),
    });
    assert.equal(why(await convertDocument(bytes)), 'too-large');
  });

  test('a large document gives its beginning', async () => {
    const body = Array.from({ length: 20_000 }, (_, at) => p(((at * 2_654_435_761) >>> 0).toString(36))).join('');
    const text = await converted(docx(body), undefined, { maxText: 1_000 });
    assert.equal(text.cut, 'text');
    assert.equal(
      text.blocks.reduce((sum, block) => sum + (block.kind === 'table' ? 0 : block.text.length), 0),
      1_000,
    );
    const size = await converted(docx(body), undefined, { maxUnpacked: 500_000 });
    assert.equal(size.cut, 'size');
    assert.ok(size.blocks.length > 100 && size.blocks.length < 20_000);
  });

  test('without any time nothing is read', async () => {
    assert.equal(why(await convertDocument(docx(p('x')), { limits: { maxMs: -1 } })), 'timeout');
  });

  test('links are bounded', async () => {
    const text = Array.from({ length: 50 }, (_, at) => `http://host.test/${at}`).join(' ');
    assert.equal((await converted(text, 'text/plain', { maxLinks: 7 })).links.length, 7);
  });

  test('damaged archives are read as far as they go', async () => {
    const whole = docx(Array.from({ length: 2_000 }, (_, at) => p(`words ${(at * 7_919) % 2_000}`)).join(''));
    const { blocks } = await converted(whole.subarray(0, Math.round(whole.length * 0.8)));
    assert.ok(blocks.length > 500 && blocks.length < 2_000);
  });
});

describe('convertDocument: nothing makes it throw', () => {
  const samples: readonly Uint8Array[] = [
    docx(`${p('words', '<w:pStyle w:val="Heading1"/>')}<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>`),
    xlsx({ S: '<sheetData><row><c r="A1"><v>1</v></c></row></sheetData>' }),
    odf('spreadsheet', '<table:table><table:table-row><table:table-cell/></table:table-row></table:table>'),
    strToU8('---\ntitle: x\n---\n# a\n\n- [b](c)\n\n| d | e |\n|---|---|\n| f | g |\n'),
    strToU8('<?xml version="1.0"?><a href="b">c<d/></a>'),
    strToU8('a,"b\n'),
  ];
  const mediaTypes = fc.constantFrom(...CONVERTIBLE_MEDIA_TYPES.filter((type) => !type.includes('pdf')), 'x/y', '');

  test('changed and cut documents', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(5_000), fc.nat(255)), { maxLength: 10 }),
        fc.nat(5_000),
        mediaTypes,
        async (sample, changes, cut, mediaType) => {
          const bytes = Uint8Array.from(sample).subarray(0, Math.max(1, sample.length - (cut % sample.length)));
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const conversion = await convertDocument(bytes, { mediaType });
          if (conversion.kind === 'converted')
            for (const block of conversion.document.blocks)
              assert.ok(block.kind === 'table' ? block.rows.length > 0 : block.text.isWellFormed());
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  test('random bytes and texts under any name', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.string({ maxLength: 300, unit: 'binary' }).map((text) => strToU8(text)),
        ),
        mediaTypes,
        async (bytes, mediaType) => {
          const conversion = await convertDocument(bytes, { mediaType });
          assert.ok(conversion.kind === 'converted' || conversion.detail !== '');
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  test('naughty strings', { skip: skipWithout('hostile') }, async () => {
    const strings = JSON.parse(readFileSync(join(corpus('hostile') ?? '', 'blns.json'), 'utf8')) as string[];
    for (const mediaType of ['text/plain', 'text/markdown', 'text/csv', 'application/xml', 'application/json'])
      for (const text of strings) await convertDocument(strToU8(text), { mediaType });
    const escaped = strings.map((text) =>
      p(text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`).replace(/[\x00-\x08\x0b-\x1f]/g, '')),
    );
    const { blocks } = await converted(docx(escaped.join('')));
    assert.ok(blocks.length > 400);
  });
});
