const FIRST_ROWS = 64;
const MAX_LOAD = 0.7;

/**
 * Names to row numbers, from 0 in the order in which they came, without keeping the names: 64 bits of a seeded hash stand for
 * each. About 14 bytes a name. A name that nobody has added is taken for another only where all 64 bits agree.
 */
export class NameTable {
  /** Halves of the hash of the last name: whoever needs it too makes no second pass. */
  low = 0;
  high = 0;
  readonly #seed: number;
  #lows: Uint32Array<ArrayBuffer>;
  #highs: Uint32Array<ArrayBuffer>;
  /** Row + 1, 0 where free. Its length is a power of two. */
  #slots: Uint32Array<ArrayBuffer>;
  #size = 0;

  /** Whoever knows the seed can make up names whose hashes suit them. `rows`: how many to make room for at once. */
  constructor(seed: number, rows = FIRST_ROWS) {
    this.#seed = seed >>> 0;
    this.#lows = new Uint32Array(Math.max(rows, FIRST_ROWS));
    this.#highs = new Uint32Array(Math.max(rows, FIRST_ROWS));
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(rows, FIRST_ROWS) / MAX_LOAD)));
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#lows.byteLength + this.#highs.byteLength + this.#slots.byteLength;
  }

  /** How many rows there is room for: columns beside this table grow with it. */
  get capacity(): number {
    return this.#lows.length;
  }

  /** The row of a name, or -1. */
  find(name: string): number {
    this.hash(name);
    return this.#slots[this.#slotOf(this.low, this.high)] - 1;
  }

  /** The row of a name, which is a new one (`size` before the call) where there was none. */
  add(name: string): number {
    this.hash(name);
    return this.addHash(this.low, this.high);
  }

  /** Hashes of all rows, both halves of each in turn; what `addHashes` takes. */
  hashes(): Uint32Array {
    const all = new Uint32Array(2 * this.#size);
    for (let row = 0; row < this.#size; row++) {
      all[2 * row] = this.#lows[row];
      all[2 * row + 1] = this.#highs[row];
    }
    return all;
  }

  addHashes(all: Uint32Array): void {
    for (let at = 0; at + 1 < all.length; at += 2) this.addHash(all[at], all[at + 1]);
  }

  /** Two lanes of multiply and xor over the UTF-16 units, then a finish that lets every bit reach every other. */
  hash(name: string): void {
    let low = this.#seed ^ 0x9e3779b9;
    let high = Math.imul(this.#seed ^ name.length, 0x85ebca6b) ^ 0x3c6ef372;
    for (let at = 0; at < name.length; at++) {
      const unit = name.charCodeAt(at);
      low = Math.imul(low ^ unit, 0xcc9e2d51);
      high = Math.imul(high ^ unit, 0x1b873593);
      low ^= low >>> 15;
      high ^= high >>> 13;
    }
    this.low = finish(low ^ (high >>> 16));
    this.high = finish(high ^ Math.imul(low, 0x27d4eb2f));
  }

  /** The same as `add`, for a name whose hash is known. */
  addHash(low: number, high: number): number {
    const slot = this.#slotOf(low, high);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    const row = this.#size++;
    if (row === this.#lows.length) this.#growRows();
    this.#lows[row] = low;
    this.#highs[row] = high;
    this.#slots[slot] = row + 1;
    if (this.#size > this.#slots.length * MAX_LOAD) this.#growSlots();
    return row;
  }

  #slotOf(low: number, high: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot] - 1;
      if (row < 0 || (this.#lows[row] === low && this.#highs[row] === high)) return slot;
    }
  }

  #growRows(): void {
    const more = Math.ceil(this.#lows.length * 1.25);
    this.#lows = enlarged(this.#lows, more);
    this.#highs = enlarged(this.#highs, more);
  }

  #growSlots(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let row = 0; row < this.#size; row++) {
      this.#slots[this.#slotOf(this.#lows[row], this.#highs[row])] = row + 1;
    }
  }
}

/** Spreads the bits of a 32-bit number; a permutation. */
export function finish(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

function enlarged(column: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(length);
  more.set(column);
  return more;
}
