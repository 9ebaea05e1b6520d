/** This many are held one by one. */
export const EXACT_SUPPORTERS = 8;
const WORDS = EXACT_SUPPORTERS;
const REGISTERS = 64;
const REGISTER_BITS = 6;
/** A register holds 4 bits. */
const HIGHEST_RANK = 15;
/** 1 / (2 ln 2): the constant of the estimate for any number of registers. */
const ALPHA = 0.721_347_520_444_481_7;

/**
 * How many distinct supporters each row has, in 37 bytes. Up to eight are held as they are; from the ninth on the same 32
 * bytes hold 64 registers of a HyperLogLog sketch, whose count is off by 13 % (standard error).
 *
 * Invariant: what a row holds depends on the set of its supporters alone, never on their order or how often they came; its
 * count never falls.
 */
export class SupporterCounts {
  #words = new Uint32Array(0);
  /** Held one by one; EXACT_SUPPORTERS + 1 for a sketch. */
  #held = new Uint8Array(0);
  /** What `of` answers, so that asking costs nothing. */
  #counts = new Uint32Array(0);

  get bytes(): number {
    return this.#words.byteLength + this.#held.byteLength + this.#counts.byteLength;
  }

  /** Makes room for rows below this number. */
  reserve(rows: number): void {
    if (rows <= this.#held.length) return;
    const [words, held, counts] = [this.#words, this.#held, this.#counts];
    this.#words = new Uint32Array(WORDS * rows);
    this.#held = new Uint8Array(rows);
    this.#counts = new Uint32Array(rows);
    this.#words.set(words);
    this.#held.set(held);
    this.#counts.set(counts);
  }

  of(row: number): number {
    return this.#counts[row];
  }

  /** `hash`: 32 well-mixed bits of the supporter. True when the count has grown. */
  add(row: number, hash: number): boolean {
    const held = this.#held[row];
    if (held > EXACT_SUPPORTERS) return this.#raise(row, hash) && this.#recount(row);
    const from = WORDS * row;
    for (let at = from; at < from + held; at++) if (this.#words[at] === hash) return false;
    if (held < EXACT_SUPPORTERS) {
      this.#words[from + held] = hash;
      this.#held[row] = held + 1;
      this.#counts[row] = held + 1;
      return true;
    }
    const all = [...this.#words.subarray(from, from + WORDS), hash];
    this.#words.fill(0, from, from + WORDS);
    this.#held[row] = EXACT_SUPPORTERS + 1;
    for (const one of all) this.#raise(row, one);
    return this.#recount(row);
  }

  /** Copies a row over another. */
  move(from: number, to: number): void {
    this.#words.copyWithin(WORDS * to, WORDS * from, WORDS * (from + 1));
    this.#held[to] = this.#held[from];
    this.#counts[to] = this.#counts[from];
  }

  /** Empties the rows from this one on. */
  clear(from: number): void {
    this.#words.fill(0, WORDS * from);
    this.#held.fill(0, from);
    this.#counts.fill(0, from);
  }

  /** Rows in use, for a snapshot; `fill` takes them back. */
  columns(rows: number): readonly [words: Uint32Array, held: Uint8Array] {
    return [this.#words.slice(0, WORDS * rows), this.#held.slice(0, rows)];
  }

  fill(words: Uint32Array, held: Uint8Array): void {
    this.reserve(held.length);
    this.#words.set(words);
    this.#held.set(held);
    for (let row = 0; row < held.length; row++) {
      if (held[row] > EXACT_SUPPORTERS) this.#recount(row);
      else this.#counts[row] = held[row];
    }
  }

  /** Notes the supporter in its register; true when that changes the sketch. */
  #raise(row: number, hash: number): boolean {
    const register = hash & (REGISTERS - 1);
    // The register took the low bits; the zeros above the rest are none of its rank.
    const rank = Math.min(HIGHEST_RANK, Math.clz32(hash >>> REGISTER_BITS) - REGISTER_BITS + 1);
    const at = WORDS * row + (register >> 3);
    const shift = (register & 7) << 2;
    const word = this.#words[at];
    if (((word >>> shift) & HIGHEST_RANK) >= rank) return false;
    this.#words[at] = (word & ~(HIGHEST_RANK << shift)) | (rank << shift);
    return true;
  }

  #recount(row: number): boolean {
    const before = this.#counts[row];
    const count = Math.max(EXACT_SUPPORTERS + 1, Math.round(this.#estimate(row)));
    this.#counts[row] = count;
    return count > before;
  }

  /** Ertl's form of the estimate: without bias from the first register to the last, and without tables. */
  #estimate(row: number): number {
    const having = new Uint8Array(HIGHEST_RANK + 1);
    for (let at = WORDS * row; at < WORDS * (row + 1); at++) {
      for (let word = this.#words[at], left = 8; left > 0; left--, word >>>= 4) having[word & HIGHEST_RANK]++;
    }
    let sum = REGISTERS * tau(1 - having[HIGHEST_RANK] / REGISTERS);
    for (let rank = HIGHEST_RANK - 1; rank >= 1; rank--) sum = (sum + having[rank]) / 2;
    sum += REGISTERS * sigma(having[0] / REGISTERS);
    return (ALPHA * REGISTERS * REGISTERS) / sum;
  }
}

/** Sums over registers that are still empty, and over those that are full. */
function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let sum = share;
  let factor = 1;
  for (let power = share, before = Number.NaN; sum !== before; ) {
    power *= power;
    before = sum;
    sum += power * factor;
    factor *= 2;
  }
  return sum;
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let sum = 1 - share;
  let factor = 1;
  for (let root = share, before = Number.NaN; sum !== before; ) {
    root = Math.sqrt(root);
    before = sum;
    factor /= 2;
    sum -= (1 - root) ** 2 * factor;
  }
  return sum / 3;
}
