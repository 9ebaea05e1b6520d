import type { ContentSketch, SketchMethod } from '../../contracts/content/content-sketch.ts';
import { MinhashBins } from './minhash-bins.ts';
import { MinhashPermutations } from './minhash-permutations.ts';
import { SimhashSums } from './simhash-sums.ts';
import { DEFAULT_METHOD, markSketch } from './sketch-method.ts';
import { TextScan } from './text-scan.ts';

/** Whatever follows in a text does not make it another one; bounds the memory a reader keeps. */
const MOST_WORDS = 1 << 18;

/** Makes sketches of texts of any length, by any method: what is promised of `KernelReader` is that it makes the same. */
export class TextReader {
  readonly #method: SketchMethod;
  readonly #scan: TextScan;
  readonly #simhash = new SimhashSums();
  readonly #minhash: MinhashBins | MinhashPermutations;
  #table = new Int32Array(2048);

  constructor(method: SketchMethod = DEFAULT_METHOD) {
    const { shingle, permutations } = method;
    this.#method = method;
    this.#scan = new TextScan(MOST_WORDS, shingle);
    this.#minhash = permutations === undefined ? new MinhashBins() : new MinhashPermutations(permutations);
  }

  /** Answers how many words, letters and shingles the text has. */
  read(
    units: Uint16Array,
    length: number,
  ): { readonly words: number; readonly letters: number; readonly shingles: number } {
    this.#scan.readUnits(units, length);
    return this.#scan;
  }

  /** Of the text read last, which must have a shingle. */
  sketch(): ContentSketch {
    this.#minhash.read(this.#scan);
    const sketch = markSketch(this.#minhash.sketch(), this.#method);
    return { simhash: this.#simhash.of(this.#scan), sketch, shingles: this.#distinct() };
  }

  /** Distinct shingles; equal hashes of 32 bits count as one. */
  #distinct(): number {
    const { shingleLow, shingles } = this.#scan;
    let capacity = 64;
    while (capacity < 2 * shingles) capacity *= 2;
    if (this.#table.length < capacity) this.#table = new Int32Array(capacity);
    const table = this.#table.fill(0, 0, capacity);
    const mask = capacity - 1;
    let distinct = 0;
    for (let at = 0; at < shingles; at++) {
      const hash = shingleLow[at] || 1;
      let slot = hash & mask;
      while (table[slot] !== 0 && table[slot] !== hash) slot = (slot + 1) & mask;
      if (table[slot] === hash) continue;
      table[slot] = hash;
      distinct++;
    }
    return distinct;
  }
}
