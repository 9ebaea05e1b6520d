/** Letters of the longest word that is kept. */
export const LONGEST_KEPT = 16;
/** A power of two: a site says most of what it says with fewer words. */
export const SLOTS = 8192;

/**
 * What the words met last say for each language. A word has some thirty grams, each with a weight for each language, and half of all
 * words of a text are among the few hundred that every text has. A slot holds one word: the last one that fell into it.
 */
export class WordMemory {
  readonly #languages: number;
  /** Of each slot: the letters of its word and then zeros. */
  readonly #letters = new Uint16Array(SLOTS * LONGEST_KEPT);
  readonly #known = new Uint16Array(SLOTS);
  readonly #sums: Int16Array;

  constructor(languages: number) {
    this.#languages = languages;
    this.#sums = new Int16Array(SLOTS * languages);
  }

  slotOf(letters: Uint16Array, start: number, end: number): number {
    let hash = end - start;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ letters[at], 0x01000193);
    return (hash ^ (hash >>> 15)) & (SLOTS - 1);
  }

  holds(slot: number, letters: Uint16Array, start: number, end: number): boolean {
    const kept = this.#letters;
    let place = slot * LONGEST_KEPT;
    for (let at = start; at < end; at++) if (kept[place++] !== letters[at]) return false;
    return end - start === LONGEST_KEPT || kept[place] === 0;
  }

  /** `sums` and `known`: what all grams of the word say for each language, and how many of them say anything. */
  keep(slot: number, letters: Uint16Array, start: number, end: number, sums: Int32Array, known: number): void {
    const place = slot * LONGEST_KEPT;
    this.#letters.fill(0, place, place + LONGEST_KEPT);
    this.#letters.set(letters.subarray(start, end), place);
    this.#sums.set(sums, slot * this.#languages);
    this.#known[slot] = known;
  }

  /** Adds what the word of the slot says; answers how many of its grams say anything. */
  addTo(sums: Int32Array, slot: number): number {
    const own = this.#sums;
    let place = slot * this.#languages;
    for (let language = 0; language < sums.length; language++) sums[language] += own[place++];
    return this.#known[slot];
  }
}
