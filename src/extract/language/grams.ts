import { JOINER } from './letter-classes.ts';

/** Stands before, between and after words. */
export const EDGE = 1;
/** Longest run of letters that is looked up; longer words are looked up as a whole besides. */
export const LONGEST_GRAM = 5;
/** Letters of a word beyond this are passed over: no language has such words, but files do. */
const LONGEST_WORD = 40;
const APOSTROPHE = 0x27;
export const GRAM_SEED = 0x811c9dc5 | 0;
export const WORD_SEED = 0x2f0b4c47 | 0;
export const FACTOR = 0x01000193;

/** Which words to take: names are written with capitals, and say little of the language they stand in. */
export type WordCase = 'small' | 'capital' | 'any';

/**
 * Writes the words of one script into `into`, in lower case, each between edges that neighbours share, and answers the
 * length written. Apostrophes count within a word only: elsewhere they are quotation marks. `lower` is `text` in lower
 * case; where it has another length, capitals cannot be told, and all words are small.
 */
export function scriptWords(
  text: string,
  lower: string,
  classes: Uint8Array,
  script: number,
  wanted: WordCase,
  into: Uint16Array,
): number {
  const sameLength = text.length === lower.length;
  let length = 0;
  let wordStart = 1;
  let capital = false;
  into[length++] = EDGE;
  // One place is kept for the last edge.
  for (let at = 0; at <= lower.length && length < into.length - 1; at++) {
    const unit = at < lower.length ? lower.charCodeAt(at) : 0x20;
    const kind = classes[unit];
    if (kind === script || (kind === JOINER && length > wordStart)) {
      if (sameLength && text.charCodeAt(at) !== unit) capital = true;
      if (length - wordStart < LONGEST_WORD) into[length++] = unit === 0x2019 || unit === 0x2bc ? APOSTROPHE : unit;
    } else if (length > wordStart) {
      if (wanted !== 'any' && capital !== (wanted === 'capital')) length = wordStart;
      else {
        if (into[length - 1] === APOSTROPHE) length--;
        into[length++] = EDGE;
        wordStart = length;
      }
      capital = false;
    }
  }
  if (length > wordStart) into[length++] = EDGE;
  return length;
}

/**
 * Calls `found` for every gram in a stretch of what `scriptWords` wrote, from an edge to an edge: the runs of 1 to 5 letters and edges within a word, and each
 * longer word as a whole. A gram is named by a number of 32 bits. Where `found` answers false, no gram that begins with
 * this one is wanted.
 */
export function eachGram(letters: Uint16Array, from: number, to: number, found: (gram: number) => boolean): void {
  for (let start = from; start < to - 1; start++) {
    const first = letters[start];
    let hash = step(GRAM_SEED, first);
    // An edge alone says nothing.
    if (first !== EDGE && !found(hash)) continue;
    const end = start + LONGEST_GRAM < to ? start + LONGEST_GRAM : to;
    for (let at = start + 1; at < end; at++) {
      const letter = letters[at];
      hash = step(hash, letter);
      if (!found(hash) || letter === EDGE) break;
    }
  }
  wholeWords(letters, from, to, found);
}

/** Most grams that one word between its edges can have. */
export const MOST_GRAMS = LONGEST_GRAM * (LONGEST_WORD + 1) + 1;

/**
 * Writes the grams that `eachGram` finds in one word between its edges, of at most `LONGEST_WORD` letters, and answers how many there are.
 * `following`: how many behind each begin with it.
 */
export function wordGrams(
  letters: Uint16Array,
  from: number,
  to: number,
  into: Int32Array,
  following: Uint8Array,
): number {
  let count = 0;
  for (let start = from; start < to - 1; start++) {
    const end = start + LONGEST_GRAM < to ? start + LONGEST_GRAM : to;
    let hash = step(GRAM_SEED, letters[start]);
    // An edge alone says nothing.
    if (start > from) {
      following[count] = end - start - 1;
      into[count++] = hash;
    }
    for (let at = start + 1; at < end; at++) {
      hash = step(hash, letters[at]);
      following[count] = end - at - 1;
      into[count++] = hash;
    }
  }
  if (to - from - 2 > LONGEST_GRAM - 2) {
    let hash = WORD_SEED;
    for (let at = from + 1; at < to - 1; at++) hash = step(hash, letters[at]);
    following[count] = 0;
    into[count++] = hash;
  }
  return count;
}

function wholeWords(letters: Uint16Array, from: number, to: number, found: (gram: number) => boolean): void {
  let hash = WORD_SEED;
  let size = 0;
  for (let at = from + 1; at < to; at++) {
    const letter = letters[at];
    if (letter !== EDGE) {
      hash = step(hash, letter);
      size++;
      continue;
    }
    // With its edges, a word of three letters is a gram of five.
    if (size > LONGEST_GRAM - 2) found(hash);
    hash = WORD_SEED;
    size = 0;
  }
}

function step(hash: number, letter: number): number {
  const mixed = Math.imul(hash ^ letter, FACTOR);
  return mixed ^ (mixed >>> 15);
}
