import { codePointAt } from '../../../base/code-units.ts';
import { assembleModule } from '../../../base/wasm/wasm-assembler.ts';
import { startWasm } from '../../../base/wasm/wasm-instance.ts';
import type { ContentSketch } from '../../../contracts/content/content-sketch.ts';
import { MinhashBins } from '../minhash-bins.ts';
import { simhashOf } from '../simhash-sums.ts';
import { SKETCH_VALUES } from '../sketch.ts';
import { SHINGLE_WORDS } from '../sketch-method.ts';
import { HIGH_START, LOW_START } from '../text-scan.ts';
import { isWholeWord, lowerCaseOf, OUTSIDE as NO_LETTER, planeOf } from '../word-characters.ts';
import {
  BINS,
  KINDS,
  LETTERS,
  MEMORY_PAGES,
  MOST_UNITS,
  STATE,
  STATE_VALUES,
  SUM_VALUES,
  SUMS,
  TABLE,
  UNITS,
} from './memory-layout.ts';
import { KIND_SHIFT, LETTER, OUTSIDE_KIND, type SplitWords, splitWords, WHOLE_WORD } from './split-words.ts';
import { type SumShingles, sumShingles } from './sum-shingles.ts';
import { type SumWords, sumWords } from './sum-words.ts';

/** Places in the state, and in the sums. */
const WORDS_READ = 3;
const LETTERS_READ = 4;
const TOTAL_WEIGHT = 64;
/** What ends a word, as it is handed in. */
const OUTSIDE = OUTSIDE_KIND << KIND_SHIFT;
const SMALLEST_TABLE = 64;

/**
 * Makes the sketches of `TextReader` in WebAssembly: nothing but units, tables and hashes is looked at for a letter, and hashes are mixed and
 * added up four, or 16 bits, at a time. For the default method and texts of at most `MOST_UNITS`. Of its memory of 1.5 MB the machine gives
 * what texts have needed.
 */
export class KernelReader {
  readonly #letters: Uint16Array;
  readonly #kinds: Uint8Array;
  readonly #state: Int32Array;
  readonly #sums: Int32Array;
  readonly #minhash: MinhashBins;
  readonly #units: Uint16Array;
  readonly #table: Int32Array;
  readonly #splitWords: SplitWords;
  readonly #sumWords: SumWords;
  readonly #sumShingles: SumShingles;

  constructor() {
    const code = assembleModule(
      { splitWords: splitWords(), sumWords: sumWords(), sumShingles: sumShingles() },
      MEMORY_PAGES,
    );
    const { memory, exports } = startWasm(code, MEMORY_PAGES);
    this.#splitWords = exports.splitWords as SplitWords;
    this.#sumWords = exports.sumWords as SumWords;
    this.#sumShingles = exports.sumShingles as SumShingles;
    this.#letters = new Uint16Array(memory, LETTERS, 65_536);
    this.#kinds = new Uint8Array(memory, KINDS, 65_536);
    this.#state = new Int32Array(memory, STATE, STATE_VALUES);
    this.#sums = new Int32Array(memory, SUMS, SUM_VALUES);
    this.#minhash = new MinhashBins(new Int32Array(memory, BINS, SKETCH_VALUES));
    this.#units = new Uint16Array(memory, UNITS, MOST_UNITS + 1);
    this.#table = new Int32Array(memory, TABLE, 2 * MOST_UNITS);
  }

  /** Answers how many words, letters and shingles the text has. */
  read(
    units: Uint16Array,
    length: number,
  ): { readonly words: number; readonly letters: number; readonly shingles: number } {
    const copied = this.#units;
    copied.set(units.subarray(0, length));
    copied[length] = 0;
    this.#state.set([LOW_START, HIGH_START, 0, 0, 0]);
    const end = UNITS + 2 * length;
    let at = this.#splitWords(UNITS, end, OUTSIDE);
    while (at !== 0) {
      const index = (at - UNITS) / 2 - 1;
      const unit = copied[index];
      const codePoint = unit >= 0xd800 && unit < 0xdc00 ? codePointAt(copied, index) : unit;
      at =
        codePoint > 0xffff
          ? this.#splitWords(at + 2, end, kindOf(codePoint))
          : this.#splitWords(at, end, this.#learn(unit));
    }
    // The last word ends with the text.
    this.#splitWords(end, end, OUTSIDE);
    const words = this.#state[WORDS_READ];
    return { words, letters: this.#state[LETTERS_READ], shingles: Math.max(0, words - SHINGLE_WORDS + 1) };
  }

  /** Of the text read last, which must have a shingle. Once for each text: shingles take the place of words. */
  sketch(): ContentSketch {
    const words = this.#state[WORDS_READ];
    this.#sumWords(words);
    const simhash = simhashOf(this.#sums, this.#sums[TOTAL_WEIGHT]);
    this.#minhash.clear();
    const shingles = this.#distinctOf(words - SHINGLE_WORDS + 1);
    return { simhash, sketch: this.#minhash.sketch(), shingles };
  }

  /** Takes the shingles into their bins and counts the distinct ones. */
  #distinctOf(shingles: number): number {
    let capacity = SMALLEST_TABLE;
    while (capacity < 2 * shingles) capacity *= 2;
    this.#table.fill(0, 0, capacity);
    return this.#sumShingles(shingles, capacity - 1);
  }

  /** Puts a unit that is a character down in the tables, and answers it with its kind. */
  #learn(unit: number): number {
    const lower = lowerCaseOf(unit);
    if (lower === NO_LETTER) {
      // After the first half of a pair, the kernel asks each time.
      if (unit < 0xd800 || unit >= 0xdc00) this.#kinds[unit] = OUTSIDE_KIND;
      return OUTSIDE;
    }
    if (!isWholeWord(lower)) {
      this.#letters[unit] = lower;
      return lower | (LETTER << KIND_SHIFT);
    }
    if (lower === unit) this.#kinds[unit] = WHOLE_WORD;
    return lower | (WHOLE_WORD << KIND_SHIFT);
  }
}

/** The character beyond the basic plane with its kind. */
function kindOf(codePoint: number): number {
  const plane = planeOf(codePoint);
  if (plane === 'outside') return OUTSIDE;
  return codePoint | ((plane === 'ideograph' ? WHOLE_WORD : LETTER) << KIND_SHIFT);
}
