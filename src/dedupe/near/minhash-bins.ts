import { SKETCH_BYTES, SKETCH_VALUES } from './sketch.ts';
import { LONG_VALUES } from './sketch-method.ts';
import { mix, type TextScan } from './text-scan.ts';

const EMPTY = 0x7fffffff;
const BINS_PER_LONG = SKETCH_VALUES / LONG_VALUES;

/**
 * One-permutation minhash: a shingle falls into the bin that one half of its hash names, and each bin keeps the least of
 * the other halves. One step per shingle instead of one per shingle and value, and closer than as many permutations,
 * since no shingle is drawn twice.
 */
export class MinhashBins {
  readonly #least: Int32Array;
  readonly #longs = new Int32Array(LONG_VALUES);

  /** `least`: the bins, where somebody else fills them. */
  constructor(least = new Int32Array(SKETCH_VALUES)) {
    this.#least = least;
  }

  clear(): void {
    this.#least.fill(EMPTY);
  }

  read({ shingleLow, shingleHigh, shingles }: TextScan): void {
    this.clear();
    const least = this.#least;
    for (let at = 0; at < shingles; at++) {
      const bin = Math.imul(shingleHigh[at] >>> 16, SKETCH_VALUES) >>> 16;
      if (shingleLow[at] < least[bin]) least[bin] = shingleLow[at];
    }
  }

  /** A byte per bin, 0 for an empty one; then the long values. */
  sketch(): Uint8Array {
    const sketch = new Uint8Array(SKETCH_BYTES);
    for (let bin = 0; bin < SKETCH_VALUES; bin++) {
      const least = this.#least[bin];
      if (least !== EMPTY) sketch[bin] = 1 + ((least & 0xffff) % 255);
    }
    const longs = this.longValues();
    for (let i = 0; i < LONG_VALUES; i++) {
      for (let byte = 0; byte < 4; byte++) sketch[SKETCH_VALUES + 4 * i + byte] = longs[i] >>> (8 * byte);
    }
    return sketch;
  }

  /**
   * Minhash values of 32 bits, each the least of neighbouring bins: these find candidates, where a byte would find too
   * many. A value without any shingle is taken from another, by the same rule in every text, so that two texts agree in
   * it as often as in the others. At least one shingle must have been read. Overwritten by the next call.
   */
  longValues(): Int32Array {
    const longs = this.#longs;
    let empty = 0;
    for (let i = 0; i < LONG_VALUES; i++) {
      let least = EMPTY;
      for (let bin = i * BINS_PER_LONG; bin < (i + 1) * BINS_PER_LONG; bin++) {
        if (this.#least[bin] < least) least = this.#least[bin];
      }
      longs[i] = least;
      if (least === EMPTY) empty |= 1 << i;
    }
    for (let i = 0; empty >>> i !== 0; i++) {
      if (((empty >>> i) & 1) === 1) longs[i] = mix(longs[lender(i, empty)] + i);
    }
    return longs;
  }
}

function lender(borrower: number, empty: number): number {
  for (let attempt = 1; ; attempt++) {
    const other = (mix(Math.imul(borrower + 1, 0x9e3779b1) + attempt) >>> 0) % LONG_VALUES;
    if (((empty >>> other) & 1) === 0) return other;
  }
}
