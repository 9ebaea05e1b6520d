import type { ContentSketch, SketchMethod } from '../../contracts/content/content-sketch.ts';
import { areComparable, isPermuted, LONG_BYTES, longsAt, valuesIn } from './sketch-method.ts';

/** One permutation in 400 bins, a minhash value of a byte each (closer than 200 of 16 bits, see docs/decisions); then the long values. */
export const SKETCH_VALUES = 400;
export const SKETCH_BYTES = SKETCH_VALUES + LONG_BYTES;

/** What a byte can tell apart, since 0 says that a bin is empty: two shingles agree by chance once in as many cases. */
const BYTE_VALUES = 255;

/**
 * The Jaccard coefficient of the shingles of two texts, estimated from their sketches. 1 for equal sketches; 0 for those of
 * two methods, which tell nothing of each other.
 */
export function estimateJaccard(a: Uint8Array, b: Uint8Array): number {
  if (!areComparable(a, b)) return 0;
  return isPermuted(a) ? equalValues(a, b, valuesIn(a)) / valuesIn(a) : estimateByBins(a, b);
}

/** Of the first `count` values of two sketches of many permutations, those that are equal. */
function equalValues(a: Uint8Array, b: Uint8Array, count: number): number {
  let equal = 0;
  for (let at = 0; at < 2 * count; at += 2) if (a[at] === b[at] && a[at + 1] === b[at + 1]) equal++;
  return equal;
}

/** The share of equal values among the bins that one of both fills, without those that are equal by chance. */
function estimateByBins(a: Uint8Array, b: Uint8Array): number {
  let filled = 0;
  let both = 0;
  let equal = 0;
  for (let i = 0; i < SKETCH_VALUES; i++) {
    const x = a[i];
    const y = b[i];
    if ((x | y) === 0) continue;
    filled++;
    if (x === 0 || y === 0) continue;
    both++;
    if (x === y) equal++;
  }
  if (filled === 0) return 0;
  // Whole numbers as long as possible: equal sketches give 1, not nearly 1.
  return Math.max(0, BYTE_VALUES * equal - both) / (BYTE_VALUES - 1) / filled;
}

/** Bins or values by which sketches are told apart at a glance, and the least share of them that agrees in texts alike. */
const GLANCE = 64;
const GLANCE_SHARE = 0.5;

/**
 * Whether two sketches are surely unlike by a threshold, from a part of their values. Of texts that are just alike enough so
 * few agree in one case of a trillion for a threshold of 0.8, and of 300,000 for one of 0.5; below that no glance will do.
 */
export function areUnlike(a: Uint8Array, b: Uint8Array, threshold: number): boolean {
  if (threshold < 0.5) return false;
  if (!areComparable(a, b)) return true;
  if (isPermuted(a)) return valuesIn(a) >= GLANCE && equalValues(a, b, GLANCE) < GLANCE_SHARE * threshold * GLANCE - 1;
  let filled = 0;
  let equal = 0;
  for (let i = 0; i < GLANCE; i++) {
    const x = a[i];
    const y = b[i];
    if ((x | y) === 0) continue;
    filled++;
    if (x === y) equal++;
  }
  return equal < GLANCE_SHARE * threshold * filled - 1;
}

/** The estimate for two texts; undefined where it is less than the threshold. */
export function estimateAlike(a: ContentSketch, b: ContentSketch, threshold: number): number | undefined {
  if (areUnlike(a.sketch, b.sketch, threshold)) return undefined;
  // Sets of unlike size cannot have more in common than the smaller one holds.
  const most = Math.min(a.shingles, b.shingles) / Math.max(a.shingles, b.shingles);
  const jaccard = Math.min(estimateJaccard(a.sketch, b.sketch), most);
  return jaccard < threshold ? undefined : jaccard;
}

/**
 * Standard error of the estimate for texts with this Jaccard coefficient and this many distinct shingles in their union.
 * Bins draw shingles without putting them back, so that the error vanishes where each has a bin of its own. Permutations put
 * them back: the error depends on their number alone.
 */
export function sketchError(
  jaccard: number,
  unionShingles: number,
  { permutations }: Pick<SketchMethod, 'permutations'> = {},
): number {
  if (unionShingles < 2) return 0;
  if (permutations !== undefined) return Math.sqrt((jaccard * (1 - jaccard)) / permutations);
  const filled = SKETCH_VALUES * (1 - (1 - 1 / SKETCH_VALUES) ** unionShingles);
  const drawn = jaccard * (1 - jaccard) * (1 / filled - 1 / unionShingles) * (1 + 1 / (unionShingles - 1));
  const byChance = (1 - jaccard) / BYTE_VALUES / filled;
  return Math.sqrt(Math.max(0, drawn) + byChance);
}

/** The 32-bit value of a sketch at `index`. */
export function longValue(sketch: Uint8Array, index: number): number {
  const at = longsAt(sketch) + 4 * index;
  return sketch[at] | (sketch[at + 1] << 8) | (sketch[at + 2] << 16) | (sketch[at + 3] << 24);
}
