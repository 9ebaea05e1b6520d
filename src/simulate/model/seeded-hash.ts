/**
 * The one source of chance of a simulated web: a 32-bit hash of (seed, a, b, purpose). No state, so that any page, link
 * or file can be made alone, in any order, in any process, and comes out the same.
 * `purpose` keeps two questions about the same page from getting the same answer.
 */
export function hash32(seed: number, a: number, b: number, purpose: number): number {
  let h = Math.imul(seed ^ Math.imul(purpose, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ a, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13) ^ b, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A hash as a number in [0, 1). */
export function unit(hash: number): number {
  return hash / 0x1_0000_0000;
}

/** A hash as an index below `count`. */
export function pick(hash: number, count: number): number {
  return Math.floor((hash / 0x1_0000_0000) * count);
}
