/** Records of a page. */
const PAGE_BITS = 15;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/**
 * Records of a fixed number of 32-bit words, numbered from 0 in the order in which they were added. What is read of one
 * record together lies together in memory. Grows page by page: nothing is ever copied.
 */
export class PackedRecords {
  readonly #pages: Uint32Array[] = [];
  readonly #words: number;
  #size = 0;

  constructor(words: number) {
    this.#words = words;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#pages.length * 4 * this.#words * (PAGE_MASK + 1);
  }

  /** The number of a new record, all words 0. */
  add(): number {
    const record = this.#size++;
    if (record >>> PAGE_BITS === this.#pages.length) this.#pages.push(new Uint32Array(this.#words * (PAGE_MASK + 1)));
    return record;
  }

  /** The page of a record, and where it begins there: for those who read several of its words. */
  page(record: number): Uint32Array {
    return this.#pages[record >>> PAGE_BITS];
  }

  offset(record: number): number {
    return (record & PAGE_MASK) * this.#words;
  }

  get(record: number, word: number): number {
    return this.#pages[record >>> PAGE_BITS][(record & PAGE_MASK) * this.#words + word];
  }

  set(record: number, word: number, value: number): void {
    this.#pages[record >>> PAGE_BITS][(record & PAGE_MASK) * this.#words + word] = value;
  }
}
