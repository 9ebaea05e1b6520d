/** Records of a page. */
const PAGE_BITS = 15;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/**
 * Records of a fixed number of 32-bit words, numbered from 0; a new one takes the place of one that was freed, the last
 * first. What is read of one record together lies together in memory. Grows page by page: nothing is ever copied.
 */
export class PackedRecords {
  readonly #pages: Uint32Array[] = [];
  readonly #words: number;
  /** The number of the record freed last plus 1, or 0; its first word leads to the one before in the same form. */
  #freed = 0;
  #numbers = 0;
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
    this.#size++;
    if (this.#freed !== 0) {
      const record = this.#freed - 1;
      this.#freed = this.get(record, 0);
      this.set(record, 0, 0);
      return record;
    }
    const record = this.#numbers++;
    if (record >>> PAGE_BITS === this.#pages.length) this.#pages.push(new Uint32Array(this.#words * (PAGE_MASK + 1)));
    return record;
  }

  /** Its number goes to the next that is added. */
  free(record: number): void {
    const at = this.offset(record);
    this.page(record).fill(0, at, at + this.#words);
    this.set(record, 0, this.#freed);
    this.#freed = record + 1;
    this.#size--;
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
