import { ByteWriter } from '../../base/byte-writer.ts';
import { SymbolMatcher, type SymbolTable } from './symbol-table.ts';

/** A number of codes that half a byte cannot tell. */
const MANY = 15;

/** Thrown where the bytes of a block make no sense; the reader knows file and place. */
export class BlockFault extends Error {}

/**
 * Sorted keys in few bytes: of each the number of octets that it shares with the one before, and the rest in codes of the run's symbols. Columns lie one
 * behind the other: shared octets, number of codes in half a byte each (`MANY` and more: the rest of the number lies in a column of its own), codes.
 */
export class KeyBlockBuilder {
  readonly #matcher: SymbolMatcher;
  readonly #table: SymbolTable;
  readonly #shared = new ByteWriter();
  readonly #counts = new ByteWriter();
  readonly #more = new ByteWriter();
  readonly #codes = new ByteWriter();
  #bits = 0;
  #bitCount = 0;
  /** The number of codes of a key whose neighbour in the byte is awaited. */
  #half = 0;
  count = 0;

  constructor(table: SymbolTable) {
    this.#table = table;
    this.#matcher = new SymbolMatcher(table);
  }

  /** Bytes that the block has so far. */
  get size(): number {
    return this.#shared.length + this.#counts.length + this.#more.length + this.#codes.length;
  }

  add(key: Uint8Array, length: number, shared: number): void {
    const { starts, width } = this.#table;
    let codes = 0;
    for (let at = shared; at < length; ) {
      const code = this.#matcher.codeAt(key, at, length);
      at += starts[code + 1] - starts[code];
      codes++;
      this.#bits |= code << this.#bitCount;
      this.#bitCount += width;
      while (this.#bitCount >= 8) {
        this.#codes.byte(this.#bits & 0xff);
        this.#bits >>>= 8;
        this.#bitCount -= 8;
      }
    }
    this.#shared.varint(shared);
    const told = Math.min(codes, MANY);
    if (codes >= MANY) this.#more.varint(codes - MANY);
    if (this.count % 2 === 0) this.#half = told;
    else this.#counts.byte(this.#half | (told << 4));
    this.count++;
  }

  /** The block; another begins. */
  take(): Buffer {
    if (this.#bitCount > 0) this.#codes.byte(this.#bits);
    if (this.count % 2 === 1) this.#counts.byte(this.#half);
    const head = new ByteWriter(16);
    head.varint(this.count);
    head.varint(this.#shared.length);
    head.varint(this.#more.length);
    const columns = [this.#shared, this.#counts, this.#more, this.#codes];
    const block = Buffer.concat([head.written, ...columns.map(({ written }) => written)]);
    for (const column of columns) column.clear();
    this.#bits = 0;
    this.#bitCount = 0;
    this.count = 0;
    return block;
  }
}

const EMPTY = Buffer.alloc(0);

/** Goes through the keys of a block, once. */
export class KeyBlockCursor {
  readonly #block: Uint8Array;
  readonly #table: SymbolTable;
  readonly #mask: number;
  readonly count: number;
  readonly #codesStart: number;
  readonly #countsStart: number;
  #sharedAt: number;
  #moreAt: number;
  /** Number of the next code. */
  #code = 0;
  #value = 0;
  #key: Buffer = EMPTY;

  constructor(block: Uint8Array, table: SymbolTable) {
    this.#block = block;
    this.#table = table;
    this.#mask = (1 << table.width) - 1;
    let at = this.#varint(0);
    this.count = this.#value;
    at = this.#varint(at);
    const shared = this.#value;
    at = this.#varint(at);
    this.#sharedAt = at;
    this.#countsStart = at + shared;
    this.#moreAt = this.#countsStart + Math.ceil(this.count / 2);
    this.#codesStart = this.#moreAt + this.#value;
    if (this.#codesStart > block.length) throw new BlockFault('its columns are longer than the block');
  }

  /** All keys. */
  *keys(): Generator<string> {
    for (const { length } of this.#decoded()) yield this.#key.toString('latin1', 0, length);
  }

  /** Of each key what it does not share with the one before. */
  *rests(): Generator<Buffer> {
    for (const { length, shared } of this.#decoded()) yield Buffer.from(this.#key.subarray(shared, length));
  }

  /** Whether a key is there. Most keys of the block are passed by their numbers alone, without a look at their codes. */
  has(wanted: Uint8Array): boolean {
    const { texts, starts, size } = this.#table;
    // Octets that `wanted` has in common with the key before, which is the smaller one.
    let common = 0;
    next: for (let at = 0; at < this.count; at++) {
      const shared = this.#nextShared();
      const first = this.#code;
      this.#code += this.#countOf(at);
      // It parts from the key before where `wanted` still agreed with that: it lies behind `wanted`.
      if (shared < common) return false;
      // It agrees with the key before for longer than `wanted` does: it lies on the same side.
      if (shared > common) continue;
      for (let number = first; number < this.#code; number++) {
        const code = this.#codeAt(number);
        if (code >= size) throw new BlockFault('a code stands for nothing');
        for (let from = starts[code]; from < starts[code + 1]; from++) {
          if (common === wanted.length || texts[from] > wanted[common]) return false;
          if (texts[from] < wanted[common]) continue next;
          common++;
        }
      }
      if (common === wanted.length) return true;
    }
    return false;
  }

  /** Puts each key into `#key`. */
  *#decoded(): Generator<{ readonly shared: number; readonly length: number }> {
    const { texts, starts, size, width } = this.#table;
    let length = 0;
    for (let at = 0; at < this.count; at++) {
      const shared = this.#nextShared();
      if (shared > length) throw new BlockFault('a key shares more than there is');
      const end = this.#code + this.#countOf(at);
      if (end * width > 8 * (this.#block.length - this.#codesStart)) throw new BlockFault('a key is cut off');
      length = shared;
      for (; this.#code < end; this.#code++) {
        const code = this.#codeAt(this.#code);
        if (code >= size) throw new BlockFault('a code stands for nothing');
        const stop = starts[code + 1];
        if (length + stop - starts[code] > this.#key.length) this.#grow(length);
        for (let from = starts[code]; from < stop; from++) this.#key[length++] = texts[from];
      }
      yield { shared, length };
    }
    if (Math.ceil((this.#code * width) / 8) !== this.#block.length - this.#codesStart) {
      throw new BlockFault('something follows its last key');
    }
  }

  #grow(held: number): void {
    const larger = Buffer.alloc(Math.max(256, 2 * this.#key.length));
    larger.set(this.#key.subarray(0, held));
    this.#key = larger;
  }

  #codeAt(number: number): number {
    const bit = number * this.#table.width;
    const at = this.#codesStart + (bit >>> 3);
    const bytes = this.#block;
    return ((bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16)) >>> (bit & 7)) & this.#mask;
  }

  #nextShared(): number {
    const byte = this.#block[this.#sharedAt];
    if (byte < 0x80) {
      this.#sharedAt++;
      return byte;
    }
    this.#sharedAt = this.#varint(this.#sharedAt);
    return this.#value;
  }

  /** Codes of a key. Keys are asked for in order. */
  #countOf(at: number): number {
    const two = this.#block[this.#countsStart + (at >>> 1)];
    const told = (at & 1) === 0 ? two & 0x0f : two >>> 4;
    if (told < MANY) return told;
    this.#moreAt = this.#varint(this.#moreAt);
    return MANY + this.#value;
  }

  /** Reads a number to `#value`, and gives the place behind it. */
  #varint(at: number): number {
    let value = 0;
    let factor = 1;
    for (let place = at; place < this.#block.length && place < at + 7; place++) {
      const byte = this.#block[place];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        this.#value = value;
        return place + 1;
      }
      factor *= 128;
    }
    throw new BlockFault('a number has no end');
  }
}
