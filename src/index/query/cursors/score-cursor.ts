import { boundOfByte } from '../../format/quantise.ts';
import type { ScoreWindow } from '../../memory/window-buffers.ts';
import type { PostingWeigher } from '../score-model.ts';

/** After the last document. */
export const END = 0xffffffff;

/** Sums can come out a rounding above the sum of their bounds. */
export const SLACK = 1 + 1e-12;

/** No more than a threshold, so that what is added up in another order does not fall below it. */
export function lowered(threshold: number): number {
  return threshold > 0 ? threshold * (2 - SLACK) : threshold;
}

/** How the postings of a term become scores: weight * w / (w + k1). */
export interface TermScoring {
  readonly weigher: PostingWeigher;
  readonly weight: number;
  readonly k1: number;
  /** Of the segment. */
  readonly bounds: ByteBounds;
}

/** What the bytes of bounds stand for in a segment. */
export interface ByteBounds {
  /** No posting under the byte weighs more. */
  readonly weights: Float64Array;
  /** The share of a term's weight in the query that no posting under the byte exceeds. */
  readonly shares: Float64Array;
}

/** `factor`: the bounds in the segment are to be multiplied by it. */
export function byteBounds(factor: number, k1: number): ByteBounds {
  const weights = new Float64Array(256);
  for (let byte = 0; byte < 256; byte++) weights[byte] = boundOfByte(byte) * factor;
  return { weights, shares: weights.map((weight) => saturated(weight, k1)) };
}

/** The share of a term's weight in the query that a posting of this weight gets, which may be without bound. */
export function saturated(weight: number, k1: number): number {
  return weight === Number.POSITIVE_INFINITY ? 1 : weight / (weight + k1);
}

/** The score that a byte of a bound stands for. */
export function boundScore({ weight, bounds }: TermScoring, byte: number): number {
  return weight * SLACK * bounds.shares[byte];
}

/** Walks over scored documents of one segment in order, and knows bounds of what lies ahead. */
export interface ScoreCursor {
  /** How many documents it walks over. */
  readonly documents: number;
  /** The document it stands on. */
  readonly document: number;
  /** No document scores more. */
  readonly peak: number;
  /** The last document that the bound told last holds for. */
  readonly boundEnd: number;
  /** To the first document from `target` on; never back. */
  seek(target: number): number;
  /** The score of the document it stands on. */
  score(): number;
  /** No document from `target` to `boundEnd` scores more. */
  boundAt(target: number): number;
  /**
   * Adds to each entry the most that a document of its stretch (`STRETCH` ranges) scores. Where it has none, an entry
   * becomes -Infinity if `every` word is asked for.
   */
  addBounds(sums: Float64Array, every: boolean): void;
  /** The same for the ranges of one stretch, an entry for each. Known after `addBounds`. */
  addRangeBounds(first: number, end: number, sums: Float64Array, every: boolean): void;
  /** No document of the range scores more; -Infinity where it has none. Known after `addBounds`. */
  rangeBound(range: number): number;
  /** Back to the first document. */
  rewind(): void;
  /** Adds the scores of all documents below `to` (it stands at or before the first) to `sums[document - base]`. */
  accumulate(to: number, base: number, sums: Float64Array, matches: Uint16Array): void;
  /**
   * As `accumulate` from a document on, but passes over documents with fewer than `least` matches so far, and may pass over those
   * with a sum of `above` or less. Where the cursor stands afterwards is not said. To be called in ascending order.
   */
  accumulateRange(
    from: number,
    to: number,
    sums: Float64Array,
    matches: Uint16Array,
    least: number,
    above: number,
  ): void;
  /** As `accumulate`, without the scores. */
  mark(to: number, base: number, matches: Uint16Array): void;
  /** `holders` looks up what lies in memory, wherever the cursor stands. */
  readonly tellsHolders: boolean;
  /** Which documents of a range it has (`HALF_BYTES`). */
  holders(range: number): number;
}

/** Walks over the postings of one term; tells their weights too, so that those of several terms can be added before they are saturated. */
export interface TermCursor extends ScoreCursor {
  /** No document has more weight. */
  readonly peakWeight: number;
  /** For each stretch the byte of its bound; 0 where it has no document. */
  readonly stretchBytes: Uint8Array;
  /** As `rangeBound`, the byte of the bound; 0 where it has no document. Known without `addBounds`. */
  rangeByte(range: number): number;
  /** No document from `target` to `boundEnd` has more weight. */
  weightBoundAt(target: number): number;
  /** The weight of the document it stands on. */
  weight(): number;
  /**
   * Adds the weights of the documents of a part of the segment to `window`, from `base` on, but passes over documents that have
   * fewer than `least` in `matches`. Where the cursor stands afterwards is not said. To be called in ascending order.
   */
  addWeights(from: number, to: number, base: number, window: ScoreWindow, matches: Uint16Array, least: number): void;
}
