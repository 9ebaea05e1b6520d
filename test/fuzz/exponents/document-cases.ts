import { ConversionBudget, DEFAULT_CONVERSION_LIMITS } from '../../../src/convert/documents/conversion-budget.ts';
import { DocumentBuilder } from '../../../src/convert/documents/document-builder.ts';
import { convertZipDocument } from '../../../src/convert/documents/packed/zip-document.ts';
import { convertRtf } from '../../../src/convert/documents/rtf/rtf-converter.ts';
import { readDelimited } from '../../../src/convert/documents/texts/delimited-document.ts';
import { readMarkdown } from '../../../src/convert/documents/texts/markdown-document.ts';
import { readPlainText } from '../../../src/convert/documents/texts/plain-text-document.ts';
import { readXml } from '../../../src/convert/documents/texts/xml-document.ts';
import { archive, docx, odf, xlsx } from '../../unit/convert/documents/office-files.ts';
import { type GrowthCase, repeated } from './growth-case.ts';

const limits = { ...DEFAULT_CONVERSION_LIMITS, maxMs: 600_000 };

function built(read: (text: string, builder: DocumentBuilder) => void): (text: string) => unknown {
  return (text) => {
    const builder = new DocumentBuilder(new ConversionBudget(limits));
    read(text, builder);
    return builder.finish();
  };
}

/** Parts of an archive that grow; packing is no part of the work. */
function packed(
  parser: string,
  kind: 'docx' | 'xlsx' | 'odf' | 'epub',
  pack: (body: string) => Uint8Array,
  pieces: Readonly<Record<string, readonly [string, string?, string?]>>,
): GrowthCase[] {
  return Object.entries(pieces).map(([grows, [piece, before = '', after = '']]) => ({
    ...{ parser, grows, from: Math.max(1, Math.floor(16_384 / piece.length)) },
    make: (size) => {
      const bytes = pack(before + piece.repeat(size) + after);
      return () => convertZipDocument(kind, bytes, limits);
    },
  }));
}

export const documentCases: readonly GrowthCase[] = [
  ...repeated('markdown', built(readMarkdown), {
    brackets: ['['],
    'closing brackets': [']'],
    'links without end': ['[a]('],
    'image marks': ['!['],
    stars: ['*'],
    'star words': ['*a '],
    underscores: ['_a '],
    'back quotes': ['`'],
    'back quote runs': ['` `` '],
    backslashes: ['\\'],
    'quote marks': ['> '],
    'nested items': ['  * a\n'],
    'angle brackets': ['<a '],
    'comments without end': ['<!--'],
    'table rows': ['| a | b |\n', '| a | b |\n|---|---|\n'],
    pipes: ['|'],
    fences: ['```\n'],
    'reference definitions': ['[a]: http://h/\n'],
    links: ['[a](http://h/) '],
    addresses: ['http://h/a '],
    'one address': ['http://'],
    'front matter': ['a: b\n', '---\n'],
    'heading lines': ['a\n===\n'],
  }),
  ...repeated('plain-text', built(readPlainText), {
    lines: ['some words\n'],
    'one line': ['word '],
    addresses: ['http://h/ '],
    'one address': ['www.'],
    spaces: [' '],
    blank: ['\n'],
  }),
  ...repeated(
    'csv',
    built((text, builder) => readDelimited(text, builder)),
    { quotes: ['"'], cells: ['a,'], rows: ['a,b\n'], 'quoted cells': ['"a",'], delimiters: [',;\t|'] },
  ),
  ...repeated('xml-document', built(readXml), {
    'nested elements': ['<a>'],
    attributes: [' a="b"', '<a'],
    comments: ['<!--'],
    references: ['&amp;', '<a>'],
    CDATA: ['<![CDATA[', '<a>'],
    text: ['word ', '<a>'],
  }),
  ...repeated('rtf', (text) => convertRtf(Buffer.from(text), limits), {
    'open groups': ['{', '{\\rtf1 '],
    'close groups': ['}', '{\\rtf1 '],
    'starred groups': ['{\\*\\a ', '{\\rtf1 '],
    'control words': ['\\par ', '{\\rtf1 '],
    Unicode: ['\\u1234?', '{\\rtf1 '],
    bytes: ["\\'e4", '{\\rtf1 '],
    fields: ['{\\field{\\*\\fldinst HYPERLINK "http://h/"}{\\fldrslt x}}', '{\\rtf1 '],
    'open fields': ['{\\field{\\*\\fldinst HYPERLINK ', '{\\rtf1 '],
    fonts: ['{\\f1 A;}', '{\\rtf1{\\fonttbl'],
    cells: ['\\cell x', '{\\rtf1\\trowd '],
    text: ['words ', '{\\rtf1 '],
    'nested tables': ['{\\trowd\\intbl x\\cell', '{\\rtf1 '],
  }),
  ...packed('docx', 'docx', (body) => docx(body), {
    paragraphs: ['<w:p><w:r><w:t>x</w:t></w:r></w:p>'],
    runs: ['<w:r><w:t>x</w:t></w:r>', '<w:p>', '</w:p>'],
    'nested tables': ['<w:tbl><w:tr><w:tc>'],
    'nested fields': ['<w:r><w:fldChar w:fldCharType="begin"/></w:r>', '<w:p>'],
    instructions: [
      '<w:r><w:instrText>HYPERLINK </w:instrText></w:r>',
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>',
    ],
    'text boxes': ['<w:txbxContent><w:p>'],
    'nested elements': ['<a>'],
  }),
  ...packed('xlsx', 'xlsx', (body) => xlsx({ S: `<sheetData>${body}</sheetData>` }), {
    rows: ['<row><c><v>1</v></c></row>'],
    cells: ['<c><v>1</v></c>', '<row>', '</row>'],
    'far cells': ['<row><c r="XFD1"><v>1</v></c></row>'],
    'inline texts': ['<c t="inlineStr"><is><t>a</t></is></c>', '<row>', '</row>'],
  }),
  ...packed('odf', 'odf', (body) => odf('text', body), {
    paragraphs: ['<text:p>x</text:p>'],
    'nested lists': ['<text:list><text:list-item>'],
    'nested spans': ['<text:span>', '<text:p>'],
    'nested tables': ['<table:table><table:table-row><table:table-cell>'],
  }),
  ...packed(
    'epub',
    'epub',
    (body) =>
      archive({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
        'c.opf': `<package><manifest>${body}<item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`,
        'a.xhtml': '<p>x</p>',
      }),
    {
      'manifest items': ['<item id="b" href="b.xhtml"/>'],
      'spine items': ['<itemref idref="a"/>', '</manifest><spine>'],
    },
  ),
];
