import { type Fingerprint, fingerprint, fingerprintOfBytes } from '../../base/fingerprint.ts';
import type { FoldedText } from './folded-text.ts';

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

/** The code units of a text, and who folds them. */
export interface TextUnits {
  readonly units: Uint16Array;
  readonly folding: FoldedText;
}

/** Of headline and text, without regard to case and white space. `by`: the text as code units, where somebody has them. */
export function textDigest({ title = '', text }: Saying, by?: TextUnits): string {
  const headline = `${folded(steadyTitle(title))}\n`;
  const bytes = by?.folding.bytes(headline, by.units, text.length);
  return VERSION + hex(bytes === undefined ? fingerprint(headline + folded(text)) : fingerprintOfBytes(bytes));
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

function hex(digest: Fingerprint): string {
  return digest.toString(16).padStart(16, '0');
}
