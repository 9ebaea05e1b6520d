import { CodeUnits, codePointAt } from '../../base/code-units.ts';
import { SHINGLE_WORDS } from './sketch-method.ts';
import { isWholeWord, OUTSIDE, planeOf, SPACELESS_FROM, WordCharacters } from './word-characters.ts';

const FIRST_CAPACITY = 1024;
/** A word counts by its length, since the short ones are in every text; beyond this length no more. */
export const MOST_WEIGHT = 8;

export const LOW_START = 0x2f0b4a27;
export const HIGH_START = 0x6a09e667;
export const LOW_FACTOR = 0x01000193;
export const HIGH_FACTOR = 0x5bd1e995;
export const LOW_ROLL = 0x2c1b3c6d;
export const HIGH_ROLL = 0x297a2d39;
export const FIRST_MIX = 0x85ebca6b;
export const SECOND_MIX = 0xc2b2ae35;

/**
 * One pass over a text: 64-bit hashes (in two words) of its words and of its shingles, in order, repetitions included.
 * The arrays belong to the scan and are overwritten by the next text; no string is made of any word.
 */
export class TextScan {
  /** Words of the text read last. */
  words = 0;
  /** Shingles of it, equal ones counted each time. */
  shingles = 0;
  /** Letters, digits and the like, in all words. */
  letters = 0;
  wordLow = new Int32Array(FIRST_CAPACITY);
  wordHigh = new Int32Array(FIRST_CAPACITY);
  /** By word: its length up to 8, or 0 for a character that is a word only because its script sets no spaces. */
  weights = new Uint8Array(FIRST_CAPACITY);
  shingleLow = new Int32Array(FIRST_CAPACITY);
  shingleHigh = new Int32Array(FIRST_CAPACITY);
  readonly #characters = new WordCharacters();
  readonly #units = new CodeUnits();
  readonly #mostWords: number;
  readonly #shingleWords: number;
  /** What a word counts in the rolling hashes when it leaves. */
  readonly #lowLeaving: number;
  readonly #highLeaving: number;
  #rollLow = 0;
  #rollHigh = 0;

  /** Words beyond `mostWords` are not looked at. */
  constructor(mostWords: number, shingleWords = SHINGLE_WORDS) {
    this.#mostWords = mostWords;
    this.#shingleWords = shingleWords;
    this.#lowLeaving = power(LOW_ROLL, shingleWords);
    this.#highLeaving = power(HIGH_ROLL, shingleWords);
  }

  read(text: string): void {
    this.readUnits(this.#units.of(text), text.length);
  }

  /** The same for a text of which somebody has the code units, with a 0 behind them. */
  readUnits(units: Uint16Array, end: number): void {
    this.#begin();
    const characters = this.#characters;
    const { known } = characters;
    let low = LOW_START;
    let high = HIGH_START;
    let length = 0;
    for (let at = 0; at < end; at++) {
      const wordStart = at;
      for (; at < end; at++) {
        const lower = known[units[at]];
        if (lower <= OUTSIDE || lower >= SPACELESS_FROM) break;
        low = Math.imul(low ^ lower, LOW_FACTOR);
        high = Math.imul(high ^ lower, HIGH_FACTOR);
      }
      length += at - wordStart;
      if (at === end) break;
      const unit = units[at];
      const lower = known[unit] || characters.learn(unit);
      if (lower < SPACELESS_FROM ? lower !== OUTSIDE : !isWholeWord(lower)) {
        low = Math.imul(low ^ lower, LOW_FACTOR);
        high = Math.imul(high ^ lower, HIGH_FACTOR);
        length++;
        continue;
      }
      let alone = lower;
      if (lower === OUTSIDE && unit >= 0xd800 && unit < 0xdc00) {
        const codePoint = codePointAt(units, at);
        const plane = planeOf(codePoint);
        if (codePoint > 0xffff) at++;
        if (plane === 'letter') {
          low = Math.imul(low ^ codePoint, LOW_FACTOR);
          high = Math.imul(high ^ codePoint, HIGH_FACTOR);
          length++;
          continue;
        }
        if (plane === 'ideograph') alone = codePoint;
      }
      if (length > 0) {
        this.#word(low, high, length);
        this.letters += length;
        low = LOW_START;
        high = HIGH_START;
        length = 0;
      }
      if (alone !== OUTSIDE) {
        this.#word(Math.imul(LOW_START ^ alone, LOW_FACTOR), Math.imul(HIGH_START ^ alone, HIGH_FACTOR), 0);
        this.letters++;
      }
      if (this.words >= this.#mostWords) return;
    }
    if (length > 0) {
      this.#word(low, high, length);
      this.letters += length;
    }
  }

  #begin(): void {
    this.words = 0;
    this.shingles = 0;
    this.letters = 0;
    this.#rollLow = 0;
    this.#rollHigh = 0;
  }

  #word(low: number, high: number, length: number): void {
    const at = this.words++;
    if (at === this.wordLow.length) this.#grow();
    const { wordLow, wordHigh } = this;
    const mixedLow = mix(low);
    const mixedHigh = mix(high ^ length);
    wordLow[at] = mixedLow;
    wordHigh[at] = mixedHigh;
    this.weights[at] = length < MOST_WEIGHT ? length : MOST_WEIGHT;
    let rollLow = (Math.imul(this.#rollLow, LOW_ROLL) + mixedLow) | 0;
    let rollHigh = (Math.imul(this.#rollHigh, HIGH_ROLL) + mixedHigh) | 0;
    const size = this.#shingleWords;
    if (at >= size) {
      rollLow = (rollLow - Math.imul(wordLow[at - size], this.#lowLeaving)) | 0;
      rollHigh = (rollHigh - Math.imul(wordHigh[at - size], this.#highLeaving)) | 0;
    }
    this.#rollLow = rollLow;
    this.#rollHigh = rollHigh;
    if (at < size - 1) return;
    const shingle = this.shingles++;
    this.shingleLow[shingle] = mix(rollLow);
    this.shingleHigh[shingle] = mix(rollHigh);
  }

  #grow(): void {
    const capacity = 2 * this.wordLow.length;
    this.wordLow = longer(this.wordLow, capacity);
    this.wordHigh = longer(this.wordHigh, capacity);
    this.shingleLow = longer(this.shingleLow, capacity);
    this.shingleHigh = longer(this.shingleHigh, capacity);
    const weights = new Uint8Array(capacity);
    weights.set(this.weights);
    this.weights = weights;
  }
}

function longer(words: Int32Array<ArrayBuffer>, capacity: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(capacity);
  next.set(words);
  return next;
}

/** Spreads what differs in a few bits over all of them. */
export function mix(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, FIRST_MIX);
  h ^= h >>> 13;
  h = Math.imul(h, SECOND_MIX);
  return h ^ (h >>> 16);
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product = Math.imul(product, base);
  return product;
}
