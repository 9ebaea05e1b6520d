/** A set of rows, a bit each. */
export class RowSet {
  readonly #words: Uint32Array;
  readonly #rows: number;

  constructor(rows: number, words = new Uint32Array(Math.ceil(rows / 32))) {
    this.#rows = rows;
    this.#words = words;
  }

  /** The rows for which a condition holds. */
  static of(rows: number, holds: (row: number) => boolean): RowSet {
    const words = new Uint32Array(Math.ceil(rows / 32));
    for (let at = 0, row = 0; at < words.length; at++) {
      let bits = 0;
      for (let bit = 0; bit < 32 && row < rows; bit++, row++) if (holds(row)) bits |= 1 << bit;
      words[at] = bits;
    }
    return new RowSet(rows, words);
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  has(row: number): boolean {
    return (this.#words[row >>> 5] & (1 << (row & 31))) !== 0;
  }

  add(row: number): void {
    this.#words[row >>> 5] |= 1 << (row & 31);
  }

  /** Those that are in both. */
  and(other: RowSet): RowSet {
    return new RowSet(
      this.#rows,
      this.#words.map((word, at) => word & other.#words[at]),
    );
  }

  not(): RowSet {
    const words = this.#words.map((word) => ~word);
    const rest = this.#rows & 31;
    if (rest !== 0) words[words.length - 1] &= 2 ** rest - 1;
    return new RowSet(this.#rows, words);
  }

  get count(): number {
    let count = 0;
    for (let word of this.#words) {
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
    }
    return count;
  }
}
