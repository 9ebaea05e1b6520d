import { isUtf8 } from 'node:buffer';

/** How much of a robots.txt counts (RFC 9309, 2.5). */
export const ROBOTS_MAX_BYTES = 500 * 1024;

/** How much of one line counts, as in Google's parser: eight times the longest URL of a browser, less one. */
export const ROBOTS_MAX_LINE_BYTES = 8 * 2083 - 1;

const BOM = [0xef, 0xbb, 0xbf];
const LF = 0x0a;
const CR = 0x0d;

/**
 * The text of a robots.txt: byte order mark removed, cut at the size limit.
 *
 * Invariant: no octet of a rule is lost. A file that is not UTF-8 has its octets past ASCII percent-encoded, which
 * is what they are compared as, so the text can be kept as a string and parsed again with the same verdicts.
 */
export function robotsText(body: string | Uint8Array): string {
  if (typeof body === 'string') {
    const fits = body.length * 3 <= ROBOTS_MAX_BYTES || Buffer.byteLength(body) <= ROBOTS_MAX_BYTES;
    if (fits) return wellFormed(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
    body = Buffer.from(body);
  }
  const counted = body.subarray(bomLength(body), lastCountedByte(body));
  const bytes = Buffer.from(counted.buffer, counted.byteOffset, counted.byteLength);
  if (isUtf8(bytes)) return wellFormed(bytes.toString('utf8'));
  const encoded = Buffer.from(bytes.toString('latin1').replace(/[\x80-\xff]/g, percentEncoded), 'latin1');
  return encoded.toString('latin1', 0, lastCountedByte(encoded));
}

/** U+FFFD is compared as the octets it is written with; bare in a URL it equals nothing (see robots-path.ts). */
function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll('\ufffd', '%EF%BF%BD');
}

/** The first octets of an over-long line. */
export function cutLine(line: string): string {
  const bytes = Buffer.from(line);
  let end = Math.min(bytes.length, ROBOTS_MAX_LINE_BYTES);
  while (end > 0 && end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** Google's parser also skips a mark of which only the first octets are there. */
function bomLength(body: Uint8Array): number {
  let length = 0;
  while (length < BOM.length && body[length] === BOM[length]) length++;
  return length;
}

/**
 * A line that the limit cuts in two is dropped, as half a rule may say the opposite of the whole ("Disallow: /x" cut
 * to "Disallow: /"). An over-long line stays: the part of it that counts lies before the limit.
 */
function lastCountedByte(body: Uint8Array): number {
  if (body.length <= ROBOTS_MAX_BYTES || isLineEnd(body[ROBOTS_MAX_BYTES])) {
    return Math.min(body.length, ROBOTS_MAX_BYTES);
  }
  let end = ROBOTS_MAX_BYTES;
  while (end > 0 && !isLineEnd(body[end - 1])) end--;
  return ROBOTS_MAX_BYTES - end > ROBOTS_MAX_LINE_BYTES ? ROBOTS_MAX_BYTES : end;
}

function isLineEnd(byte: number): boolean {
  return byte === LF || byte === CR;
}

function percentEncoded(octet: string): string {
  return `%${octet.charCodeAt(0).toString(16).toUpperCase()}`;
}
