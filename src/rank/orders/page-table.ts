/** Number of a page in a `PageTable`; -1 is none. */
export type PageNumber = number;

export const PageState = {
  /** Linked to, but nobody asked for its place yet, or it was visited before this run. */
  seen: 0,
  waiting: 1,
  visited: 2,
  /** Waits in the first lane and stays there. */
  first: 3,
  /** Known to an earlier run, whose visits have not come to it yet while they are gone through again. */
  expected: 4,
} as const;

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float32Array;
type ArrayKind<T extends NumberArray> = new (length: number) => T;

/** One value for each page. `values` is another array after the table has grown, so it is read again every time. */
export interface Column<T extends NumberArray> {
  readonly values: T;
}

class GrowingColumn<T extends NumberArray> implements Column<T> {
  values: T;
  readonly #kind: ArrayKind<T>;
  readonly #initial: number;

  constructor(kind: ArrayKind<T>, initial: number, capacity: number) {
    this.#kind = kind;
    this.#initial = initial;
    this.values = new kind(capacity);
    if (initial !== 0) this.values.fill(initial);
  }

  grow(capacity: number): void {
    const larger = new this.#kind(capacity);
    larger.set(this.values);
    if (this.#initial !== 0) larger.fill(this.#initial, this.values.length);
    this.values = larger;
  }

  reset(page: PageNumber): void {
    this.values[page] = this.#initial;
  }
}

const FIRST_CAPACITY = 1024;

/**
 * Pages by the 64-bit fingerprint of their URL: an open-addressing table of numbers, and a column for each thing that is
 * known of a page. Besides its columns a page costs 8 bytes and 8 to 16 of the table.
 */
export class PageTable {
  readonly state: Column<Uint8Array>;
  readonly #low: GrowingColumn<Uint32Array>;
  readonly #high: GrowingColumn<Uint32Array>;
  readonly #columns: GrowingColumn<NumberArray>[] = [];
  readonly #free: PageNumber[] = [];
  /** Number of a page plus one; 0 is empty. */
  #slots = new Uint32Array(2 * FIRST_CAPACITY);
  #capacity = FIRST_CAPACITY;
  #end = 0;

  constructor() {
    this.#low = this.#newColumn(Uint32Array, 0);
    this.#high = this.#newColumn(Uint32Array, 0);
    this.state = this.#newColumn(Uint8Array, PageState.seen);
  }

  /** Pages in the table. */
  get size(): number {
    return this.#end - this.#free.length;
  }

  /** All numbers in use are below this. */
  get end(): number {
    return this.#end;
  }

  column<T extends NumberArray>(kind: ArrayKind<T>, initial = 0): Column<T> {
    return this.#newColumn(kind, initial);
  }

  find(low: number, high: number): PageNumber {
    const mask = this.#slots.length - 1;
    const lows = this.#low.values;
    const highs = this.#high.values;
    for (let slot = slotOf(low, high) & mask; ; slot = (slot + 1) & mask) {
      const page = this.#slots[slot] - 1;
      if (page < 0) return -1;
      if (lows[page] === low && highs[page] === high) return page;
    }
  }

  /** Of a page that is not in it yet. */
  add(low: number, high: number): PageNumber {
    const page = this.#free.pop() ?? this.#end++;
    if (page >= this.#capacity) this.#grow();
    for (const column of this.#columns) column.reset(page);
    this.#low.values[page] = low;
    this.#high.values[page] = high;
    this.#insert(page);
    return page;
  }

  /** Its number goes to another page later on. */
  remove(page: PageNumber): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hole = slotOf(this.#low.values[page], this.#high.values[page]) & mask;
    while (slots[hole] - 1 !== page) hole = (hole + 1) & mask;
    // Those behind it move up, so that no search ends at the hole.
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const other = slots[slot] - 1;
      const home = slotOf(this.#low.values[other], this.#high.values[other]) & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[hole] = slots[slot];
      hole = slot;
    }
    slots[hole] = 0;
    this.state.values[page] = PageState.seen;
    this.#free.push(page);
  }

  fingerprintOf(page: PageNumber): bigint {
    return (BigInt(this.#high.values[page]) << 32n) | BigInt(this.#low.values[page]);
  }

  #newColumn<T extends NumberArray>(kind: ArrayKind<T>, initial: number): GrowingColumn<T> {
    const column = new GrowingColumn(kind, initial, this.#capacity);
    this.#columns.push(column);
    return column;
  }

  #grow(): void {
    this.#capacity *= 2;
    for (const column of this.#columns) column.grow(this.#capacity);
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * this.#capacity);
    for (const entry of before) if (entry !== 0) this.#insert(entry - 1);
  }

  #insert(page: PageNumber): void {
    const mask = this.#slots.length - 1;
    let slot = slotOf(this.#low.values[page], this.#high.values[page]) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = page + 1;
  }
}

function slotOf(low: number, high: number): number {
  return (low ^ Math.imul(high, 0x9e3779b1)) >>> 0;
}
