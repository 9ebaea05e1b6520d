import { isAscii, isUtf8 } from 'node:buffer';
import { decodeLegacy } from './charset-decoder.ts';
import { detectCharset } from './charset-detection/detect-charset.ts';
import { escapeEncoding } from './charset-detection/escape-encoding.ts';
import { utf8Evidence } from './charset-detection/utf8-evidence.ts';
import { wideEncoding } from './charset-detection/wide-encoding.ts';
import { encodingOf } from './encoding-label.ts';
import { metaCharset } from './meta-charset.ts';
import { xmlEncoding } from './xml-encoding.ts';

export interface Charset {
  /** Name by the Encoding Standard, in lower case; or one it does not have: `utf-32le`, `iso-2022-kr`, a code page like `ibm850`. */
  readonly encoding: string;
  /** Who says so. `content` also where the bytes refute what was declared. */
  readonly from: 'bom' | 'header' | 'meta' | 'xml' | 'content' | 'default';
}

export interface CharsetHints {
  /** The charset parameter of the Content-Type header. */
  readonly label?: string;
  /** The document is XML: it is UTF-8 unless it says otherwise, and META tags mean nothing. */
  readonly xml?: boolean;
}

/** Of characters and broken bytes together, so many may be broken in a document that is UTF-8 all the same. */
const BROKEN_SHARE = 0.2;
const DOUBLE_BYTE = new Set(['gbk', 'gb18030', 'big5', 'euc-kr', 'shift_jis', 'euc-jp']);

const utf8 = new TextDecoder('utf-8');

/** The encoding of a document: byte order mark, header, declaration, then the bytes, which can refute a declaration. */
export function charsetOf(bytes: Uint8Array, hints: CharsetHints = {}): Charset {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return { encoding: mark, from: 'bom' };
  const declared = declaredCharset(bytes, hints);
  if (declared !== undefined) return refuted(declared.encoding, bytes) ?? declared;
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { encoding: wide, from: 'content' };
  if (isAscii(bytes)) return asciiCharset(bytes, hints);
  if (isCutUtf8(bytes)) return { encoding: 'utf-8', from: 'content' };
  return undeclared(bytes) ?? { encoding: hints.xml === true ? 'utf-8' : 'windows-1252', from: 'default' };
}

/** The text of a document; bytes that mean nothing become U+FFFD, a byte order mark is left out. */
export function decode(bytes: Uint8Array, encoding: string): string {
  return encoding === 'utf-8' ? utf8.decode(bytes) : decodeLegacy(bytes, encoding);
}

function declaredCharset(bytes: Uint8Array, hints: CharsetHints): Charset | undefined {
  const labelled = hints.label === undefined ? undefined : encodingOf(hints.label);
  if (labelled !== undefined) return { encoding: labelled, from: 'header' };
  const meta = hints.xml === true ? undefined : metaCharset(bytes);
  if (meta !== undefined) return { encoding: meta, from: 'meta' };
  const xml = xmlEncoding(bytes);
  return xml === undefined ? undefined : { encoding: xml, from: 'xml' };
}

/** What the bytes are instead, where they cannot be what was declared. */
function refuted(declared: string, bytes: Uint8Array): Charset | undefined {
  if (declared === 'replacement') {
    const escaped = escapeEncoding(bytes);
    return escaped === undefined ? undefined : { encoding: escaped, from: 'content' };
  }
  if (declared === 'utf-16le' || declared === 'utf-16be') return refutedWide(declared, bytes);
  if (isAscii(bytes)) return undefined;
  if (declared === 'utf-8') return refutedUtf8(bytes);
  if (declared === 'iso-2022-jp' || !isCutUtf8(bytes)) return undefined;
  const { characters, long } = utf8Evidence(bytes);
  return characters >= leastCharacters(declared) && (long > 0 || !DOUBLE_BYTE.has(declared))
    ? { encoding: 'utf-8', from: 'content' }
    : undefined;
}

/**
 * This many characters of UTF-8 refute a declaration. In Latin letters one is as good as a proof; bytes of encodings with
 * two bytes per character can be valid UTF-8 by chance for a few words, so there it takes a page.
 */
function leastCharacters(declared: string): number {
  if (DOUBLE_BYTE.has(declared)) return 100;
  return declared === 'windows-1252' ? 1 : 3;
}

/** Wide characters were declared, but there is text of single bytes, or of the other order. */
function refutedWide(declared: string, bytes: Uint8Array): Charset | undefined {
  const wide = wideEncoding(bytes);
  if (wide === declared) return undefined;
  if (wide !== undefined) return { encoding: wide, from: 'content' };
  if (bytes.subarray(0, 1_024).includes(0) || !isCutUtf8(bytes)) return undefined;
  return { encoding: 'utf-8', from: 'content' };
}

function refutedUtf8(bytes: Uint8Array): Charset | undefined {
  if (isCutUtf8(bytes)) return undefined;
  const { characters, broken } = utf8Evidence(bytes);
  // Broken by a careless cut, or a quotation in another encoding.
  if (broken <= BROKEN_SHARE * (characters + broken)) return undefined;
  return undeclared(bytes);
}

function undeclared(bytes: Uint8Array): Charset | undefined {
  const { encoding, clear } = detectCharset(bytes);
  return clear ? { encoding, from: 'content' } : undefined;
}

function asciiCharset(bytes: Uint8Array, hints: CharsetHints): Charset {
  const escaped = escapeEncoding(bytes);
  if (escaped !== undefined) return { encoding: escaped, from: 'content' };
  if (hints.xml === true) return { encoding: 'utf-8', from: 'default' };
  // ASCII reads the same in all encodings left: here the letter of the standard may be kept where browsers leave it.
  return { encoding: metaCharset(bytes, true) ?? 'windows-1252', from: 'default' };
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) return 'utf-32be';
  if (bytes[0] !== 0xff || bytes[1] !== 0xfe) return undefined;
  // To the standard this is UTF-16, but of a text that begins with a zero.
  return bytes[2] === 0 && bytes[3] === 0 && bytes.length > 4 ? 'utf-32le' : 'utf-16le';
}

/** Whether a body is UTF-8. One that was cut at its size limit may end inside a character, but then holds whole ones before. */
function isCutUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) return false;
    if (byte < 0xc0) continue;
    const whole = bytes.subarray(0, bytes.length - back);
    return !isAscii(whole) && isUtf8(whole);
  }
  return false;
}
