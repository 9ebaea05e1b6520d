import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { hasVectors } from '../../base/wasm/has-vectors.ts';
import type { GramWeights } from './gram-table.ts';
import { KernelScorer } from './kernel/kernel-scorer.ts';
import { PlainScorer } from './plain-scorer.ts';
import type { WordScorer } from './word-scorer.ts';

/** For the languages of one script: how much each gram speaks for each language. A gram that is not listed says nothing. */
export class LanguageModel {
  readonly languages: readonly string[];
  /** What one unit of a weight is worth, as a natural logarithm. */
  readonly #unit: number;
  readonly #sums: Int32Array;
  /** Until the first words of the script come, and then the tables that are made of it. */
  #told: GramWeights | undefined;
  #scorer: WordScorer | undefined;

  constructor(languages: readonly string[], told: GramWeights, unit: number) {
    this.languages = languages;
    this.#told = told;
    this.#unit = unit;
    this.#sums = new Int32Array(languages.length);
  }

  /** Adds to `scores` (one per language) what the grams of these words say, times `weight`; answers how many were known. */
  score(letters: Uint16Array, length: number, weight: number, scores: Float64Array): number {
    const sums = this.#sums.fill(0);
    const known = this.#ready().score(letters, length, sums);
    for (let language = 0; language < sums.length; language++) scores[language] += sums[language] * this.#unit * weight;
    return known;
  }

  #ready(): WordScorer {
    if (this.#told !== undefined) {
      this.#scorer = new (hasVectors() ? KernelScorer : PlainScorer)(this.#told, this.languages.length);
      this.#told = undefined;
    }
    return this.#scorer as WordScorer;
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
    const columnsAt = at + 4 * count;
    const columns = new Int8Array(bytes.buffer.slice(columnsAt, columnsAt + count * names.length));
    at += 4 * count + columns.length;
    return new LanguageModel(names, { grams, columns }, unit);
  });
}
