import { Utf32Decoder } from '../../base/utf32-decoder.ts';

/** Which encoding an XML document is in, and who says so. */
export interface XmlCharset {
  /** Name by the Encoding Standard in lower case, or `utf-32le`, `utf-32be`. */
  readonly encoding: string;
  /** The label that decided, in lower case: `us-ascii` where the encoding is windows-1252 because of it. */
  readonly label: string;
  readonly from: 'bom' | 'header' | 'shape' | 'declaration' | 'default';
  /** A label was given that nobody knows; the next best was taken. */
  readonly unknownLabel?: string;
}

/** Bytes to look at; the declaration has to be within them. */
const prefixLength = 1_024;

/**
 * By RFC 7303: a byte order mark wins, then the charset parameter of the header, then the shape of the first bytes and
 * the declaration, then UTF-8. The old default of text/xml, us-ascii, is not followed: it was never true of real feeds.
 */
export function xmlCharset(bytes: Uint8Array, contentType = ''): XmlCharset {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return { encoding: mark, label: mark, from: 'bom' };
  let unknownLabel: string | undefined;
  const header = /;\s*charset\s*=\s*["']?\s*([^"'\s;]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (header !== undefined) {
    const encoding = encodingOf(header);
    if (encoding !== undefined) return { encoding, label: header, from: 'header' };
    unknownLabel = header;
  }
  const shape = shapeOf(bytes);
  if (shape !== undefined) return { encoding: shape, label: shape, from: 'shape', unknownLabel };
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prefixLength)).toString('latin1');
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']\s*([^"'<>\s]+)/.exec(start)?.[1]?.toLowerCase();
  if (declared !== undefined) {
    const encoding = encodingOf(declared);
    // A declaration that can be read byte by byte is not written in two bytes a character.
    if (encoding?.startsWith('utf-16') || encoding?.startsWith('utf-32')) {
      return { encoding: 'utf-8', label: 'utf-8', from: 'default', unknownLabel: declared };
    }
    if (encoding !== undefined) return { encoding, label: declared, from: 'declaration', unknownLabel };
    unknownLabel = declared;
  }
  return { encoding: 'utf-8', label: 'utf-8', from: 'default', unknownLabel };
}

/** The text of bytes in an encoding that `xmlCharset` named; the byte order mark is left out. */
export function decodeXml(bytes: Uint8Array, encoding: string): string {
  return createXmlDecoder(encoding).decode(bytes);
}

/** Turns bytes into text piece by piece. */
export interface XmlDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

export function createXmlDecoder(encoding: string): XmlDecoder {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return new Utf32Decoder(encoding === 'utf-32le');
  return new TextDecoder(encoding);
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

/** How `<` and the character after it lie in the first bytes. */
function shapeOf(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x3c && b === 0 && c === 0 && d === 0) return 'utf-32le';
  if (a === 0 && b === 0 && c === 0 && d === 0x3c) return 'utf-32be';
  if (a === 0x3c && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  return a === 0 && b === 0x3c && c === 0 && d !== 0 ? 'utf-16be' : undefined;
}

function encodingOf(label: string): string | undefined {
  if (label === 'utf-32' || label === 'utf-32le') return 'utf-32le';
  if (label === 'utf-32be') return label;
  // The platform only tells by throwing which labels it does not know.
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
