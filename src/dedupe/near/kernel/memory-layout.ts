import { SKETCH_VALUES } from '../sketch.ts';

/** Longest text, in code units; longer ones are read without the kernel. There is no word without a code unit. */
export const MOST_UNITS = 65_536;
/** Loops over four or eight words go so far beyond the last one. */
const OVERRUN = 8;
const SUMS_OF_SIMHASH = 64;

/** By code unit: the lower case of a letter, or 0. */
export const LETTERS = 0;
/** By code unit that is no letter: what else it is (`split-words.ts`), or 0 where the caller is to be asked. */
export const KINDS = LETTERS + 2 * 65_536;
/** How far a text is split: rolling hashes of the word under way and its length; words and letters so far. */
export const STATE = KINDS + 65_536;
export const STATE_VALUES = 5;
/** Sums of the weights of the words whose hash has a bit set, by bit, for words 0, 4, 8 ..., then 1, 5, 9 ... (`sum-words.ts`). */
export const SUMS = STATE + 4 * STATE_VALUES;
export const SUM_LANES = 4;
/** Four hashes and weights, where words are looked at one by one. */
export const FOUR_HASHES = SUMS + 4 * SUM_LANES * SUMS_OF_SIMHASH;
export const FOUR_WEIGHTS = FOUR_HASHES + 16;
/** The higher digits of the sums while they are under way: a bit for each digit, word of four, and bit of a hash. */
export const DIGITS = FOUR_WEIGHTS + 16;
/** Of a sum of 16,384 weights of up to 8. */
export const MOST_DIGITS = 18;
/** The least shingle of each bin. */
export const BINS = DIGITS + 16 * MOST_DIGITS;
/** Both halves of the hashes of the words; once these are summed up, the shingles and the places of their bins. */
export const LOW = BINS + 4 * SKETCH_VALUES;
export const HIGH = LOW + 4 * (MOST_UNITS + OVERRUN);
/** Lengths of the words; 0 for a character that is a word by itself. */
export const LENGTHS = HIGH + 4 * (MOST_UNITS + OVERRUN);
export const UNITS = LENGTHS + 2 * (MOST_UNITS + OVERRUN);
/** A bit for each shingle, by its hash: tells those apart that are surely the first of their kind. */
export const MARKS = UNITS + 2 * (MOST_UNITS + 2);
export const MOST_MARK_BITS = 32 * MOST_UNITS;
/** A hash table of the others, at most half full. */
export const TABLE = MARKS + MOST_MARK_BITS / 8;
export const MEMORY_PAGES = Math.ceil((TABLE + 4 * 2 * MOST_UNITS) / 65_536);
