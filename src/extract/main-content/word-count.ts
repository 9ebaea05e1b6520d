import { CodeUnits } from '../../base/code-units.ts';

/** Words of a text. Where a script has no blanks between words, a word is taken to be two characters. */
export function countWords(text: string): number {
  return countWordsIn(new CodeUnits().of(text), text.length);
}

/** The same of a text of which somebody has the code units. No branch depends on the text: at the ends of words they would be guessed wrong. */
export function countWordsIn(units: Uint16Array, length: number): number {
  let words = 0;
  let unspaced = 0;
  let isOutside = 1;
  for (let at = 0; at < length; at++) {
    const kind = KINDS[units[at]];
    words += isOutside & ~kind;
    isOutside = kind & OUTSIDE;
    unspaced += kind >> 1;
  }
  return words + Math.ceil(unspaced / 2);
}

/** Of a text without regard to scripts: words are what stands between blanks and control characters. */
export function countWordsBetweenBlanks(units: Uint16Array, length: number): number {
  let words = 0;
  let isOutside = 1;
  for (let at = 0; at < length; at++) {
    const isBlank = (units[at] - LAST_BLANK - 1) >>> 31;
    words += isOutside & ~isBlank;
    isOutside = isBlank;
  }
  return words;
}

/** Up to this unit all are blanks or control characters. */
export const LAST_BLANK = 0x20;
/** In no word either. */
export const FURTHER_GAPS = [0xa0, 0x3000] as const;
/** Thai, Lao, Burmese, Khmer, kana and Han. */
export const UNSPACED_RANGES = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x3040, 0x30ff],
  [0x3400, 0x9fff],
] as const;

/** Bits: in no word, and of a script without blanks. */
const OUTSIDE = 1;
const UNSPACED = 2;
const KINDS = new Uint8Array(0x10000).fill(OUTSIDE, 0, LAST_BLANK + 1);
for (const unit of FURTHER_GAPS) KINDS[unit] = OUTSIDE;
for (const [first, last] of UNSPACED_RANGES) KINDS.fill(OUTSIDE | UNSPACED, first, last + 1);
