import { boundOfByte } from '../format/quantise.ts';
import type { PostingWeigher } from './score-model.ts';

/** After the last document. */
export const END = 0xffffffff;

/** Sums can come out a rounding above the sum of their bounds. */
export const SLACK = 1 + 1e-12;

/** How the postings of a term become scores: weight * w / (w + k1). */
export interface TermScoring {
  readonly weigher: PostingWeigher;
  readonly weight: number;
  readonly k1: number;
  /** Of the segment. */
  readonly boundShares: Float64Array;
}

/** For each byte of a bound the share of a term's weight that no posting under it exceeds; `factor`: bounds are to be multiplied by it. */
export function boundShares(factor: number, k1: number): Float64Array {
  const shares = new Float64Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const bound = boundOfByte(byte) * factor;
    shares[byte] = bound === Number.POSITIVE_INFINITY ? 1 : bound / (bound + k1);
  }
  return shares;
}

/** The score that a byte of a bound stands for. */
export function boundScore({ weight, boundShares }: TermScoring, byte: number): number {
  return weight * SLACK * boundShares[byte];
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
  /** No document of the range scores more; -Infinity where it has none. Known after `addBounds`. */
  rangeBound(range: number): number;
  /** Back to the first document. */
  rewind(): void;
  /** Adds the scores of all documents below `to` (it stands at or before the first) to `sums[document - base]`. */
  accumulate(to: number, base: number, sums: Float64Array, matches: Uint16Array): void;
  /**
   * As `accumulate` from a document on, but passes over documents with fewer than `least` matches so far. Where the cursor
   * stands afterwards is not said. To be called in ascending order.
   */
  accumulateRange(from: number, to: number, sums: Float64Array, matches: Uint16Array, least: number): void;
  /** As `accumulate`, without the scores. */
  mark(to: number, base: number, matches: Uint16Array): void;
}
