import { hasVectors } from '../../base/wasm/has-vectors.ts';
import { VectorConstants } from '../../base/wasm/vector-constants.ts';
import type { AssembledFunction, Code, Local } from '../../base/wasm/wasm-assembler.ts';
import { assembleModule, i32, WasmFunction, when, whileDo } from '../../base/wasm/wasm-assembler.ts';
import { startWasm } from '../../base/wasm/wasm-instance.ts';
import { i8x16, i16x8, v128 } from '../../base/wasm/wasm-vectors.ts';
import { countWordsBetweenBlanks, countWordsIn, FURTHER_GAPS, LAST_BLANK, UNSPACED_RANGES } from './word-count.ts';

/** In the memory: whether what comes before is in no word, and whether a blank; the characters of scripts without blanks, the words between blanks, and the units of a part of the text. */
const IS_OUTSIDE = 0;
const IS_BLANK = 4;
const UNSPACED = 8;
const BETWEEN_BLANKS = 12;
const UNITS = 16;
const UNITS_AT_ONCE = 16;
const FIRST_UNSPACED = UNSPACED_RANGES[0][0];
const MOST_UNITS = 24 * 1024;
const MEMORY_PAGES = 1;

/** The words of a text, and what stands between blanks whatever its script (`word-count.ts`). */
export interface TextCounts {
  readonly words: number;
  readonly betweenBlanks: number;
}

/** Counts the words that begin in this many octets of units, of which there are pairs of vectors; puts down those between blanks. */
type CountWords = (octets: number) => number;

/** Sixteen units at a time; one by one where the machine has no vectors. */
export function createWordCounter(): Pick<WordCounter, 'count'> {
  return hasVectors() ? new WordCounter() : { count: countPlainly };
}

function countPlainly(units: Uint16Array, length: number): TextCounts {
  return { words: countWordsIn(units, length), betweenBlanks: countWordsBetweenBlanks(units, length) };
}

/** Counts the words of texts as code units, sixteen units at a time. */
export class WordCounter {
  readonly #state: Int32Array;
  readonly #units: Uint16Array;
  readonly #countWords: CountWords;

  constructor() {
    const { memory, exports } = startWasm(assembleModule({ countWords: countWords() }, MEMORY_PAGES), MEMORY_PAGES);
    this.#state = new Int32Array(memory, 0, UNITS / 4);
    this.#units = new Uint16Array(memory, UNITS, MOST_UNITS);
    this.#countWords = exports.countWords as CountWords;
  }

  /** As `countWordsIn` and `countWordsBetweenBlanks` do. */
  count(units: Uint16Array, length: number): TextCounts {
    const state = this.#state;
    state[IS_OUTSIDE / 4] = 1;
    state[IS_BLANK / 4] = 1;
    state[UNSPACED / 4] = 0;
    let words = 0;
    let betweenBlanks = 0;
    for (let from = 0; from < length; from += MOST_UNITS) {
      const to = Math.min(length, from + MOST_UNITS);
      const filled = Math.ceil((to - from) / UNITS_AT_ONCE) * UNITS_AT_ONCE;
      this.#units.set(units.subarray(from, to));
      this.#units.fill(LAST_BLANK, to - from, filled);
      words += this.#countWords(2 * filled);
      betweenBlanks += state[BETWEEN_BLANKS / 4];
    }
    return { words: words + Math.ceil(state[UNSPACED / 4] / 2), betweenBlanks };
  }
}

function countWords(): AssembledFunction {
  const f = new WasmFunction();
  const end = f.param('i32');
  const [at, words, isOutside, outside] = Array.from({ length: 4 }, () => f.local('i32'));
  const [betweenBlanks, isBlank, blank, unspaced] = Array.from({ length: 4 }, () => f.local('i32'));
  const [one, other, largest] = Array.from({ length: 3 }, () => f.local('v128'));
  const n = i32.const;
  const constants = new VectorConstants(f);
  const all = (unit: number): Code => constants.of(i16x8.all(unit));
  const any = (masks: readonly Code[]): Code => masks.reduce((before, mask) => v128.or(before, mask));
  /** A bit for each of sixteen units. */
  const bitsOf = (maskOf: (units: Code) => Code): Code => i8x16.bits(i8x16.narrow(maskOf(one.get), maskOf(other.get)));

  const isBlankUnit = (units: Code): Code => i16x8.equal(i16x8.least(units, all(LAST_BLANK)), units);
  const isFurtherGap = (units: Code): Code => any(FURTHER_GAPS.map((unit) => i16x8.equal(units, all(unit))));
  const isUnspaced = (units: Code): Code =>
    any(
      UNSPACED_RANGES.map(([first, last]) =>
        i16x8.less(i16x8.sub(units, i16x8.all(first)), i16x8.all(last - first + 1)),
      ),
    );
  const isAnyFar = v128.isAnySet(v128.xor(i16x8.least(largest.get, all(FIRST_UNSPACED - 1)), largest.get));
  const findOutside: Code = [
    blank.set(bitsOf(isBlankUnit)),
    outside.set(i32.or(blank.get, bitsOf(isFurtherGap))),
    largest.set(i16x8.most(one.get, other.get)),
    // Few texts have more than single characters of these.
    when(isAnyFar, [
      unspaced.set(bitsOf(isUnspaced)),
      i32.store(n(UNSPACED), i32.add(i32.load(n(UNSPACED)), i32.ones(unspaced.get))),
      outside.set(i32.or(outside.get, unspaced.get)),
    ]),
  ];
  /** Adds the units that are not such, behind one that is; and keeps whether the last one is. */
  const addStarts = (sum: Local, such: Local, isSuch: Local): Code => {
    const behind = i32.or(i32.shiftLeft(such.get, n(1)), isSuch.get);
    return [
      sum.set(i32.add(sum.get, i32.ones(i32.and(i32.xor(such.get, n(0xffff)), behind)))),
      isSuch.set(i32.shiftRight(such.get, n(15))),
    ];
  };
  const loop = whileDo(i32.less(at.get, end.get), [
    one.set(v128.load(at.get, UNITS)),
    other.set(v128.load(at.get, UNITS + 16)),
    findOutside,
    addStarts(words, outside, isOutside),
    addStarts(betweenBlanks, blank, isBlank),
    at.set(i32.add(at.get, n(2 * UNITS_AT_ONCE))),
  ]);
  return f.with([
    constants.prepare,
    isOutside.set(i32.load(n(IS_OUTSIDE))),
    isBlank.set(i32.load(n(IS_BLANK))),
    loop,
    i32.store(n(IS_OUTSIDE), isOutside.get),
    i32.store(n(IS_BLANK), isBlank.get),
    i32.store(n(BETWEEN_BLANKS), betweenBlanks.get),
    words.get,
  ]);
}
