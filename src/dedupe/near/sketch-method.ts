import type { SketchMethod } from '../../contracts/content/content-sketch.ts';

/** Words of a shingle, unless somebody wants another length. */
export const SHINGLE_WORDS = 5;

/** One permutation in bins, over shingles of five words. Its sketches carry no mark, like those of earlier versions. */
export const DEFAULT_METHOD: SketchMethod = { shingle: SHINGLE_WORDS };

/** Long values close a sketch whatever its method: 16 minhash values of 32 bits, to find candidates. */
export const LONG_VALUES = 16;
export const LONG_BYTES = 4 * LONG_VALUES;
/** Of a value of a sketch of many permutations. */
export const PERMUTED_BYTES = 2;

const PERMUTED = 0x80;

/** The sketch with the byte behind it that names its method. Without the mark lengths are even: an odd one tells that it is there. */
export function markSketch(sketch: Uint8Array, method: SketchMethod): Uint8Array {
  if (isSameMethod(method, DEFAULT_METHOD)) return sketch;
  const marked = new Uint8Array(sketch.length + 1);
  marked.set(sketch);
  marked[sketch.length] = method.shingle | (method.permutations === undefined ? 0 : PERMUTED);
  return marked;
}

/** By which method a sketch was made. */
export function methodOf(sketch: Uint8Array): SketchMethod {
  if (!isMarked(sketch)) return DEFAULT_METHOD;
  const mark = sketch[sketch.length - 1];
  const shingle = mark & ~PERMUTED;
  return isPermuted(sketch) ? { shingle, permutations: valuesIn(sketch) } : { shingle };
}

/** Whether it has a value of two bytes for each of several permutations, rather than a byte per bin of one. */
export function isPermuted(sketch: Uint8Array): boolean {
  return isMarked(sketch) && (sketch[sketch.length - 1] & PERMUTED) !== 0;
}

/** Values of a sketch of many permutations. */
export function valuesIn(sketch: Uint8Array): number {
  return longsAt(sketch) / PERMUTED_BYTES;
}

/** Where the long values of a sketch begin. */
export function longsAt(sketch: Uint8Array): number {
  return (sketch.length & ~1) - LONG_BYTES;
}

/** Whether two sketches were made by one method. */
export function areComparable(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && (!isMarked(a) || a[a.length - 1] === b[b.length - 1]);
}

export function isSameMethod(a: SketchMethod, b: SketchMethod): boolean {
  return a.shingle === b.shingle && a.permutations === b.permutations;
}

function isMarked(sketch: Uint8Array): boolean {
  return (sketch.length & 1) === 1;
}
