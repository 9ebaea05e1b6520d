import { MISSING } from './table-file.ts';
import { foldedText } from './text-parts.ts';

/** Strangers choose some of the words: beyond so many, the rest counts as one. */
const MOST_WORDS = 20_000;
const OTHER = '(other)';

/** Words of a column by their numbers. */
export class WordNumbers {
  readonly #numbers = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(word: string): number {
    if (word === '') return MISSING;
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    if (this.#numbers.size >= MOST_WORDS && word !== OTHER) return this.numberOf(OTHER);
    this.#numbers.set(word, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** The place of each number in the order of the words. */
  ranks(): Uint32Array {
    return wordRanks(this.all);
  }
}

export function wordRanks(words: readonly string[]): Uint32Array {
  const sorted = words.map((word, number) => ({ key: foldedText(word), number }));
  sorted.sort((a, b) => compareTexts(a.key, b.key));
  const ranks = new Uint32Array(words.length);
  // Words that differ by case alone are one here, as they are where keys are compared.
  sorted.forEach(({ key, number }, rank) => {
    ranks[number] = sorted[rank - 1]?.key === key ? ranks[sorted[rank - 1].number] : rank;
  });
  return ranks;
}

/** As SQLite sorts them: by the bytes of their UTF-8. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Seconds as whole numbers above 0, from the year -32,000 or so on. */
export function keyOfTime(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000) + 2 ** 40);
}
