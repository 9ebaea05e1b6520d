import { ByteReader, unpackBits } from './byte-reader.ts';
import type { CodeTable } from './code-table.ts';
import { BLOCK } from './posting-writer.ts';

/** Bytes after the last that packed reading may touch. */
export const PADDING = 4;

/** Positions are read from the file in parts: one block at first, more where block follows block or all are wanted. */
export const MOST_AHEAD: number = 1 << 16;

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

/** The bytes of a term's positions. */
export interface PositionBytes {
  readonly positionsLength: number;
  /** A part of them, and `PADDING` bytes more; in `room`, where it is large enough and they are not in memory already. */
  readPositions(at: number, length: number, room?: Uint8Array): Uint8Array;
}

/** Where the packed positions of a block begin, and how wide each is. */
export interface PackedPositions {
  readonly view: DataView;
  readonly at: number;
  readonly width: number;
  /** The bytes of the block before them. */
  readonly head: number;
}

/** The positions of one term in one segment, block by block. Holds the part of the file that was read last. */
export class TermPositions {
  readonly #documents: number;
  readonly #codeTable: CodeTable;
  /** Where the positions of each block begin. */
  readonly #blockAt: Uint32Array;
  readonly #source: PositionBytes;
  readonly #takeRoom: (() => Uint8Array) | undefined;
  /** For single blocks, and for as much as is read at once: what is read next takes their place. */
  #small: Uint8Array = NO_BYTES;
  #large: Uint8Array | undefined;
  #bytes: Uint8Array = NO_BYTES;
  #view: DataView = NO_VIEW;
  #from = 0;
  #to = 0;
  #ahead = 0;

  /**
   * `whole`: all bytes and `PADDING` more, where they are in memory. `takeRoom`: lends room for `MOST_AHEAD` bytes and `PADDING` more,
   * where what was read before is not used any more when more is read.
   */
  constructor(
    documents: number,
    codeTable: CodeTable,
    blockAt: Uint32Array,
    source: PositionBytes,
    all: boolean,
    whole?: Uint8Array,
    takeRoom?: () => Uint8Array,
  ) {
    this.#documents = documents;
    this.#codeTable = codeTable;
    this.#blockAt = blockAt;
    this.#source = source;
    this.#takeRoom = takeRoom;
    if (all) this.#ahead = MOST_AHEAD;
    if (whole !== undefined) this.#hold(whole, 0, source.positionsLength);
  }

  /** Where the positions of each posting of a block begin, counted in positions, for a block whose codes were read. */
  readStarts(block: number, codes: Uint32Array, starts: Uint32Array): PackedPositions {
    const reader = this.#open(block);
    const count = this.#count(block);
    const { occurrences } = this.#codeTable;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const known = occurrences[codes[i]];
      starts[i] = sum;
      sum += known < 0 ? reader.varint() : known;
    }
    starts[count] = sum;
    const width = reader.byte();
    return { view: this.#view, width, at: reader.at, head: reader.at - (this.#blockAt[block] - this.#from) };
  }

  /** The packed positions of a block of which head and width are known. */
  packed(block: number, head: number, width: number): PackedPositions {
    this.#reach(block);
    return { view: this.#view, width, at: this.#blockAt[block] - this.#from + head, head };
  }

  /** All positions of a block, document after document, and how many each has. */
  readAll(block: number, codes: Uint32Array, counts: Uint32Array, out: Uint32Array): Uint32Array {
    const positions = this.readSteps(block, codes, counts, out);
    const count = this.#count(block);
    for (let i = 0, at = 0; i < count; i++) {
      const end = at + counts[i];
      for (at++; at < end; at++) positions[at] += positions[at - 1];
      at = end;
    }
    return positions;
  }

  /** The same as they are written: the first of each document whole, the others as steps. */
  readSteps(block: number, codes: Uint32Array, counts: Uint32Array, out: Uint32Array): Uint32Array {
    const reader = this.#open(block);
    const count = this.#count(block);
    const { occurrences } = this.#codeTable;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const known = occurrences[codes[i]];
      counts[i] = known < 0 ? reader.varint() : known;
      total += counts[i];
    }
    const steps = total > out.length ? new Uint32Array(total * 2) : out;
    const width = reader.byte();
    unpackBits(this.#view, reader.at, width, steps, total);
    return steps;
  }

  #count(block: number): number {
    return Math.min(BLOCK, this.#documents - block * BLOCK);
  }

  #open(block: number): ByteReader {
    this.#reach(block);
    return new ByteReader(this.#bytes, this.#blockAt[block] - this.#from);
  }

  /** Reads on where the block is not among the bytes held. */
  #reach(block: number): void {
    const at = this.#blockAt[block];
    const end = block + 1 < this.#blockAt.length ? this.#blockAt[block + 1] : this.#source.positionsLength;
    if (at < this.#from || end > this.#to) {
      const follows = at >= this.#from && at <= this.#to;
      this.#ahead = follows ? Math.min(MOST_AHEAD, 2 * this.#ahead + (end - at)) : 0;
      const length = Math.min(end - at + this.#ahead, this.#source.positionsLength - at);
      this.#hold(this.#source.readPositions(at, length, this.#room(length + PADDING, follows)), at, length);
    }
  }

  #room(length: number, isAhead: boolean): Uint8Array | undefined {
    if (this.#takeRoom === undefined) return undefined;
    if (isAhead && length <= MOST_AHEAD + PADDING) {
      this.#large ??= this.#takeRoom();
      return this.#large;
    }
    if (this.#small.length < length) this.#small = new Uint8Array(2 * length);
    return this.#small;
  }

  #hold(bytes: Uint8Array, at: number, length: number): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#from = at;
    this.#to = at + length;
  }
}

/** Whether a position is among those from one start to another. */
export function holdsPosition(packed: PackedPositions, from: number, to: number, wanted: number): boolean {
  const { view, width } = packed;
  const mask = 2 ** width - 1;
  let bit = packed.at * 8 + from * width;
  let position = 0;
  for (let i = from; i < to; i++) {
    position += (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask;
    if (position >= wanted) return position === wanted;
    bit += width;
  }
  return false;
}

/** The positions from one start to another into `out`. */
export function readPositions(packed: PackedPositions, from: number, to: number, out: Uint32Array): void {
  const { view, width } = packed;
  const mask = 2 ** width - 1;
  let bit = packed.at * 8 + from * width;
  let position = 0;
  for (let i = 0; i < to - from; i++) {
    position += (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask;
    out[i] = position;
    bit += width;
  }
}
