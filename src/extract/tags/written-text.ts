import { type ByteText, decodeBytes } from '../byte-text.ts';
import { decodeReferences } from '../character-references.ts';

const CARRIAGE_RETURN = 0x0d;
const AMPERSAND = 0x26;

/** The text of a part of a document, character references replaced. */
export function decodedText(html: ByteText, bytes: Uint8Array, start: number, end: number): string {
  const text = html.slice(start, end) as ByteText;
  return isPlain(bytes, start, end) ? text : decodeReferences(decodeBytes(text), false);
}

/** Whether bytes stand for themselves: ASCII without anything that the standard replaces. */
export function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = bytes[at];
    if (code > 0x7f || code === AMPERSAND || code === CARRIAGE_RETURN || code === 0) return false;
  }
  return true;
}

/** Names count in lower case, but only the letters of ASCII have one. */
export function nameOf(written: string): string {
  return written.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('\0', '\ufffd');
}
