import { ByteBuilder } from './byte-builder.ts';

/** Thrown where the bytes of a block make no sense; the reader knows file and place. */
export class BlockFault extends Error {}

/**
 * Sorted keys in few bytes: of each the number of octets that it shares with the one before, and the rest. The three columns (shared, length of the
 * rest, the rest) lie one behind the other, since a compressor finds more in each than in their mixture.
 */
export class KeyBlockBuilder {
  readonly #shared = new ByteBuilder();
  readonly #lengths = new ByteBuilder();
  readonly #rests = new ByteBuilder();
  count = 0;

  /** Bytes that the block has so far. */
  get size(): number {
    return this.#shared.length + this.#lengths.length + this.#rests.length;
  }

  add(key: Uint8Array, length: number, shared: number): void {
    this.#shared.varint(shared);
    this.#lengths.varint(length - shared);
    this.#rests.bytes(key, shared, length);
    this.count++;
  }

  /** The block; another begins. */
  take(): Buffer {
    const head = new ByteBuilder(16);
    head.varint(this.count);
    head.varint(this.#shared.length);
    head.varint(this.#lengths.length);
    const block = Buffer.concat([head.view, this.#shared.view, this.#lengths.view, this.#rests.view]);
    for (const column of [this.#shared, this.#lengths, this.#rests]) column.clear();
    this.count = 0;
    return block;
  }
}

const EMPTY = Buffer.alloc(0);

/** Goes through the keys of a block. */
export class KeyBlockCursor {
  readonly #block: Uint8Array;
  readonly count: number;
  readonly #restsStart: number;
  #sharedAt = 0;
  #lengthAt = 0;
  #restAt = 0;
  #value = 0;
  #key: Buffer = EMPTY;

  constructor(block: Uint8Array) {
    this.#block = block;
    let at = this.#varint(0);
    this.count = this.#value;
    at = this.#varint(at);
    const shared = this.#value;
    at = this.#varint(at);
    this.#sharedAt = at;
    this.#lengthAt = at + shared;
    this.#restsStart = this.#lengthAt + this.#value;
    this.#restAt = this.#restsStart;
    if (this.#restsStart > block.length) throw new BlockFault('its columns are longer than the block');
  }

  /** All keys, once. */
  *keys(): Generator<string> {
    let held = 0;
    for (let at = 0; at < this.count; at++) {
      const shared = this.#nextShared();
      const length = this.#nextLength();
      const end = this.#restAt + length;
      if (shared > held || end > this.#block.length) throw new BlockFault('a key reaches beyond what there is');
      held = shared + length;
      if (held > this.#key.length) {
        const larger = Buffer.alloc(2 * held);
        larger.set(this.#key.subarray(0, shared));
        this.#key = larger;
      }
      for (let from = this.#restAt, to = shared; from < end; from++, to++) this.#key[to] = this.#block[from];
      this.#restAt = end;
      yield this.#key.toString('latin1', 0, held);
    }
    if (this.#restAt !== this.#block.length) throw new BlockFault('something follows its last key');
  }

  /** Whether a key is there. Most keys of the block are passed by their numbers alone, without a look at their octets. */
  has(wanted: Uint8Array): boolean {
    // Octets that `wanted` has in common with the key before, which is the smaller one.
    let common = 0;
    const bytes = this.#block;
    for (let at = 0; at < this.count; at++) {
      const shared = this.#nextShared();
      const length = this.#nextLength();
      // It parts from the key before where `wanted` still agreed with that: it lies behind `wanted`.
      if (shared < common) return false;
      const start = this.#restAt;
      this.#restAt += length;
      // It agrees with the key before for longer than `wanted` does: it lies on the same side.
      if (shared > common) continue;
      const most = Math.min(length, wanted.length - common);
      let same = 0;
      while (same < most && bytes[start + same] === wanted[common + same]) same++;
      common += same;
      if (same === length) {
        if (common === wanted.length) return true;
      } else if (common === wanted.length || bytes[start + same] > wanted[common]) return false;
    }
    return false;
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

  #nextLength(): number {
    const byte = this.#block[this.#lengthAt];
    if (byte < 0x80) {
      this.#lengthAt++;
      return byte;
    }
    this.#lengthAt = this.#varint(this.#lengthAt);
    return this.#value;
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
