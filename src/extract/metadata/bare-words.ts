import { isAscii } from './is-ascii.ts';

/** Letters and digits of every script; those of ASCII are found in a fraction of the time, and most titles have no others. */
const WORD = /[\p{L}\p{N}]+/gu;
const ASCII_WORD = /[a-z0-9]+/g;
const BETWEEN = /[^\p{L}\p{N}]+/gu;
const ASCII_BETWEEN = /[^a-z0-9]+/g;

/** The words of a text in small letters. */
export function wordsIn(lower: string): readonly string[] {
  return lower.match(isAscii(lower) ? ASCII_WORD : WORD) ?? [];
}

/** The text in small letters without all that stands between words. */
export function bareWords(text: string): string {
  const lower = text.toLowerCase();
  return lower.replace(isAscii(lower) ? ASCII_BETWEEN : BETWEEN, '');
}
