import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { EDGE, MOST_GRAMS, wordGrams } from './grams.ts';
import { LONGEST_KEPT, WordMemory } from './word-memory.ts';

/**
 * For the languages of one script: how much each gram speaks for each language. A gram that is not listed says nothing.
 * Invariant: `languages.length` weights per gram, in the order of the languages.
 */
export class LanguageModel {
  readonly languages: readonly string[];
  /**
   * Open addressing: the gram at each place, 0 where it is empty, and where its weights begin. A power of two of places, at most two
   * thirds full.
   */
  readonly #slots: Int32Array;
  readonly #weights: Int8Array;
  /** What one unit of a weight is worth, as a natural logarithm. */
  readonly #unit: number;
  /** Made with the first words of the script. */
  #words: WordMemory | undefined;
  /** What one word says, and all: of the call under way. */
  readonly #told: Int32Array;
  readonly #sums: Int32Array;
  /** The grams of a word, how many behind each begin with it, and where the weights of those begin that are known. */
  readonly #grams = new Int32Array(MOST_GRAMS);
  readonly #following = new Uint8Array(MOST_GRAMS);
  readonly #rows = new Int32Array(MOST_GRAMS);

  constructor(languages: readonly string[], grams: Int32Array, weights: Int8Array, unit: number) {
    this.languages = languages;
    this.#weights = weights;
    this.#unit = unit;
    this.#told = new Int32Array(languages.length);
    this.#sums = new Int32Array(languages.length);
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, grams.length * 1.5)));
    this.#slots = new Int32Array(2 * size);
    for (let row = 0; row < grams.length; row++) {
      let place = grams[row] & (size - 1);
      while (this.#slots[2 * place] !== 0) place = (place + 1) & (size - 1);
      this.#slots[2 * place] = grams[row];
      this.#slots[2 * place + 1] = row * languages.length;
    }
  }

  /** Adds to `scores` (one per language) what the grams of these words say, times `weight`; answers how many were known. */
  score(letters: Uint16Array, length: number, weight: number, scores: Float64Array): number {
    const count = this.languages.length;
    this.#words ??= new WordMemory(count);
    const words = this.#words;
    const sums = this.#sums.fill(0);
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
          for (let language = 0; language < count; language++) sums[language] += told[language];
          known += found;
        } else words.keep(slot, letters, start, end, told, found);
      }
      if (slot !== -1) known += words.addTo(sums, slot);
      start = end + 1;
    }
    for (let language = 0; language < count; language++) scores[language] += sums[language] * this.#unit * weight;
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

export interface ModelPart {
  readonly languages: readonly string[];
  readonly grams: Int32Array;
  readonly weights: Int8Array;
  readonly unit: number;
}

/** Languages, number of grams and unit of each part as a line of JSON; then grams and weights of each; all compressed. */
export function writeModel(parts: readonly ModelPart[]): Uint8Array {
  const head = JSON.stringify(
    parts.map(({ languages, grams, unit }) => ({ languages: languages.join(' '), grams: grams.length, unit })),
  );
  const pieces: Uint8Array[] = [Buffer.from(`${head}\n`)];
  for (const { grams, weights, languages } of parts) {
    const sorted = grams.toSorted();
    const rowOf = new Map([...grams].map((gram, row) => [gram, row]));
    // Column by column, sorted by gram: neighbours are alike, and compress.
    const columns = new Int8Array(weights.length);
    for (let language = 0; language < languages.length; language++) {
      for (let index = 0; index < sorted.length; index++) {
        const row = rowOf.get(sorted[index]) as number;
        columns[language * sorted.length + index] = weights[row * languages.length + language];
      }
    }
    pieces.push(new Uint8Array(sorted.buffer), new Uint8Array(columns.buffer));
  }
  // A tenth larger than what makes the smallest file, and read in a quarter of its time, by every thread that reads pages.
  return zstdCompressSync(Buffer.concat(pieces), {
    params: { [constants.ZSTD_c_compressionLevel]: 22, [constants.ZSTD_c_windowLog]: 24 },
  });
}

export function readModel(file: Uint8Array): LanguageModel[] {
  // Ours is read in one piece.
  const bytes = zstdDecompressSync(file, { chunkSize: 5 * 1024 ** 2 });
  const headEnd = bytes.indexOf(0x0a);
  const head: { languages: string; grams: number; unit: number }[] = JSON.parse(bytes.toString('utf8', 0, headEnd));
  let at = bytes.byteOffset + headEnd + 1;
  return head.map(({ languages, grams: count, unit }) => {
    const names = languages.split(' ');
    // Copied, since the numbers need not lie where a view of 32 bits may begin.
    const grams = new Int32Array(bytes.buffer.slice(at, at + 4 * count));
    const columns = new Int8Array(bytes.buffer, at + 4 * count, count * names.length);
    const weights = new Int8Array(count * names.length);
    for (let row = 0, to = 0; row < count; row++) {
      for (let from = row; from < columns.length; from += count) weights[to++] = columns[from];
    }
    at += 4 * count + columns.length;
    return new LanguageModel(names, grams, weights, unit);
  });
}
