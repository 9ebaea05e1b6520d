import { CodeUnits } from '../../base/code-units.ts';

/** Words of a text. Where a script has no blanks between words, a word is taken to be two characters. */
export function countWords(text: string): number {
  return countWordsIn(new CodeUnits().of(text), text.length);
}

/** The same of a text of which somebody has the code units. */
export function countWordsIn(units: Uint16Array, length: number): number {
  let words = 0;
  let unspaced = 0;
  let inWord = false;
  for (let at = 0; at < length; at++) {
    const code = units[at];
    if (code >= FIRST_UNSPACED && isUnspaced(code)) {
      unspaced++;
      inWord = false;
    } else {
      const white = code <= 0x20 || code === 0xa0 || code === 0x3000;
      if (!white && !inWord) words++;
      inWord = !white;
    }
  }
  return words + Math.ceil(unspaced / 2);
}

const FIRST_UNSPACED = 0x0e00;

/** Kana, Han, Thai, Lao, Khmer and Burmese. */
function isUnspaced(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0x0e00 && code <= 0x0eff) ||
    (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff)
  );
}
