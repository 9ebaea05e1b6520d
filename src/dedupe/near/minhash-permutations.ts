import { LONG_BYTES, LONG_VALUES, PERMUTED_BYTES } from './sketch-method.ts';
import { mix, type TextScan } from './text-scan.ts';

const GREATEST = 0x7fffffff;
const FACTORS = 0x3c6ef372;
const OFFSETS = 0x1b873593;

/**
 * Minhash as it is taught, after Broder: for each of many permutations of the shingle hashes, the least hash of the text. A
 * permutation of 32-bit numbers is x -> ax + b with an odd a; those of two texts are the same, on every machine.
 *
 * One step for each shingle and permutation.
 */
export class MinhashPermutations {
  readonly #count: number;
  readonly #factors: Int32Array;
  readonly #offsets: Int32Array;
  readonly #least: Int32Array;

  /** `count`: at least `LONG_VALUES`. */
  constructor(count: number) {
    this.#count = count;
    this.#factors = Int32Array.from({ length: count }, (_, i) => mix(FACTORS + i) | 1);
    this.#offsets = Int32Array.from({ length: count }, (_, i) => mix(OFFSETS + i));
    this.#least = new Int32Array(count);
  }

  /** The least of each permutation; overwritten by the next text. At least one shingle must have been read. */
  read({ shingleLow, shingles }: Pick<TextScan, 'shingleLow' | 'shingles'>): Int32Array {
    for (let i = 0; i < this.#count; i++) {
      const factor = this.#factors[i];
      const offset = this.#offsets[i];
      let least = GREATEST;
      for (let at = 0; at < shingles; at++) {
        const value = (Math.imul(factor, shingleLow[at]) + offset) | 0;
        if (value < least) least = value;
      }
      this.#least[i] = least;
    }
    return this.#least;
  }

  /** Two bytes per permutation, in which unlike shingles agree once in 65,536 cases; then the first values in full. */
  sketch(): Uint8Array {
    const values = PERMUTED_BYTES * this.#count;
    const sketch = new Uint8Array(values + LONG_BYTES);
    for (let i = 0; i < this.#count; i++) {
      // The least numbers have the same upper bits: all of them count once they are mixed.
      const value = mix(this.#least[i]);
      sketch[PERMUTED_BYTES * i] = value;
      sketch[PERMUTED_BYTES * i + 1] = value >>> 8;
    }
    for (let i = 0; i < LONG_VALUES; i++) {
      for (let byte = 0; byte < 4; byte++) sketch[values + 4 * i + byte] = this.#least[i] >>> (8 * byte);
    }
    return sketch;
  }
}
