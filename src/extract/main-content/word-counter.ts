import { hasVectors } from '../../base/wasm/has-vectors.ts';
import type { AssembledFunction, Code } from '../../base/wasm/wasm-assembler.ts';
import { assembleModule, i32, WasmFunction, when, whileDo } from '../../base/wasm/wasm-assembler.ts';
import { startWasm } from '../../base/wasm/wasm-instance.ts';
import { i8x16, i16x8, v128 } from '../../base/wasm/wasm-vectors.ts';
import { countWordsBetweenBlanks, countWordsIn, FURTHER_GAPS, LAST_BLANK, UNSPACED_RANGES } from './word-count.ts';

/** In the memory: whether what comes before is in no word, the characters of scripts without blanks, and the units of a part of the text. */
const IS_OUTSIDE = 0;
const UNSPACED = 4;
const UNITS = 16;
const UNITS_AT_ONCE = 16;
const FIRST_UNSPACED = UNSPACED_RANGES[0][0];
const MOST_UNITS = 24 * 1024;
const MEMORY_PAGES = 1;

/** Counts the words that begin in this many octets of units, of which there are pairs of vectors. */
type CountWords = (octets: number) => number;

/** Sixteen units at a time; one by one where the machine has no vectors. */
export function createWordCounter(): Pick<WordCounter, 'words' | 'wordsBetweenBlanks'> {
  return hasVectors() ? new WordCounter() : { words: countWordsIn, wordsBetweenBlanks: countWordsBetweenBlanks };
}

/** Counts the words of texts as code units, sixteen units at a time. */
export class WordCounter {
  readonly #state: Int32Array;
  readonly #units: Uint16Array;
  readonly #words: CountWords;
  readonly #wordsBetweenBlanks: CountWords;

  constructor() {
    const functions = { words: countWords(true), wordsBetweenBlanks: countWords(false) };
    const { memory, exports } = startWasm(assembleModule(functions, MEMORY_PAGES), MEMORY_PAGES);
    this.#state = new Int32Array(memory, 0, UNITS / 4);
    this.#units = new Uint16Array(memory, UNITS, MOST_UNITS);
    this.#words = exports.words as CountWords;
    this.#wordsBetweenBlanks = exports.wordsBetweenBlanks as CountWords;
  }

  /** As `countWordsIn` does. */
  words(units: Uint16Array, length: number): number {
    return this.#count(this.#words, units, length) + Math.ceil(this.#state[UNSPACED / 4] / 2);
  }

  /** As `countWordsBetweenBlanks` does. */
  wordsBetweenBlanks(units: Uint16Array, length: number): number {
    return this.#count(this.#wordsBetweenBlanks, units, length);
  }

  #count(count: CountWords, units: Uint16Array, length: number): number {
    this.#state[IS_OUTSIDE] = 1;
    this.#state[UNSPACED / 4] = 0;
    let words = 0;
    for (let from = 0; from < length; from += MOST_UNITS) {
      const to = Math.min(length, from + MOST_UNITS);
      const filled = Math.ceil((to - from) / UNITS_AT_ONCE) * UNITS_AT_ONCE;
      this.#units.set(units.subarray(from, to));
      this.#units.fill(LAST_BLANK, to - from, filled);
      words += count(2 * filled);
    }
    return words;
  }
}

function countWords(looksAtScripts: boolean): AssembledFunction {
  const f = new WasmFunction();
  const end = f.param('i32');
  const [at, words, isOutside, outside, unspaced] = Array.from({ length: 5 }, () => f.local('i32'));
  const [one, other] = [f.local('v128'), f.local('v128')];
  const n = i32.const;
  const any = (masks: readonly Code[]): Code => masks.reduce((before, mask) => v128.or(before, mask));
  /** A bit for each of sixteen units. */
  const bitsOf = (maskOf: (units: Code) => Code): Code => i8x16.bits(i8x16.narrow(maskOf(one.get), maskOf(other.get)));

  const blank = (units: Code): Code => i16x8.less(units, i16x8.all(LAST_BLANK + 1));
  const gap = (units: Code): Code =>
    any([blank(units), ...FURTHER_GAPS.map((unit) => i16x8.equal(units, i16x8.all(unit)))]);
  const isUnspaced = (units: Code): Code =>
    any(
      UNSPACED_RANGES.map(([first, last]) =>
        i16x8.less(i16x8.sub(units, i16x8.all(first)), i16x8.all(last - first + 1)),
      ),
    );
  const isFar = (units: Code): Code => i16x8.less(i16x8.all(FIRST_UNSPACED - 1), units);
  const findOutside: Code = looksAtScripts
    ? [
        outside.set(bitsOf(gap)),
        // Few texts have more than single characters of these.
        when(v128.isAnySet(v128.or(isFar(one.get), isFar(other.get))), [
          unspaced.set(bitsOf(isUnspaced)),
          i32.store(n(UNSPACED), i32.add(i32.load(n(UNSPACED)), i32.ones(unspaced.get))),
          outside.set(i32.or(outside.get, unspaced.get)),
        ]),
      ]
    : outside.set(bitsOf(blank));
  const afterOutside = i32.or(i32.shiftLeft(outside.get, n(1)), isOutside.get);
  const isStart = i32.and(i32.xor(outside.get, n(0xffff)), afterOutside);
  return f.with([
    isOutside.set(i32.load(n(IS_OUTSIDE))),
    whileDo(i32.less(at.get, end.get), [
      one.set(v128.load(at.get, UNITS)),
      other.set(v128.load(at.get, UNITS + 16)),
      findOutside,
      words.set(i32.add(words.get, i32.ones(isStart))),
      isOutside.set(i32.shiftRight(outside.get, n(15))),
      at.set(i32.add(at.get, n(2 * UNITS_AT_ONCE))),
    ]),
    i32.store(n(IS_OUTSIDE), isOutside.get),
    words.get,
  ]);
}
