import { type Fingerprint, fingerprint, fingerprintOfBytes } from '../../base/fingerprint.ts';

/** What a document says, as far as it counts for changes. */
export interface Saying {
  /** Without the name of its site. */
  readonly title?: string;
  /** Main text; of a document without any, what stands for it. */
  readonly text: string;
}

/** Digests of the first version are of the text as it is, and have no mark. */
const VERSION = '2:';
/** "(3) Inbox", "[12] News": what waits for somebody is no headline, nor are the marks of a tab that has news. */
const COUNTER = /^(?:[([{]\s*\d+\+?\s*[)\]}]|[•●*])\s*/u;
/** White space but for the single blank between two words: it stays as it is, which is five times as fast. */
const UNEVEN = /[^\S ]\s*| \s+/gu;
const CLOCK = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?/giu;

/** Of headline and text, without regard to case and white space. `ascii`: the text as bytes, where it is ASCII. */
export function textDigest({ title = '', text }: Saying, ascii?: Uint8Array): string {
  const headline = `${folded(steadyTitle(title))}\n`;
  if (ascii === undefined) return VERSION + hex(fingerprint(headline + folded(text)));
  return VERSION + hex(fingerprintOfBytes(foldedBytes(headline, ascii)));
}

/** Whether a visit found the words of the one before, by digests of the same version; undefined where there are none. */
export function isSameText(
  before: string | undefined,
  now: { readonly textDigest?: string; readonly formerTextDigest?: string },
): boolean | undefined {
  if (before === undefined) return undefined;
  const comparable = isFormer(before) ? now.formerTextDigest : now.textDigest;
  return comparable === undefined ? undefined : comparable === before;
}

/** What can be compared with a digest that an earlier version of Orbweaver has kept; nothing where that is not needed. */
export function formerDigest(
  before: string | undefined,
  text: string | undefined,
): { readonly formerTextDigest?: string } {
  return before === undefined || text === undefined || !isFormer(before)
    ? {}
    : { formerTextDigest: hex(fingerprint(text)) };
}

/** The same for texts that differ in case and white space alone. */
export function folded(text: string): string {
  return text.toLowerCase().replace(UNEVEN, ' ').trim();
}

/** A title without counters and clocks. */
export function steadyTitle(title: string): string {
  return title.replace(COUNTER, '').replace(CLOCK, '').trim();
}

function isFormer(digest: string): boolean {
  return !digest.startsWith(VERSION);
}

/** The headline, and `folded` of the text, in UTF-8: without a string of it in small letters, and its bytes. */
function foldedBytes(headline: string, ascii: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(3 * headline.length + ascii.length);
  const start = bytes.write(headline);
  let length = start;
  let gap = false;
  for (let at = 0; at < ascii.length; at++) {
    const code = ascii[at];
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) {
      gap = length > start;
      continue;
    }
    if (gap) {
      bytes[length++] = 0x20;
      gap = false;
    }
    bytes[length++] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  }
  return bytes.subarray(0, length);
}

function hex(digest: Fingerprint): string {
  return digest.toString(16).padStart(16, '0');
}
