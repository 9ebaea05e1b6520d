import { mix, type TextScan } from './text-scan.ts';

const BITS = 64;
/** Sums that fit a byte: weights of at most 8, this many at a time. */
const FEATURES_PER_ROUND = 31;
/** Characters of scripts without spaces: single ones are in every text of the script, runs of three are not. */
export const RUN_CHARACTERS = 3;
export const RUN_WEIGHT = 4;
export const RUN_FACTOR = 0x9e3779b1;

/**
 * The simhash of the words of a text, each weighted by its length, as often as it occurs. Where a script sets no spaces,
 * runs of characters take the place of words. The same as `simhash` of these features, but four bits are summed up in one addition: a word of memory holds four sums of a byte each.
 */
export class SimhashSums {
  /** For each byte of a hash the two words that hold its eight bits as bytes. */
  readonly #spreadLow = new Int32Array(256);
  readonly #spreadHigh = new Int32Array(256);
  readonly #packed = new Int32Array(16);
  readonly #sums = new Int32Array(BITS);

  constructor() {
    for (let byte = 0; byte < 256; byte++) {
      for (let bit = 0; bit < 4; bit++) {
        this.#spreadLow[byte] |= ((byte >>> bit) & 1) << (8 * bit);
        this.#spreadHigh[byte] |= ((byte >>> (bit + 4)) & 1) << (8 * bit);
      }
    }
  }

  of(scan: TextScan): bigint {
    this.#sums.fill(0);
    let total = 0;
    for (let from = 0; from < scan.words; from += FEATURES_PER_ROUND) {
      total += this.#round(scan, from, Math.min(scan.words, from + FEATURES_PER_ROUND));
    }
    return simhashOf(this.#sums, total);
  }

  /** Answers the weight of the words from `from` to `to`. */
  #round({ wordLow, wordHigh, weights }: TextScan, from: number, to: number): number {
    const spreadLow = this.#spreadLow;
    const spreadHigh = this.#spreadHigh;
    // One variable for each word of four sums: in an array they would be read and written for every word of the text.
    let p0 = 0;
    let p1 = 0;
    let p2 = 0;
    let p3 = 0;
    let p4 = 0;
    let p5 = 0;
    let p6 = 0;
    let p7 = 0;
    let q0 = 0;
    let q1 = 0;
    let q2 = 0;
    let q3 = 0;
    let q4 = 0;
    let q5 = 0;
    let q6 = 0;
    let q7 = 0;
    let total = 0;
    for (let at = from; at < to; at++) {
      let weight = weights[at];
      let low = wordLow[at];
      let high = wordHigh[at];
      if (weight === 0) {
        weight = RUN_WEIGHT;
        low = runOf(wordLow, weights, at);
        high = runOf(wordHigh, weights, at);
      }
      total += weight;
      p0 = (p0 + Math.imul(spreadLow[low & 0xff], weight)) | 0;
      p1 = (p1 + Math.imul(spreadHigh[low & 0xff], weight)) | 0;
      p2 = (p2 + Math.imul(spreadLow[(low >>> 8) & 0xff], weight)) | 0;
      p3 = (p3 + Math.imul(spreadHigh[(low >>> 8) & 0xff], weight)) | 0;
      p4 = (p4 + Math.imul(spreadLow[(low >>> 16) & 0xff], weight)) | 0;
      p5 = (p5 + Math.imul(spreadHigh[(low >>> 16) & 0xff], weight)) | 0;
      p6 = (p6 + Math.imul(spreadLow[low >>> 24], weight)) | 0;
      p7 = (p7 + Math.imul(spreadHigh[low >>> 24], weight)) | 0;
      q0 = (q0 + Math.imul(spreadLow[high & 0xff], weight)) | 0;
      q1 = (q1 + Math.imul(spreadHigh[high & 0xff], weight)) | 0;
      q2 = (q2 + Math.imul(spreadLow[(high >>> 8) & 0xff], weight)) | 0;
      q3 = (q3 + Math.imul(spreadHigh[(high >>> 8) & 0xff], weight)) | 0;
      q4 = (q4 + Math.imul(spreadLow[(high >>> 16) & 0xff], weight)) | 0;
      q5 = (q5 + Math.imul(spreadHigh[(high >>> 16) & 0xff], weight)) | 0;
      q6 = (q6 + Math.imul(spreadLow[high >>> 24], weight)) | 0;
      q7 = (q7 + Math.imul(spreadHigh[high >>> 24], weight)) | 0;
    }
    const packed = this.#packed;
    packed.set([p0, p1, p2, p3, p4, p5, p6, p7, q0, q1, q2, q3, q4, q5, q6, q7]);
    for (let i = 0; i < BITS; i++) this.#sums[i] += (packed[i >>> 2] >>> (8 * (i & 3))) & 0xff;
    return total;
  }
}

/** Of the weights of the words whose hash has a bit set, by bit, and the weight of all. */
export function simhashOf(sums: Int32Array, total: number): bigint {
  let low = 0;
  let high = 0;
  // Only the ones were added: a sum is positive when they outweigh the rest.
  for (let bit = 0; bit < 32; bit++) {
    if (2 * sums[bit] > total) low |= 1 << bit;
    if (2 * sums[bit + 32] > total) high |= 1 << bit;
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Hash of the character at `at` and those of its kind right before it. */
function runOf(hashes: Int32Array, weights: Uint8Array, at: number): number {
  let hash = hashes[at];
  for (let i = at - 1; i > at - RUN_CHARACTERS && i >= 0 && weights[i] === 0; i--) {
    hash = (Math.imul(hash, RUN_FACTOR) + hashes[i]) | 0;
  }
  return mix(hash);
}
