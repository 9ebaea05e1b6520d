/** Texts of some rows of a tree. */
export class RowTexts {
  /** The rows that have one, in their order. */
  readonly rows: readonly number[];
  readonly #texts: readonly string[];
  /** By row: the number of its text, from 1; 0 where it has none. */
  readonly #numbers: Int32Array;

  constructor(rows: readonly number[], texts: readonly string[], numbers: Int32Array) {
    this.rows = rows;
    this.#texts = texts;
    this.#numbers = numbers;
  }

  get(row: number): string | undefined {
    const number = this.#numbers[row];
    return number === 0 ? undefined : this.#texts[number - 1];
  }

  has(row: number): boolean {
    return this.#numbers[row] !== 0;
  }
}
