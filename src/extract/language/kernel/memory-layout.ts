import { MOST_GRAMS } from '../grams.ts';
import { LONGEST_KEPT, SLOTS } from '../word-memory.ts';

/** Letters and edges of a text. */
export const MOST_LETTERS = 2_048;
const VECTOR = 16;

/** As many octets of ones as a word that is kept has, and then as many zeros: where it is read from tells how long a word is. */
export const MASKS = 0;
export const MASK_SIZE = 2 * LONGEST_KEPT;
/** Of a word: its grams, each with how far behind it those end that begin with it; and where the weights of those begin that are known. */
export const GRAMS = MASKS + 2 * MASK_SIZE;
export const ROWS = GRAMS + 8 * MOST_GRAMS;
/** Vectors are loaded over the end. */
export const LETTERS = ROWS + 4 * MOST_GRAMS;
/** Letters of the words that are kept, and how many of the grams of each are known. */
export const WORDS = LETTERS + 2 * MOST_LETTERS + 2 * VECTOR;
export const KNOWN = WORDS + 2 * LONGEST_KEPT * SLOTS;
/** From here on places depend on the model. */
export const SUMS = KNOWN + 2 * SLOTS;

/** Weights of a gram, with zeros behind them that fill the last vector. */
export function widthOf(languages: number): number {
  return VECTOR * Math.ceil(languages / VECTOR);
}

/** Where things lie for a model of so many languages, grams and places for grams (`gram-table.ts`). */
export interface ModelLayout {
  readonly width: number;
  /** What each word that is kept says for each language. */
  readonly told: number;
  readonly slots: number;
  readonly slotCount: number;
  readonly weights: number;
  readonly pages: number;
}

export function layoutOf(languages: number, grams: number, slotCount: number): ModelLayout {
  const width = widthOf(languages);
  const told = SUMS + 4 * width;
  const slots = told + 2 * width * SLOTS;
  const weights = slots + 8 * slotCount;
  return { width, told, slots, slotCount, weights, pages: Math.ceil((weights + grams * width) / 65_536) };
}
