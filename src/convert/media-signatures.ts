import { compoundDocumentType, zipDocumentType } from './documents/packed/container-type.ts';

export interface SniffedType {
  readonly type: string;
  /** Bytes that are no text. */
  readonly binary: boolean;
  /** The signature covers many types, of which it names the common ground: archives, XML, text. */
  readonly vague: boolean;
  /** RSS, Atom or a sitemap. */
  readonly feed: boolean;
}

const SNIFFED_BYTES = 1_024;

const ZIP = 'application/zip';

/** Signature, as characters of one byte each; a dot stands for any byte. */
const BINARY: readonly (readonly [signature: string, type: string, vague?: boolean])[] = [
  ['%PDF-', 'application/pdf'],
  ['PK\x03\x04', ZIP, true],
  ['PK\x05\x06', ZIP, true],
  ['\x1f\x8b\x08', 'application/gzip'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage', true],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF....WEBPVP', 'image/webp'],
  ['RIFF....WAVE', 'audio/wav'],
  ['RIFF....AVI ', 'video/avi'],
  ['....ftypavif', 'image/avif'],
  ['....ftyp', 'video/mp4'],
  ['\x00\x00\x01\x00', 'image/x-icon'],
  ['BM....\x00\x00\x00\x00', 'image/bmp'],
  ['II*\x00', 'image/tiff'],
  ['MM\x00*', 'image/tiff'],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['OggS\x00', 'application/ogg'],
  ['ID3', 'audio/mpeg'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
  ['Rar!\x1a\x07', 'application/x-rar-compressed'],
  ['7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'],
  ['\x28\xb5\x2f\xfd', 'application/zstd'],
  ['\x7fELF', 'application/x-executable'],
];

const HTML_START =
  /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|main|article|section)[\t\n\f\r />]/i;

const ROOTS: readonly (readonly [root: RegExp, type: string, feed: boolean])[] = [
  [/^rss[\s>]/i, 'application/rss+xml', true],
  [/^(?:\w+:)?feed[\s>]/i, 'application/atom+xml', true],
  [/^rdf:rdf[\s>]/i, 'application/rss+xml', true],
  [/^(?:\w+:)?(?:urlset|sitemapindex)[\s>]/i, 'application/xml', true],
  [/^(?:\w+:)?svg[\s>]/i, 'image/svg+xml', false],
  [/^html[\s>]/i, 'application/xhtml+xml', false],
];

const NO_SIGNATURES: typeof BINARY = [];

/** No signature begins like markup but those that leave their first bytes open, of which the fifth is always the same. */
function isMarkup(bytes: Uint8Array): boolean {
  return bytes[0] === 0x3c && bytes[4] !== 0x66;
}

/** What the first bytes look like; undefined where they look like nothing. */
export function sniffMediaType(bytes: Uint8Array): SniffedType | undefined {
  if (bytes.length === 0) return undefined;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFFED_BYTES)).toString('latin1');
  for (const [signature, type, vague] of isMarkup(bytes) ? NO_SIGNATURES : BINARY) {
    if (!hasSignature(start, signature)) continue;
    const inside = vague === true ? documentInside(type, bytes) : undefined;
    return { type: inside ?? type, binary: true, vague: vague === true && inside === undefined, feed: false };
  }
  const text = start.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (text.startsWith('{\\rtf')) return { type: 'application/rtf', binary: false, vague: false, feed: false };
  const markup = sniffMarkup(text);
  if (markup !== undefined) return markup;
  const utf16 = start.startsWith('\xfe\xff') || start.startsWith('\xff\xfe');
  if (!utf16 && /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(start)) return undefined;
  return { type: 'text/plain', binary: false, vague: true, feed: false };
}

/** Containers are told apart by the names in their directories. */
function documentInside(container: string, bytes: Uint8Array): string | undefined {
  if (container === ZIP) return zipDocumentType(bytes);
  const inside = compoundDocumentType(bytes);
  return inside === 'encrypted' ? undefined : inside;
}

function sniffMarkup(text: string): SniffedType | undefined {
  const xml = /^<\?xml[\s?]/.test(text);
  // What comes before the root element: declarations, instructions, comments and white space.
  const root = text.replace(/^(?:\s|<\?[^>]*>|<!--.*?-->|<!doctype[^>]*>)+/is, '');
  if (root.startsWith('<'))
    for (const [pattern, type, feed] of ROOTS)
      if ((xml || feed) && pattern.test(root.slice(1))) return { type, binary: false, vague: false, feed };
  if (xml) return { type: 'application/xml', binary: false, vague: true, feed: false };
  if (HTML_START.test(root) || HTML_START.test(text))
    return { type: 'text/html', binary: false, vague: false, feed: false };
  return undefined;
}

function hasSignature(start: string, signature: string): boolean {
  if (start.length < signature.length) return false;
  for (let at = 0; at < signature.length; at++) if (signature[at] !== '.' && signature[at] !== start[at]) return false;
  return true;
}
