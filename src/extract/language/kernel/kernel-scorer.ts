import { startWasm } from '../../../base/wasm/wasm-instance.ts';
import { fillGramTable, type GramWeights, slotCountFor } from '../gram-table.ts';
import type { WordScorer } from '../word-scorer.ts';
import { LETTERS, layoutOf, MASK_SIZE, MASKS, MOST_LETTERS, SUMS } from './memory-layout.ts';
import { assembleScoreWords, type ScoreWords } from './score-words.ts';

/** Scores words in WebAssembly, with the tables of its model in its memory: what is promised is that it answers as `PlainScorer` does. */
export class KernelScorer implements WordScorer {
  readonly #letters: Uint16Array;
  readonly #sums: Int32Array;
  readonly #scoreWords: ScoreWords;

  constructor(told: GramWeights, languages: number) {
    const { length } = told.grams;
    const layout = layoutOf(languages, length, slotCountFor(length));
    const { width, slots, slotCount, weights, pages } = layout;
    const { memory, exports } = startWasm(assembleScoreWords(layout), pages);
    this.#scoreWords = exports.scoreWords as ScoreWords;
    new Uint8Array(memory, MASKS, MASK_SIZE).fill(0xff);
    fillGramTable(told, {
      slots: new Int32Array(memory, slots, 2 * slotCount),
      weights: new Int8Array(memory, weights, length * width),
      width,
    });
    this.#letters = new Uint16Array(memory, LETTERS, MOST_LETTERS);
    this.#sums = new Int32Array(memory, SUMS, languages);
  }

  score(letters: Uint16Array, length: number, sums: Int32Array): number {
    this.#letters.set(letters.subarray(0, length));
    this.#sums.set(sums);
    const known = this.#scoreWords(LETTERS + 2, LETTERS + 2 * length);
    sums.set(this.#sums);
    return known;
  }
}
