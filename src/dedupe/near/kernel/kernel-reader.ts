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
  HIGH,
  KINDS,
  LETTERS,
  LOW,
  MARKS,
  MEMORY_PAGES,
  MOST_MARK_BITS,
  MOST_UNITS,
  STATE,
  STATE_VALUES,
  SUM_LANES,
  SUMS,
  TABLE,
  UNITS,
} from './memory-layout.ts';
import { KIND_SHIFT, LETTER, OUTSIDE_KIND, type SplitWords, splitWords, WHOLE_WORD } from './split-words.ts';
import { type CountDistinct, countDistinct, type SumShingles, sumShingles } from './sum-shingles.ts';
import { type SumWords, sumWords } from './sum-words.ts';

/** Places in the state. */
const WORDS_READ = 3;
const LETTERS_READ = 4;
/** Of one half of a hash. */
const BITS = 32;
/** What ends a word, as it is handed in. */
const OUTSIDE = OUTSIDE_KIND << KIND_SHIFT;
const SMALLEST_TABLE = 64;
/** For each shingle: few of those that are new find their mark set. */
const MARK_BITS = 32;
const SMALLEST_MARKS = 64;

/**
 * Makes the sketches of `TextReader` in WebAssembly: nothing but units, tables and hashes is looked at for a letter, and hashes are mixed and
 * added up four, or 16 bits, at a time. For the default method and texts of at most `MOST_UNITS`. Of its memory of 1.8 MB the machine gives
 * what texts have needed.
 */
export class KernelReader {
  readonly #letters: Uint16Array;
  readonly #kinds: Uint8Array;
  readonly #state: Int32Array;
  /** Four for each bit of one half of the hashes; and of all 64 bits what they come to. */
  readonly #fourSums: Int32Array;
  readonly #sums = new Int32Array(2 * BITS);
  readonly #minhash: MinhashBins;
  readonly #units: Uint16Array;
  readonly #marks: Int32Array;
  readonly #table: Int32Array;
  readonly #splitWords: SplitWords;
  readonly #sumWords: SumWords;
  readonly #sumShingles: SumShingles;
  readonly #countDistinct: CountDistinct;

  constructor() {
    const code = assembleModule(
      {
        splitWords: splitWords(),
        sumWords: sumWords(),
        sumShingles: sumShingles(),
        countDistinct: countDistinct(),
      },
      MEMORY_PAGES,
    );
    const { memory, exports } = startWasm(code, MEMORY_PAGES);
    this.#splitWords = exports.splitWords as SplitWords;
    this.#sumWords = exports.sumWords as SumWords;
    this.#sumShingles = exports.sumShingles as SumShingles;
    this.#countDistinct = exports.countDistinct as CountDistinct;
    this.#letters = new Uint16Array(memory, LETTERS, 65_536);
    this.#kinds = new Uint8Array(memory, KINDS, 65_536);
    this.#state = new Int32Array(memory, STATE, STATE_VALUES);
    this.#fourSums = new Int32Array(memory, SUMS, SUM_LANES * BITS);
    this.#minhash = new MinhashBins(new Int32Array(memory, BINS, SKETCH_VALUES));
    this.#units = new Uint16Array(memory, UNITS, MOST_UNITS + 1);
    this.#marks = new Int32Array(memory, MARKS, MOST_MARK_BITS / 32);
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
    const total = this.#sumHalf(words, 0);
    this.#sumHalf(words, 1);
    const simhash = simhashOf(this.#sums, total);
    this.#minhash.clear();
    const shingles = this.#distinctOf(words - SHINGLE_WORDS + 1);
    return { simhash, sketch: this.#minhash.sketch(), shingles };
  }

  /** Sums up the weights by bit of one half of the hashes, and answers that of all words. */
  #sumHalf(words: number, half: number): number {
    const total = this.#sumWords(words, half * (HIGH - LOW));
    const sums = this.#fourSums;
    for (let bit = 0; bit < BITS; bit++) {
      const at = SUM_LANES * bit;
      this.#sums[half * BITS + bit] = sums[at] + sums[at + 1] + sums[at + 2] + sums[at + 3];
    }
    return total;
  }

  /** Takes the shingles into their bins and counts the distinct ones. */
  #distinctOf(shingles: number): number {
    let marks = SMALLEST_MARKS;
    while (marks < (MARK_BITS / 32) * shingles) marks *= 2;
    this.#marks.fill(0, 0, marks);
    const mask = 4 * marks - 1;
    const doubtful = this.#sumShingles(shingles, mask);
    if (doubtful === 0) return shingles;
    let capacity = SMALLEST_TABLE;
    // For each that was doubtful there is at most one more that has its mark.
    while (capacity < 2 * Math.min(shingles, 2 * doubtful)) capacity *= 2;
    this.#marks.fill(0, 0, marks);
    this.#table.fill(0, 0, capacity);
    return this.#countDistinct(shingles, doubtful, mask, capacity - 1);
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
