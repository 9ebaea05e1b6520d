import { unzipSync, zipSync } from 'fflate';
import { convertDocument } from '../../../src/convert/documents/convert-document.ts';
import { PdfWorker } from '../../../src/convert/documents/pdf/pdf-worker.ts';
import { renderMarkdown, renderText } from '../../../src/convert/documents/render-blocks.ts';
import { makeCompoundFile } from '../../unit/convert/documents/cfb-maker.ts';
import { archive, docx, odf, p, xlsx } from '../../unit/convert/documents/office-files.ts';
import { line, makePdf } from '../../unit/convert/documents/pdf-maker.ts';
import { InputMaker } from '../input-maker.ts';
import type { Random } from '../random.ts';
import { type FuzzTarget, promise } from '../target.ts';

const LIMITS = { maxMs: 10_000, maxPages: 50, maxText: 200_000, maxUnpacked: 4_000_000, maxLinks: 500 };

async function convert(input: Uint8Array, mediaType: string, pdfWorker?: PdfWorker): Promise<void> {
  const conversion = await convertDocument(input, { mediaType, limits: LIMITS, ...(pdfWorker && { pdfWorker }) });
  if (conversion.kind === 'unreadable') {
    promise(conversion.why !== 'timeout', 'small documents are read in time', () => conversion);
    // `convertDocument` catches whatever its readers throw; a stumble of ours is not a fault of the document.
    promise(!STUMBLES.test(conversion.detail), 'no reader stumbles over a document', () => conversion.detail);
    return;
  }
  const { blocks, links } = conversion.document;
  const text = renderText(blocks);
  promise(text.length <= LIMITS.maxText * 4, 'the text keeps to its limit', () => text.length);
  promise(links.length <= LIMITS.maxLinks, 'the links keep to their limit', () => links.length);
  renderMarkdown(blocks);
}

/** Messages that V8 gives to faults in code. */
const STUMBLES =
  /Cannot read prop|is not a function|is not iterable|undefined|Maximum call stack|Invalid array length|offset is out of bounds|Invalid typed array|out of range|Cannot convert|Cannot mix|not defined|Invalid code point|Invalid time value|Invalid string length|invalid distance/;

const XML_PIECES =
  '<w:p> </w:p> <w:r> <w:t> </w:t> <w:tbl> <w:tr> <w:tc> </w:tc> <w:hyperlink r:id="rId1"> <w:instrText> HYPERLINK "http://h/" <w:numPr> <w:ilvl w:val="0"/> <w:numId w:val="1"/> <w:pStyle w:val="Heading1"/> ' +
  '<c r="A1" t="s"> <v> </v> 0 1 -1 1e308 45000 <row r="1"> <row r="1048576"> <c r="XFD1"> <c r="ZZZZZ99999"> <is> <f> <mergeCell ref="A1:B2"/> <si> <text:p> </text:p> <text:h text:outline-level="1"> <text:span> <table:table> <table:table-row> ' +
  '<table:table-cell table:number-columns-repeated="9999"> <text:s text:c="99999"/> <a:p> <a:t> <p:sp> <p:ph type="title"/> <p:sldId r:id="r1"/> <itemref idref="a"/> <item id="a" href="a.xhtml"/> <dc:title> <dcterms:created> ' +
  '<?xml <!DOCTYPE <!ENTITY a "b"> &a; &amp; &#x0; <![CDATA[ ]]> <!-- --> < > /> " word/document.xml ../../x Target="x" Id="rId1" Type="officeDocument" xml:space="preserve" 2026-05-04T00:00:00Z';

const EPUB = archive({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
  'c.opf':
    '<package><metadata><dc:title>T</dc:title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
  'a.xhtml': '<html><body><h1>C</h1><p>Some <a href="http://h/">words</a></p></body></html>',
});
const PPTX = archive({
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels':
    '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
  'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="one"/></p:sldIdLst></p:presentation>',
  'ppt/_rels/presentation.xml.rels':
    '<Relationships><Relationship Id="one" Type="x/slide" Target="slides/slide1.xml"/></Relationships>',
  'ppt/slides/slide1.xml':
    '<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>T</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>',
});
const ARCHIVES: readonly Uint8Array[] = [
  docx(`${p('One', '<w:pStyle w:val="Heading1"/>')}<w:tbl><w:tr><w:tc>${p('cell')}</w:tc></w:tr></w:tbl>`, {
    'word/numbering.xml':
      '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum></w:numbering>',
    'word/styles.xml': '<w:styles><w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
  }),
  xlsx(
    { Sheet: '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45000</v></c></row></sheetData>' },
    {
      'xl/sharedStrings.xml': '<sst><si><t>shared</t></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    },
  ),
  odf('text', '<text:h text:outline-level="1">H</text:h><text:p>x<text:s text:c="3"/>y</text:p>'),
  odf(
    'spreadsheet',
    '<table:table><table:table-row><table:table-cell table:number-columns-repeated="3"><text:p>1</text:p></table:table-cell></table:table-row></table:table>',
  ),
  EPUB,
  PPTX,
];

const parts = new InputMaker({ name: 'parts', samples: ['<a>'], pieces: XML_PIECES.split(' '), run: () => {} });

/** Takes an archive apart, changes one of its parts and packs it again: bytes changed in packed parts only break the packing. */
function repacked(random: Random, plain: () => Uint8Array): Uint8Array {
  if (random.chance(0.2)) return plain();
  const files = unzipSync(random.pick(ARCHIVES));
  const names = Object.keys(files);
  for (let left = random.size(3); left > 0; left--) {
    const name = random.pick(names);
    if (random.chance(0.05)) delete files[name];
    else if (files[name] !== undefined) files[name] = new Uint8Array(parts.mutated(random, files[name]));
  }
  if (random.chance(0.05)) files[random.pick(['../x', 'word/document.xml', '', 'a\\b'])] = new Uint8Array(plain());
  return zipSync(files, { level: random.chance(0.1) ? 6 : 0 });
}

export const officeTarget: FuzzTarget = {
  name: 'office-xml',
  samples: ARCHIVES,
  pieces: XML_PIECES.split(' '),
  maxLength: 16_384,
  make: repacked,
  run: (input) => convert(input, 'application/octet-stream'),
};

const text = Buffer.from('Some text of a document with several words in it.\r', 'utf16le');
const wordDocument = Buffer.alloc(2_048 + text.length);
wordDocument.writeUInt16LE(0xa5ec, 0);
wordDocument.writeUInt16LE(0xc1, 2);
wordDocument.writeUInt32LE(text.length / 2, 0x4c);
wordDocument.writeUInt32LE(21, 0x1a6);
text.copy(wordDocument, 2_048);
const table = Buffer.from('021000000000000000320000000000000800000000000000'.slice(0, 42), 'hex');

/** Old Office files: compound files with binary records. Only real ones reach deep; without them the made ones serve. */
export const oldOfficeTarget: FuzzTarget = {
  name: 'office-binary',
  samples: [
    makeCompoundFile({ WordDocument: wordDocument, '0Table': table }),
    makeCompoundFile({ Workbook: Buffer.from('0908100000060500', 'hex') }),
  ],
  pieces: ['\x09\x08', '\x85\0', '\xff\xff\xff\xff', '\0\0\0\0', '\xfe\xff\xff\xff', '\x0f\0\xe8\x03', '\x01\x80'],
  corpora: [
    'testEXCEL.xls',
    'testEXCEL_5.xls',
    'testPPT.ppt',
    'testWORD.doc',
    'testWORD_various.doc',
    'testWORD_numbered_list.doc',
  ].map((file) => `documents/files/${file}`),
  maxLength: 60_000,
  run: async (input) => {
    await convert(input, 'application/msword');
    if (input.length % 3 === 0) await convert(input, 'application/vnd.ms-excel');
    if (input.length % 3 === 1) await convert(input, 'application/vnd.ms-powerpoint');
  },
};

export const rtfTarget: FuzzTarget = {
  name: 'rtf',
  samples: [
    '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset204 A;}}{\\info{\\title T}}\\f0 Text\\par\\trowd\\cell a\\row{\\field{\\*\\fldinst HYPERLINK "http://h/"}{\\fldrslt x}}\\u1234?\\\'e4}',
  ],
  pieces:
    "{ } {\\rtf1 \\par \\pard \\cell \\row \\trowd \\intbl \\u1234? \\u-1? \\uc0 \\uc5 \\'e4 \\'zz \\* {\\* \\bin5 \\bin999999999 \\f0 \\f99999 \\fcharset128 \\ansicpg932 {\\field {\\*\\fldinst HYPERLINK {\\pict {\\info {\\title {\\listtext \\ls1 \\outlinelevel0 \\~ \\_ \\- \\\\ ; \\tab text".split(
      ' ',
    ),
  corpora: [
    'documents/files/testRTF.rtf',
    'documents/files/testRTFControls.rtf',
    'documents/files/testRTFTIKA_2500.rtf',
  ],
  run: (input) => convert(input, 'application/rtf'),
};

export const textDocumentTarget: FuzzTarget = {
  name: 'text-documents',
  samples: [
    '---\ntitle: T\n---\n# H\n\n* a\n  * b\n\n[x](http://h/ "t")\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n',
    'a,b,c\n"1,2",3\n',
    'a\tb\n',
    '<r><a b="c">x</a></r>',
    'Line one\nhttp://example.com/x\n',
  ],
  pieces: [
    '# ',
    '## ',
    '* ',
    '- ',
    '1. ',
    '> ',
    '```',
    '~~~',
    '---\n',
    '===\n',
    '| ',
    '|---',
    '[',
    '](',
    ')',
    '![',
    '<',
    '>',
    '**',
    '__',
    '`',
    '\\',
    '&amp;',
    'http://h/',
    '"',
    '""',
    ',',
    ';',
    '\t',
    '\n',
    '\n\n',
    '    ',
    'word ',
    '<!--',
    '-->',
    '[a]: http://h/',
  ],
  run: async (input) => {
    for (const type of [
      'text/markdown',
      'text/csv',
      'text/tab-separated-values',
      'application/xml',
      'text/plain',
      'text/html',
    ])
      await convert(input, type);
  },
};

const worker = new PdfWorker();

export const pdfTarget: FuzzTarget = {
  name: 'pdf',
  samples: [
    makePdf({
      pages: [line('Hello PDF', 50, 700), line('Second', 50, 600)],
      info: '/Title (T) /CreationDate (D:20260504)',
    }),
  ],
  pieces:
    '<< >> /Type /Page /Pages /Kids [ ] /Count 9999 obj endobj stream endstream xref trailer startxref %%EOF BT ET Tj ( ) Tf /F1 12 Td 1 0 R 2 0 R 3 0 R /Length 5 /Filter /FlateDecode /ASCIIHexDecode /Annots /URI /Outlines /First /Next'.split(
      ' ',
    ),
  corpora: ['documents/files/testPDF_bookmarks.pdf', 'documents/files/testAnnotations.pdf'],
  maxLength: 60_000,
  run: (input) => convert(input, 'application/pdf', worker),
  close: async () => worker[Symbol.asyncDispose](),
};
