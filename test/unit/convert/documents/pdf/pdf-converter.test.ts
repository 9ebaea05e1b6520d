import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import type { Conversion, ConvertedDocument } from '../../../../../src/contracts/content/document.ts';
import { convertPdf } from '../../../../../src/convert/documents/pdf/pdf-converter.ts';
import { readPdf } from '../../../../../src/convert/documents/pdf/pdf-document.ts';
import { PdfEngine } from '../../../../../src/convert/documents/pdf/pdf-engine.ts';
import { parsePdfDate } from '../../../../../src/convert/documents/pdf/pdf-facts.ts';
import { PdfWorker } from '../../../../../src/convert/documents/pdf/pdf-worker.ts';
import { skipWithout } from '../../../../corpora.ts';
import { corpusDocument, expectedDocuments, wrongFacts } from '../old-office-corpus.ts';
import { PATIENT_LIMITS as LIMITS } from '../patient-limits.ts';
import { line, makePdf, stream } from '../pdf-maker.ts';

const engine = new PdfEngine();
const worker = new PdfWorker();
after(() => worker[Symbol.asyncDispose]());

async function convert(bytes: Uint8Array, limits = LIMITS): Promise<ConvertedDocument> {
  const conversion = await readPdf(bytes, limits, engine);
  assert.equal(conversion.kind, 'converted');
  return (conversion as { document: ConvertedDocument }).document;
}

function why(conversion: Conversion): string {
  return conversion.kind === 'unreadable' ? conversion.why : conversion.kind;
}

/** Forms that draw the next one twice: thirty of them draw the last a thousand million times. */
function makeExplodingPdf(): Uint8Array {
  const forms = Array.from({ length: 30 }, (_, i) => {
    const next = `/X${11 + i}`;
    const dictionary = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << ${next} ${11 + i} 0 R >> >>`;
    return stream(i === 29 ? 'q Q' : `${next} Do ${next} Do`, dictionary);
  });
  return makePdf({ pages: ['/X10 Do'], objects: forms, resources: '/XObject << /X10 10 0 R >>' });
}

describe('PDF text', () => {
  test('lines are joined to paragraphs, large ones are headings', async () => {
    const page =
      line('The title', 72, 740, 24) +
      line('The first paragraph has several lines of text, the last one being well-', 72, 700) +
      line('known to be short.', 72, 686) +
      line('The second paragraph comes after some space and is about hyphen-', 72, 650) +
      line('ation, which is undone.', 72, 636) +
      line('-  An item', 72, 600);
    const { blocks, title } = await convert(makePdf({ pages: [page] }));
    assert.deepEqual(blocks, [
      { kind: 'heading', level: 1, text: 'The title' },
      {
        kind: 'paragraph',
        text: 'The first paragraph has several lines of text, the last one being wellknown to be short.',
      },
      {
        kind: 'paragraph',
        text: 'The second paragraph comes after some space and is about hyphenation, which is undone.',
      },
      { kind: 'item', text: 'An item' },
    ]);
    assert.equal(title, 'The title');
  });

  test('titles of the outline are headings, whatever their size', async () => {
    const page = line('Chapter One', 72, 740) + line('Text that is as large as its heading.', 72, 700);
    const outline = [
      '<< /First 11 0 R /Last 11 0 R /Count 1 >>',
      '<< /Title (Chapter one) /Parent 10 0 R /Next 11 0 R >>',
    ];
    const { blocks } = await convert(makePdf({ pages: [page], objects: outline, catalog: '/Outlines 10 0 R' }));
    assert.deepEqual(
      blocks.map((block) => block.kind),
      ['heading', 'paragraph'],
    );
  });

  test('headers and footers of many pages are kept once', async () => {
    const pages = Array.from({ length: 6 }, (_, page) => {
      const text = Array.from({ length: 8 }, (_, i) => line(`Sentence ${i} of part ${page}.`, 72, 700 - i * 40));
      return line('Annual report', 72, 780) + text.join('') + line(`Page ${page + 1}`, 300, 20);
    });
    const { blocks } = await convert(makePdf({ pages }));
    const texts = blocks.map((block) => (block.kind === 'table' ? '' : block.text));
    assert.equal(texts.filter((text) => text.includes('Annual report')).length, 1);
    assert.equal(texts.filter((text) => /Page \d/.test(text)).length, 1);
    assert.equal(texts.filter((text) => text.includes('Sentence')).length, 48);
  });

  test('links and notes', async () => {
    const annotations = [
      '<< /Type /Annot /Subtype /Link /Rect [70 695 110 715] /A << /S /URI /URI (http://a.example/x) >> >>',
      '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (A remark) >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Filled in) /Rect [0 0 9 9] /P 13 0 R >>',
    ];
    const document = await convert(
      makePdf({
        pages: [line('Click or go to http://b.example/y.', 72, 700)],
        objects: annotations,
        page: '/Annots [10 0 R 11 0 R 12 0 R]',
        catalog: '/AcroForm << /Fields [12 0 R] >> /Lang (en-GB)',
      }),
    );
    assert.deepEqual(
      document.links.map(({ url }) => url),
      ['http://a.example/x', 'http://b.example/y'],
    );
    assert.match(document.links[0].text, /^Click/);
    assert.equal(document.language, 'en-GB');
    assert.deepEqual(document.blocks.slice(1), [
      { kind: 'paragraph', text: 'A remark' },
      { kind: 'paragraph', text: 'Filled in' },
    ]);
  });

  test('what the document says of itself', async () => {
    const info =
      "/Title (A title) /Author (One; Two) /Subject (About) /Keywords (a, b) /CreationDate (D:20110924080000+02'00')";
    const document = await convert(makePdf({ pages: [line('x', 1, 1)], info }));
    assert.equal(document.title, 'A title');
    assert.deepEqual(document.authors, ['One', 'Two']);
    assert.equal(document.description, 'About');
    assert.deepEqual(document.keywords, ['a', 'b']);
    assert.equal(document.created, Date.UTC(2011, 8, 24, 6));
    assert.equal(document.pages, 1);
  });

  test('the metadata packet fills in what is missing', async () => {
    const list = (name: string, ...items: string[]) =>
      `<dc:${name}><rdf:Seq>${items.map((item) => `<rdf:li xml:lang="x-default">${item}</rdf:li>`).join('')}</rdf:Seq></dc:${name}>`;
    const packet = `<x:xmpmeta>${list('title', 'A &amp; B')}${list('creator', 'One', 'Two')}${list('language', 'de-AT')}</x:xmpmeta>`;
    const document = await convert(
      makePdf({ pages: [line('x', 1, 1)], objects: [stream(packet)], info: '/Author (One)' }),
    );
    assert.equal(document.title, 'A & B');
    assert.deepEqual(document.authors, ['One', 'Two']);
    assert.equal(document.language, 'de-AT');
  });

  test('dates', () => {
    assert.equal(parsePdfDate('D:2004'), Date.UTC(2004, 0, 1));
    assert.equal(parsePdfDate("D:20040302010500-05'30'"), Date.UTC(2004, 2, 2, 6, 35));
    assert.equal(parsePdfDate('yesterday'), undefined);
    assert.equal(parsePdfDate('D:20041302'), undefined);
  });
});

describe('PDF limits', () => {
  test('pages and text beyond the limits are cut', async () => {
    const pages = Array.from({ length: 300 }, (_, i) => line(`Page ${i} has text.`, 72, 700));
    const file = makePdf({ pages });
    const byPages = await convert(file, { ...LIMITS, maxPages: 20 });
    assert.deepEqual([byPages.cut, byPages.pages, byPages.blocks.length], ['pages', 300, 20]);
    const byText = await convert(file, { ...LIMITS, maxText: 100 });
    assert.equal(byText.cut, 'text');
    const byTime = await readPdf(file, { ...LIMITS, maxMs: -1 }, engine);
    assert.ok(byTime.kind === 'unreadable' ? byTime.why === 'timeout' : byTime.document.cut === 'time');
  });

  test('a file that needs a password is encrypted', async () => {
    const trailer =
      '/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 ' +
      `/O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> /ID [<00> <00>]`;
    assert.equal(why(await readPdf(makePdf({ pages: [line('x', 1, 1)], trailer }), LIMITS, engine)), 'encrypted');
  });

  test('what is no PDF is broken', async () => {
    assert.equal(why(await convertPdf(Buffer.from('Hello'), LIMITS)), 'broken');
    assert.equal(why(await convertPdf(new Uint8Array(0), LIMITS)), 'broken');
    assert.equal(why(await readPdf(Buffer.from('%PDF-1.4\nnothing'), LIMITS, engine)), 'broken');
  });

  test('a file that unpacks to more than the engine may have is too large, and the next one is read', async () => {
    const small = new PdfEngine(48 * 1024 * 1024);
    const form = stream(
      deflateSync(Buffer.alloc(64 * 1024 * 1024, ' '), { level: 1 }),
      '/Filter /FlateDecode /Subtype /Form /BBox [0 0 9 9]',
    );
    const bomb = makePdf({ pages: ['/X10 Do'], objects: [form], resources: '/XObject << /X10 10 0 R >>' });
    assert.equal(why(await readPdf(bomb, LIMITS, small)), 'too-large');
    const behindText = makePdf({
      pages: [line('Good page', 72, 700), '/X10 Do'],
      objects: [form],
      resources: '/XObject << /X10 10 0 R >>',
    });
    const cut = await readPdf(behindText, LIMITS, small);
    assert.deepEqual(cut.kind === 'converted' && [cut.document.cut, cut.document.blocks.length], ['size', 1]);
    assert.equal(why(await readPdf(makePdf({ pages: [line('Next', 72, 700)] }), LIMITS, small)), 'converted');
  });

  test('a page that takes forever is ended with its thread, and the next file is read', async () => {
    await using impatient = new PdfWorker(0);
    assert.equal(why(await impatient.convert(makeExplodingPdf(), { ...LIMITS, maxMs: 0 })), 'timeout');
    const next = await worker.convert(makePdf({ pages: [line('Next', 72, 700)] }), LIMITS);
    assert.deepEqual(next.kind === 'converted' && next.document.blocks, [{ kind: 'paragraph', text: 'Next' }]);
  });

  test('never throws, whatever the bytes', async () => {
    const whole = Buffer.from(makePdf({ pages: [line('Some text', 72, 700)], info: '/Title (T)' }));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 }),
        async (length, changes) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          await readPdf(bytes, LIMITS, engine);
          await readPdf(bytes.subarray(0, length), LIMITS, engine);
        },
      ),
    );
  });
});

test('PDF of the data set: every confirmed fact', { skip: skipWithout('documents') }, async () => {
  for (const expected of expectedDocuments('pdf')) {
    const conversion = await convertPdf(corpusDocument(expected.file), LIMITS, worker);
    assert.deepEqual(wrongFacts(expected, conversion), [], expected.file);
  }
});
