import type { Conversion, ConversionLimits } from '../../contracts/content/document.ts';
import { charsetOf, decode } from '../charset.ts';
import { sniffMediaType } from '../media-signatures.ts';
import { mediaTypeOf, parseContentType } from '../media-type.ts';
import { BlockFlow } from './block-flow.ts';
import { ConversionBudget, DEFAULT_CONVERSION_LIMITS } from './conversion-budget.ts';
import { DocumentBuilder } from './document-builder.ts';
import { type DocumentKind, documentKindOf } from './document-types.ts';
import { compoundDocumentType } from './packed/container-type.ts';
import type { PdfWorker } from './pdf/pdf-worker.ts';
import { readDelimited } from './texts/delimited-document.ts';
import { readMarkdown } from './texts/markdown-document.ts';
import { readPlainText } from './texts/plain-text-document.ts';
import { readXml } from './texts/xml-document.ts';
import { MarkupBlocks } from './xml/markup-blocks.ts';
import { XmlReader } from './xml/xml-reader.ts';

export interface ConvertOptions {
  /** As declared or found, parameters allowed; the content has the last word. */
  readonly mediaType?: string;
  /** Only its ending is looked at. */
  readonly url?: string;
  readonly limits?: Partial<ConversionLimits>;
  /** Whoever converts many PDFs keeps one; without it each PDF starts its own. */
  readonly pdfWorker?: Pick<PdfWorker, 'convert'>;
}

const PIECE = 64 * 1024;

/** A document of any kind as blocks and links; by content, else by media type. Never throws; ends within the limits. */
export async function convertDocument(bytes: Uint8Array, options: ConvertOptions = {}): Promise<Conversion> {
  const limits = { ...DEFAULT_CONVERSION_LIMITS, ...options.limits };
  const declared = parseContentType(options.mediaType);
  try {
    const kind = kindOf(bytes, nameOf(bytes, options, declared?.type));
    if (kind === 'encrypted') return { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' };
    if (kind === undefined) return { kind: 'unreadable', why: 'unsupported', detail: 'no document that can be read' };
    if (kind === 'pdf')
      return await (await import('./pdf/pdf-converter.ts')).convertPdf(bytes, limits, options.pdfWorker);
    return await convert(kind, bytes, limits, declared?.parameters.get('charset'));
  } catch (error) {
    // Whatever a reader stumbled over stands in the document.
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: 'unreadable', why: 'broken', detail: detail.slice(0, 200) };
  }
}

/** What it is called. Servers call Markdown and tables plain text; then the ending of the address knows better. */
function nameOf(bytes: Uint8Array, options: ConvertOptions, declared = ''): DocumentKind | undefined {
  const header = declared === 'text/plain' ? undefined : options.mediaType;
  return documentKindOf(mediaTypeOf(header, bytes, options.url ?? '').type) ?? documentKindOf(declared);
}

function kindOf(bytes: Uint8Array, byName: DocumentKind | undefined): DocumentKind | 'encrypted' | undefined {
  const sniffed = sniffMediaType(bytes);
  // What stands before the header of a PDF is passed over, by the habit of all its readers.
  if (byName === 'pdf' && Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).includes('%PDF-'))
    return 'pdf';
  // An archive or a compound file without the usual names, or bytes that look like nothing: only the name is left.
  if (sniffed === undefined || (sniffed.binary && sniffed.vague))
    return compoundDocumentType(bytes) === 'encrypted' ? 'encrypted' : isText(byName) ? asText(byName, bytes) : byName;
  const bySight = documentKindOf(sniffed.type);
  if (sniffed.binary) return bySight;
  if (bySight === 'rtf') return bySight;
  if (sniffed.type === 'text/html' || sniffed.type === 'application/xhtml+xml') return isText(byName) ? byName : 'html';
  // Text, and the name says what kind of text; a name of another kind is wrong.
  if (isText(byName)) return byName;
  return byName === 'xls' ? (bySight === 'text' ? 'csv' : bySight) : bySight;
}

/** Text with some control characters in it is text all the same. */
function asText(kind: DocumentKind | undefined, bytes: Uint8Array): DocumentKind | undefined {
  const start = bytes.subarray(0, 1_024);
  const controls = start.reduce((sum, byte) => (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) ? sum + 1 : sum), 0);
  return start.includes(0) || controls * 20 > start.length ? undefined : kind;
}

function isText(kind: DocumentKind | undefined): boolean {
  return (
    kind === 'text' || kind === 'markdown' || kind === 'csv' || kind === 'tsv' || kind === 'xml' || kind === 'json'
  );
}

async function convert(
  kind: Exclude<DocumentKind, 'pdf'>,
  bytes: Uint8Array,
  limits: ConversionLimits,
  charset: string | undefined,
): Promise<Conversion> {
  switch (kind) {
    case 'doc':
      return (await import('./compound/doc/doc-converter.ts')).convertDoc(bytes, limits);
    case 'xls':
      return (await import('./compound/xls/xls-converter.ts')).convertXls(bytes, limits);
    case 'ppt':
      return (await import('./compound/ppt/ppt-converter.ts')).convertPpt(bytes, limits);
    case 'rtf':
      return (await import('./rtf/rtf-converter.ts')).convertRtf(bytes, limits);
    case 'docx':
    case 'xlsx':
    case 'pptx':
    case 'odf':
    case 'epub':
      return (await import('./packed/zip-document.ts')).convertZipDocument(kind, bytes, limits);
    default:
      return convertText(kind, bytes, limits, charset);
  }
}

function convertText(
  kind: 'text' | 'markdown' | 'csv' | 'tsv' | 'xml' | 'json' | 'html',
  bytes: Uint8Array,
  limits: ConversionLimits,
  label: string | undefined,
): Conversion {
  const builder = new DocumentBuilder(new ConversionBudget(limits));
  // No encoding needs more than four bytes for a character; tags come on top of the text.
  const perCharacter = kind === 'xml' || kind === 'html' ? 8 : 4;
  const most = Math.min(limits.maxUnpacked, limits.maxText * perCharacter + PIECE);
  if (bytes.length > most) builder.cutAt('size');
  const part = bytes.subarray(0, most);
  const { encoding } = charsetOf(part, { xml: kind === 'xml', ...(label === undefined ? {} : { label }) });
  const text = decode(part, encoding);
  switch (kind) {
    case 'markdown':
      readMarkdown(text, builder);
      break;
    case 'csv':
      readDelimited(text, builder);
      break;
    case 'tsv':
      readDelimited(text, builder, '\t');
      break;
    case 'xml':
      readXml(text, builder);
      break;
    case 'json':
      builder.code(text);
      break;
    case 'html':
      readMarkup(text, builder);
      break;
    default:
      readPlainText(text, builder);
  }
  return builder.finish();
}

/** HTML under the name of another format: spreadsheets are often delivered so. */
function readMarkup(text: string, builder: DocumentBuilder): void {
  const flow = new BlockFlow(builder, builder.budget.limits.maxText);
  const reader = new XmlReader(new MarkupBlocks(flow, (url, said) => builder.link(url, said)), true);
  for (let at = 0; at < text.length && !flow.full && builder.budget.hasTime(); at += PIECE)
    reader.write(text.slice(at, at + PIECE));
  reader.end();
  flow.end();
}
