import type { ContentSketch, SketchMethod } from '../../contracts/content/content-sketch.ts';
import { MinhashBins } from './minhash-bins.ts';
import { MinhashPermutations } from './minhash-permutations.ts';
import { SimhashSums } from './simhash-sums.ts';
import { DEFAULT_METHOD, markSketch } from './sketch-method.ts';
import { TextScan } from './text-scan.ts';

export interface SketcherOptions {
  /** Shorter texts have no sketch: a line of boilerplate is everywhere, and one changed word in 20 leaves Jaccard 0.5. */
  readonly minimumWords?: number;
  readonly method?: SketchMethod;
}

const MINIMUM_WORDS = 20;
/** So that twenty characters of a script without spaces, or of a list of numbers, are no text either. */
const LETTERS_PER_WORD = 3;

/** Whatever follows in a text does not make it another one; bounds the memory a maker keeps. */
const MOST_WORDS = 1 << 18;

/** Reduces texts to sketches. Its buffers serve one text after the other: one maker per thread. */
export class Sketcher {
  readonly #minimumWords: number;
  readonly #method: SketchMethod;
  readonly #scan: TextScan;
  readonly #simhash = new SimhashSums();
  readonly #minhash: MinhashBins | MinhashPermutations;
  #table = new Int32Array(2048);

  constructor({ minimumWords = MINIMUM_WORDS, method = DEFAULT_METHOD }: SketcherOptions = {}) {
    const { shingle, permutations } = method;
    this.#minimumWords = minimumWords;
    this.#method = method;
    this.#scan = new TextScan(MOST_WORDS, shingle);
    this.#minhash = permutations === undefined ? new MinhashBins() : new MinhashPermutations(permutations);
  }

  /** Undefined for a text that is too short to be like another. `units`: its code units with a 0 behind them, where somebody has them. */
  of(text: string, units?: Uint16Array): ContentSketch | undefined {
    const scan = this.#scan;
    if (units === undefined) scan.read(text);
    else scan.readUnits(units, text.length);
    const { words, letters, shingles } = scan;
    if (words < this.#minimumWords || letters < LETTERS_PER_WORD * this.#minimumWords || shingles === 0)
      return undefined;
    this.#minhash.read(scan);
    const sketch = markSketch(this.#minhash.sketch(), this.#method);
    return { simhash: this.#simhash.of(scan), sketch, shingles: this.#distinct() };
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
