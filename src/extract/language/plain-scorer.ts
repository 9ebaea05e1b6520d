import { fillGramTable, type GramWeights, slotCountFor } from './gram-table.ts';
import { EDGE, MOST_GRAMS, wordGrams } from './grams.ts';
import { LONGEST_KEPT, WordMemory } from './word-memory.ts';
import type { WordScorer } from './word-scorer.ts';

/** Scores words where the machine has no vectors. */
export class PlainScorer implements WordScorer {
  readonly #slots: Int32Array;
  /** As many for each gram as there are languages. */
  readonly #weights: Int8Array;
  readonly #words: WordMemory;
  /** What one word says. */
  readonly #told: Int32Array;
  /** The grams of a word, how many behind each begin with it, and where the weights of those begin that are known. */
  readonly #grams = new Int32Array(MOST_GRAMS);
  readonly #following = new Uint8Array(MOST_GRAMS);
  readonly #rows = new Int32Array(MOST_GRAMS);

  constructor(told: GramWeights, languages: number) {
    this.#slots = new Int32Array(2 * slotCountFor(told.grams.length));
    this.#weights = new Int8Array(told.columns.length);
    fillGramTable(told, { slots: this.#slots, weights: this.#weights, width: languages });
    this.#words = new WordMemory(languages);
    this.#told = new Int32Array(languages);
  }

  score(letters: Uint16Array, length: number, sums: Int32Array): number {
    const words = this.#words;
    const told = this.#told;
    let known = 0;
    // No gram reaches beyond its word, so that what a text says is the sum of what its words say.
    for (let start = 1; start < length; ) {
      let end = start;
      while (letters[end] !== EDGE) end++;
      const isKept = end - start <= LONGEST_KEPT;
      const slot = isKept ? words.slotOf(letters, start, end) : -1;
      if (slot === -1 || !words.holds(slot, letters, start, end)) {
        told.fill(0);
        const found = this.#scoreWord(letters, start - 1, end + 1, told);
        if (slot === -1) {
          for (let language = 0; language < told.length; language++) sums[language] += told[language];
          known += found;
        } else words.keep(slot, letters, start, end, told, found);
      }
      if (slot !== -1) known += words.addTo(sums, slot);
      start = end + 1;
    }
    return known;
  }

  /** Adds what one word between its edges says. */
  #scoreWord(letters: Uint16Array, from: number, to: number, sums: Int32Array): number {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    const grams = this.#grams;
    const following = this.#following;
    const rows = this.#rows;
    const count = wordGrams(letters, from, to, grams, following);
    // The table is too large for the caches: all places are asked for before anything waits for one of them.
    let touched = 0;
    for (let index = 0; index < count; index++) touched |= slots[2 * (grams[index] & mask)];
    let known = 0;
    if (touched === 0) return 0;
    for (let index = 0; index < count; index++) {
      const gram = grams[index];
      let place = gram & mask;
      while (slots[2 * place] !== gram && slots[2 * place] !== 0) place = (place + 1) & mask;
      // A gram that is 0 itself says nothing: no place can hold it.
      if (slots[2 * place] !== 0) rows[known++] = slots[2 * place + 1];
      // No longer gram begins with one that says nothing.
      else index += following[index];
    }
    this.#addRows(known, sums);
    return known;
  }

  #addRows(known: number, sums: Int32Array): void {
    const rows = this.#rows;
    const weights = this.#weights;
    const count = sums.length;
    // The first language by itself, so that all rows are on their way when the first of them is waited for.
    let first = 0;
    for (let index = 0; index < known; index++) first += weights[rows[index]];
    sums[0] += first;
    for (let index = 0; index < known; index++) {
      let at = rows[index] + 1;
      for (let language = 1; language < count; language++) sums[language] += weights[at++];
    }
  }
}
