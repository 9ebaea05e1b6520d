import type { ZipDocumentKind } from './packed/zip-document.ts';

/** What a document is made of: how it is read, not what it is called. */
export type DocumentKind =
  | ZipDocumentKind
  | 'pdf'
  | 'doc'
  | 'xls'
  | 'ppt'
  | 'rtf'
  | 'text'
  | 'markdown'
  | 'csv'
  | 'tsv'
  | 'xml'
  | 'json'
  | 'html';

const OOXML = 'application/vnd.openxmlformats-officedocument.';
const ODF = 'application/vnd.oasis.opendocument.';

const KINDS: ReadonlyMap<string, DocumentKind> = new Map([
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  ['application/acrobat', 'pdf'],
  ['text/pdf', 'pdf'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-word', 'doc'],
  ['application/x-msword', 'doc'],
  ['application/doc', 'doc'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/msexcel', 'xls'],
  ['application/x-msexcel', 'xls'],
  ['application/x-excel', 'xls'],
  ['application/excel', 'xls'],
  ['application/xls', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/mspowerpoint', 'ppt'],
  ['application/powerpoint', 'ppt'],
  ['application/x-mspowerpoint', 'ppt'],
  ['application/rtf', 'rtf'],
  ['application/x-rtf', 'rtf'],
  ['text/rtf', 'rtf'],
  ['text/richtext', 'rtf'],
  [`${OOXML}wordprocessingml.document`, 'docx'],
  [`${OOXML}wordprocessingml.template`, 'docx'],
  ['application/vnd.ms-word.document.macroenabled.12', 'docx'],
  ['application/vnd.ms-word.template.macroenabled.12', 'docx'],
  [`${OOXML}spreadsheetml.sheet`, 'xlsx'],
  [`${OOXML}spreadsheetml.template`, 'xlsx'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'xlsx'],
  ['application/vnd.ms-excel.template.macroenabled.12', 'xlsx'],
  [`${OOXML}presentationml.presentation`, 'pptx'],
  [`${OOXML}presentationml.slideshow`, 'pptx'],
  [`${OOXML}presentationml.template`, 'pptx'],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.12', 'pptx'],
  ['application/vnd.ms-powerpoint.slideshow.macroenabled.12', 'pptx'],
  [`${ODF}text`, 'odf'],
  [`${ODF}text-template`, 'odf'],
  [`${ODF}text-master`, 'odf'],
  [`${ODF}text-web`, 'odf'],
  [`${ODF}spreadsheet`, 'odf'],
  [`${ODF}spreadsheet-template`, 'odf'],
  [`${ODF}presentation`, 'odf'],
  [`${ODF}presentation-template`, 'odf'],
  [`${ODF}graphics`, 'odf'],
  ['application/epub+zip', 'epub'],
  ['text/plain', 'text'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/csv', 'csv'],
  ['application/csv', 'csv'],
  ['text/x-csv', 'csv'],
  ['text/comma-separated-values', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/json', 'json'],
  ['application/ld+json', 'json'],
  ['application/geo+json', 'json'],
]);

const BINARY_KINDS: ReadonlySet<DocumentKind> = new Set<DocumentKind>([
  'pdf',
  'doc',
  'xls',
  'ppt',
  'rtf',
  'docx',
  'xlsx',
  'pptx',
  'odf',
  'epub',
]);

/** By its media type alone, in lower case and without parameters; HTML is none of them, for it is read elsewhere. */
export function documentKindOf(mediaType: string): DocumentKind | undefined {
  const kind = KINDS.get(mediaType);
  if (kind !== undefined || mediaType === 'application/xhtml+xml') return kind;
  if (mediaType.startsWith(ODF)) return 'odf';
  if (mediaType.endsWith('+xml')) return 'xml';
  return mediaType.endsWith('+json') ? 'json' : undefined;
}

/** Whether `convertDocument` has a reader for this type. */
export function isConvertible(mediaType: string): boolean {
  return documentKindOf(mediaType) !== undefined;
}

/** Office files, PDF, e-books: documents that nothing but a converter makes readable. */
export function isOfficeDocument(mediaType: string): boolean {
  const kind = documentKindOf(mediaType);
  return kind !== undefined && BINARY_KINDS.has(kind);
}

/** Every media type known by name. */
export const CONVERTIBLE_MEDIA_TYPES: readonly string[] = [...KINDS.keys()];
