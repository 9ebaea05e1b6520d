/**
 * What is needed of a word for most of its occurrences lies side by side, in half a line of the processor's cache: waiting for memory is
 * what looking words up costs. 32-bit words of a place: hash, owner and number of a note, length and form, and 16 code units.
 */
export const PLACE = 8;
export const PLACE_BYTES = 4 * PLACE;
export const OWNER = 1;
export const NUMBER = 2;
export const SHAPE = 3;
/** In bytes. Zeros follow the units of a word; no short word has one in it. */
export const UNITS = 16;
/** Longer words, and those with code units of two bytes, are compared as strings. */
export const SHORT = 16;
/** Words of a language that are remembered, where nobody asks for fewer. */
export const MOST_WORDS = 1 << 16;
/** Places that a word can have. */
export const WAYS = 4;

/** Short words are hashed four code units at a time: the sum of these times their 32-bit words. */
export const HASH_FACTORS: readonly number[] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];

/** `units`: those of a short word, as they stand in its place. */
export function hashOfShort(units: Int32Array): number {
  let hash = 0;
  for (let at = 0; at < HASH_FACTORS.length; at++)
    hash = (hash + Math.imul(units[at] as number, HASH_FACTORS[at] as number)) | 0;
  return hash;
}

/** The first place of a hash in so many sets. Its upper bits say more of the word than the lower ones. */
export function firstPlace(hash: number, sets: number): number {
  return ((hash ^ (hash >>> 15)) & (sets - 1)) * WAYS;
}
