import { isAscii, isUtf8 } from 'node:buffer';
import { encodingOf } from './encoding-label.ts';
import { metaCharset } from './meta-charset.ts';
import { xmlEncoding } from './xml-encoding.ts';

export interface Charset {
  /** Name by the Encoding Standard, in lower case. */
  readonly encoding: string;
  /** Who says so. */
  readonly from: 'bom' | 'header' | 'meta' | 'xml' | 'content' | 'default';
}

export interface CharsetHints {
  /** The charset parameter of the Content-Type header. */
  readonly label?: string;
  /** The document is XML: it is UTF-8 unless it says otherwise, and META tags mean nothing. */
  readonly xml?: boolean;
}

const utf8 = new TextDecoder('utf-8');

/** In which encoding a document is written: byte order mark, header, declaration inside, then what the bytes look like. */
export function charsetOf(bytes: Uint8Array, hints: CharsetHints = {}): Charset {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return { encoding: mark, from: 'bom' };
  const labelled = hints.label === undefined ? undefined : encodingOf(hints.label);
  if (labelled !== undefined) return { encoding: labelled, from: 'header' };
  const meta = hints.xml === true ? undefined : metaCharset(bytes);
  if (meta !== undefined) return { encoding: meta, from: 'meta' };
  const declared = xmlEncoding(bytes);
  if (declared !== undefined) return { encoding: declared, from: 'xml' };
  if (hints.xml === true) return { encoding: 'utf-8', from: 'default' };
  if (!isAscii(bytes)) {
    if (isUtf8(withoutCutCharacter(bytes))) return { encoding: 'utf-8', from: 'content' };
    return { encoding: 'windows-1252', from: 'default' };
  }
  // ASCII reads the same in all encodings left: here the letter of the standard may be kept where browsers leave it.
  return { encoding: metaCharset(bytes, true) ?? 'windows-1252', from: 'default' };
}

/** The text of a document; bytes that mean nothing become U+FFFD, a byte order mark is left out. */
export function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'utf-8') return utf8.decode(bytes);
  // The standard's decoder for encodings that must not be read.
  if (encoding === 'replacement') return bytes.length === 0 ? '' : '\ufffd';
  return new TextDecoder(encoding).decode(bytes);
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

/** A body that was cut at its size limit may end inside a character. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) break;
  }
  return bytes;
}
