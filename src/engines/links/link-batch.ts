import { ENTRY_HEAD, type LinkEntry, writeEntry } from './link-entry.ts';
import type { BlockWriter } from './target-block.ts';

/** Entries of one visit that are compared with each other, to leave out those that say the same. */
const COMPARED = 16;

/** Links that are not on disk yet, in memory that does not grow beyond `most` of them. */
export class LinkBatch {
  readonly #most: number;
  #hi = new Uint32Array(1024);
  #lo = new Uint32Array(1024);
  /** Where the entry of each begins; they lie one behind the other. */
  #starts = new Uint32Array(1025);
  #count = 0;
  #bytes = Buffer.allocUnsafe(1 << 16);

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#most;
  }

  /** A link whose text is `text[start…end]`. */
  add(hi: number, lo: number, link: Omit<LinkEntry, 'text'>, text: Uint8Array, start: number, end: number): void {
    const at = this.#starts[this.#count];
    this.#reserve(at + ENTRY_HEAD + end - start);
    this.#hi[this.#count] = hi;
    this.#lo[this.#count] = lo;
    this.#starts[++this.#count] = writeEntry(this.#bytes, at, link, text, start, end);
  }

  /** Everything in order of target and visit, without what a page says twice. Empty afterwards. Returns the links written. */
  drainTo(writer: BlockWriter): number {
    const order = this.#order();
    let written = 0;
    for (let at = 0; at < order.length; at++) {
      const entry = order[at];
      if (this.#wasSaid(order, at)) continue;
      writer.put(this.#hi[entry], this.#lo[entry], 1, this.#bytes, this.#starts[entry], this.#starts[entry + 1]);
      written++;
    }
    writer.flush();
    this.#count = 0;
    return written;
  }

  #wasSaid(order: Uint32Array, at: number): boolean {
    const entry = order[at];
    for (let back = at - 1; back >= 0 && at - back <= COMPARED; back--) {
      const other = order[back];
      if (this.#hi[other] !== this.#hi[entry] || this.#lo[other] !== this.#lo[entry]) return false;
      if (this.#isSame(entry, other)) return true;
    }
    return false;
  }

  #isSame(entry: number, other: number): boolean {
    const bytes = this.#bytes;
    let a = this.#starts[entry];
    let b = this.#starts[other];
    const end = this.#starts[entry + 1];
    if (end - a !== this.#starts[other + 1] - b) return false;
    while (a < end) if (bytes[a++] !== bytes[b++]) return false;
    return true;
  }

  /** A pass for each byte of the upper half of the fingerprint, then the few that share it by the lower half. */
  #order(): Uint32Array {
    const count = this.#count;
    const hi = this.#hi;
    let order = new Uint32Array(count);
    for (let at = 0; at < count; at++) order[at] = at;
    let sorted = new Uint32Array(count);
    for (const shift of [0, 8, 16, 24]) {
      sortByDigit(hi, count, shift, order, sorted);
      [order, sorted] = [sorted, order];
    }
    for (let start = 0; start < count; ) {
      let end = start + 1;
      let mixed = false;
      while (end < count && hi[order[end]] === hi[order[start]]) {
        if (this.#lo[order[end]] !== this.#lo[order[start]]) mixed = true;
        end++;
      }
      if (mixed) order.subarray(start, end).sort((a, b) => this.#lo[a] - this.#lo[b] || a - b);
      start = end;
    }
    return order;
  }

  #reserve(bytes: number): void {
    if (bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * bytes);
      this.#bytes.copy(larger, 0, 0, this.#starts[this.#count]);
      this.#bytes = larger;
    }
    if (this.#count < this.#hi.length) return;
    this.#hi = grown(this.#hi, 2 * this.#count);
    this.#lo = grown(this.#lo, 2 * this.#count);
    this.#starts = grown(this.#starts, 2 * this.#count + 1);
  }
}

/** Puts `order` into `sorted` by eight bits of the values; what is equal stays in its order. */
function sortByDigit(values: Uint32Array, count: number, shift: number, order: Uint32Array, sorted: Uint32Array): void {
  const next = new Uint32Array(257);
  for (let at = 0; at < count; at++) next[((values[at] >>> shift) & 0xff) + 1]++;
  for (let digit = 0; digit < 256; digit++) next[digit + 1] += next[digit];
  for (let at = 0; at < count; at++) sorted[next[(values[order[at]] >>> shift) & 0xff]++] = order[at];
}

function grown(values: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(values);
  return larger;
}
