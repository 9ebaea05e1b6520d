import type { TermNumbers } from '../term-numbers.ts';

/** Texts that are remembered at most: links to the pages of a site mostly say what others of it do. */
const MOST_TEXTS = 32_768;
/** Longer ones seldom come again. */
const MOST_POSITIONS = 255;
const FIRST_WORDS = 4096;

export interface TextWords {
  readonly terms: Uint32Array;
  readonly offsets: Uint32Array;
  readonly forms: Uint8Array;
}

/** The words of texts that were read before, by language: links say the same again and again. Terms are told by their numbers. */
export class KnownTexts {
  #numbers: TermNumbers | undefined;
  readonly #languages = new Map<string, Map<string, number>>();
  #count = 0;
  /** Where the words of each text begin; where the last ends. */
  readonly starts = new Uint32Array(MOST_TEXTS + 1);
  /** How many positions each takes. */
  readonly lengths = new Uint8Array(MOST_TEXTS);
  terms = new Uint32Array(FIRST_WORDS);
  /** How far behind the beginning of its text each word stands. */
  offsets = new Uint8Array(FIRST_WORDS);
  forms = new Uint8Array(FIRST_WORDS);

  /** What is known is told by these numbers from now on: two who ask by turns may have others. */
  useNumbers(numbers: TermNumbers): void {
    if (numbers !== this.#numbers) this.#forget();
    this.#numbers = numbers;
  }

  /** The number of a text; -1 where it is not known. */
  of(text: string, language: string): number {
    return this.#languages.get(language)?.get(text) ?? -1;
  }

  /** Remembers a text of so many positions with its words. */
  note(text: string, language: string, length: number, words: TextWords): void {
    if (length > MOST_POSITIONS) return;
    if (this.#count === MOST_TEXTS) this.#forget();
    const texts = this.#languages.get(language) ?? new Map<string, number>();
    this.#languages.set(language, texts.set(text, this.#count));
    const from = this.starts[this.#count];
    this.#reserve(from + words.terms.length);
    this.terms.set(words.terms, from);
    this.offsets.set(words.offsets, from);
    this.forms.set(words.forms, from);
    this.lengths[this.#count] = length;
    this.starts[++this.#count] = from + words.terms.length;
  }

  #forget(): void {
    this.#languages.clear();
    this.#count = 0;
  }

  #reserve(words: number): void {
    if (words <= this.terms.length) return;
    const { terms, offsets, forms } = this;
    this.terms = new Uint32Array(2 * words);
    this.terms.set(terms);
    this.offsets = new Uint8Array(2 * words);
    this.offsets.set(offsets);
    this.forms = new Uint8Array(2 * words);
    this.forms.set(forms);
  }
}
