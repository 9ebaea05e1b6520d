import { readFileSync } from 'node:fs';
import { madeOnce } from '../../base/made-once.ts';

/** Bits that a character costs which no text of the language should hold. */
const FOREIGN_LETTER = 14;
const BROKEN = 20;
const SYMBOL = 12;
const PUNCTUATION = 6;
/** A letter of another alphabet beside one of this: words mix no alphabets. */
const MIXED = 12;
/** A capital within a word that began in small letters. */
const CAPITAL_INSIDE = 6;
/** A symbol between two letters. */
const SYMBOL_INSIDE = 6;
/** Costs are written as one character for each quarter of a bit. */
const FIRST_DIGIT = 0x28;

const USUAL_PUNCTUATION = new Set([...'«»“”„‘’‚–—…·•°§©®€£№\u00a0'].map((char) => char.charCodeAt(0)));
/** Place of what is no letter, in each alphabet. */
const EDGE = 0;
const FOREIGN = -1;

interface Alphabet {
  /** Place of each letter below U+1000, 0 for all that is none of it. */
  readonly places: Uint8Array;
  readonly size: number;
  /** Bits of a letter after another, at previous * size + next. */
  readonly bits: Float32Array;
  readonly hasAscii: boolean;
}

/**
 * Of each language its letters, and for each pair of places (0: no letter) its cost in quarter bits. Most pages name their
 * charset: the file is read, and each table made, for the first that does not.
 */
const alphabets = madeOnce(() => {
  const pairs: readonly (readonly [language: string, letters: string, costs: string])[] = JSON.parse(
    readFileSync(new URL('./letter-pairs.json', import.meta.url), 'utf8'),
  );
  return new Map(pairs.map(([language, letters, costs]) => [language, madeOnce(() => alphabetOf(letters, costs))]));
});

/** Bits to write the non-ASCII part of a text by a language's letter pairs: fewer is likelier. Stops beyond `most`. */
export function alphabetCost(text: string, lower: string, language: string, most: number): number {
  const { places, size, bits, hasAscii } = (alphabets().get(language) as () => Alphabet)();
  let cost = 0;
  let previous = EDGE;
  let previousUnit = 0x20;
  for (let at = 0; at < lower.length && cost <= most; at++) {
    const unit = lower.charCodeAt(at);
    let place = unit < 0x1000 ? places[unit] : EDGE;
    if (unit < 0x80) {
      if (place === EDGE && !hasAscii && unit >= 0x61 && unit <= 0x7a) place = FOREIGN;
      if (previousUnit >= 0x80) {
        if (place >= 0 && previous >= 0) cost += bits[previous * size + place];
        else if (place !== previous && place !== EDGE && previous !== EDGE) cost += MIXED;
      }
    } else if (place > 0) {
      cost += previous >= 0 ? bits[previous * size + place] : FOREIGN_LETTER / 2 + MIXED;
      if (previous > 0 && text.charCodeAt(at) !== unit && text.charCodeAt(at - 1) === previousUnit)
        cost += CAPITAL_INSIDE;
    } else {
      const letter = isLetter(unit);
      cost += letter ? FOREIGN_LETTER : symbolCost(unit);
      if (letter) {
        place = FOREIGN;
        if (!hasAscii && previous !== EDGE) cost += MIXED;
      } else if (previous !== EDGE && at + 1 < lower.length && isWordUnit(lower.charCodeAt(at + 1)))
        cost += SYMBOL_INSIDE;
    }
    previous = place;
    previousUnit = unit;
  }
  return cost;
}

function alphabetOf(letters: string, costs: string): Alphabet {
  const places = new Uint8Array(0x1000);
  let size = 1;
  for (const letter of letters) places[letter.charCodeAt(0)] = size++;
  const bits = new Float32Array(costs.length);
  for (let at = 0; at < bits.length; at++) bits[at] = (costs.charCodeAt(at) - FIRST_DIGIT) / 4;
  return { places, size, bits, hasAscii: places[0x65] > 0 };
}

function symbolCost(unit: number): number {
  if (USUAL_PUNCTUATION.has(unit)) return PUNCTUATION;
  return unit < 0xa0 || unit >= 0xe000 ? BROKEN : SYMBOL;
}

/** Whether a unit beyond ASCII is a letter, as far as encodings of one byte go. */
function isLetter(unit: number): boolean {
  if (unit < 0x100) return unit >= 0xc0 && unit !== 0xd7 && unit !== 0xf7;
  return unit < 0x2000 && (unit < 0x2b0 || unit > 0x2ff);
}

function isWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x80 && isLetter(unit));
}
