import { hash32 } from '../model/seeded-hash.ts';

/** Numbers in order, all of which follow from the first two, and the words they choose. */
export class WordDraw {
  readonly #seed: number;
  readonly #number: number;
  readonly #purpose: number;
  readonly #words: readonly string[];
  #step = 0;

  constructor(seed: number, number: number, words: readonly string[], purpose: number) {
    this.#seed = seed;
    this.#number = number;
    this.#purpose = purpose;
    this.#words = words;
  }

  next(): number {
    return hash32(this.#seed, this.#number, this.#step++, this.#purpose);
  }

  unit(): number {
    return this.next() / 0x1_0000_0000;
  }

  below(count: number): number {
    return this.next() % count;
  }

  /** One of a list. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  words(count: number): string {
    let text = this.#words[this.below(this.#words.length)];
    for (let i = 1; i < count; i++) text += ` ${this.#words[this.below(this.#words.length)]}`;
    return text;
  }

  sentence(): string {
    const text = this.words(6 + this.below(12));
    return `${text[0].toUpperCase()}${text.slice(1)}${this.below(8) === 0 ? '?' : '.'}`;
  }

  sentences(count: number): string {
    let text = this.sentence();
    for (let i = 1; i < count; i++) text += ` ${this.sentence()}`;
    return text;
  }

  /** As long as `length`, such as the data of a small picture. */
  base64(length: number): string {
    let text = '';
    while (text.length < length) text += this.next().toString(36);
    return text.slice(0, length);
  }
}
