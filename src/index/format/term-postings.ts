import { ByteReader, unpackBits } from './byte-reader.ts';
import type { CodeTable } from './code-table.ts';
import { exceptionAt, HAS_EXCEPTIONS, patch, skipExceptions, WIDTH_MASK } from './patched-bits.ts';
import { BLOCK } from './posting-writer.ts';

/** Bytes after the last that packed reading may touch. */
export const PADDING = 4;

/** Where the packed positions of a block begin, and how wide each is. */
export interface PackedPositions {
  readonly at: number;
  readonly width: number;
}

/** The postings of one term in one segment, block by block. */
export class TermPostings {
  readonly documents: number;
  readonly blocks: number;
  /** Of each block; the last one's is the greatest number there is. */
  readonly lastDocuments: Uint32Array;
  /** Bytes of bounds, one per block. */
  readonly bounds: Uint8Array;
  readonly #codeTable: CodeTable;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #blockAt: Uint32Array;
  readonly #placesAt: Uint32Array;
  readonly #readPlaces: () => Uint8Array;
  #places: DataView | undefined;

  /** `bytes` carry `PADDING` bytes more than the postings; so do those that `readPlaces` gives. */
  constructor(bytes: Uint8Array, documents: number, codeTable: CodeTable, readPlaces: () => Uint8Array) {
    this.documents = documents;
    this.blocks = Math.ceil(documents / BLOCK);
    this.#codeTable = codeTable;
    this.#readPlaces = readPlaces;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const blocks = this.blocks;
    this.lastDocuments = new Uint32Array(blocks);
    this.#blockAt = new Uint32Array(blocks);
    this.#placesAt = new Uint32Array(blocks);
    const reader = new ByteReader(bytes);
    let last = -1;
    let blockAt = 0;
    let placesAt = 0;
    for (let block = 0; block < blocks - 1; block++) {
      last += reader.varint();
      this.lastDocuments[block] = last;
      this.#blockAt[block] = blockAt;
      this.#placesAt[block] = placesAt;
      blockAt += reader.varint();
      placesAt += reader.varint();
    }
    this.lastDocuments[blocks - 1] = 0xffffffff;
    this.#blockAt[blocks - 1] = blockAt;
    this.#placesAt[blocks - 1] = placesAt;
    this.bounds = bytes.subarray(reader.at, reader.at + blocks);
    const start = reader.at + blocks;
    for (let block = 0; block < blocks; block++) this.#blockAt[block] += start;
  }

  count(block: number): number {
    return block === this.blocks - 1 ? this.documents - block * BLOCK : BLOCK;
  }

  readDocuments(block: number, out: Uint32Array): number {
    const count = this.count(block);
    const view = this.#view;
    const at = this.#blockAt[block];
    const head = view.getUint8(at);
    const width = head & WIDTH_MASK;
    let document = block === 0 ? -1 : this.lastDocuments[block - 1];
    if (head >= HAS_EXCEPTIONS) {
      unpackBits(view, at + 2, width, out, count);
      patch(new ByteReader(this.#bytes, at + 2 + ((count * width + 7) >> 3)), width, out);
      for (let i = 0; i < count; i++) {
        document += out[i] + 1;
        out[i] = document;
      }
      return count;
    }
    if (width === 0) {
      for (let i = 0; i < count; i++) out[i] = ++document;
      return count;
    }
    const mask = 2 ** width - 1;
    let bit = (at + 2) * 8;
    for (let i = 0; i < count; i++) {
      document += ((view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask) + 1;
      out[i] = document;
      bit += width;
    }
    return count;
  }

  readCodes(block: number, out: Uint32Array): void {
    const count = this.count(block);
    const codesAt = this.#codesAt(block, count);
    const codes = this.#view.getUint8(this.#blockAt[block] + 1);
    const width = codes & WIDTH_MASK;
    unpackBits(this.#view, codesAt, width, out, count);
    if (codes >= HAS_EXCEPTIONS) patch(new ByteReader(this.#bytes, codesAt + ((count * width + 7) >> 3)), width, out);
  }

  /** The code of one posting of a block. */
  readCode(block: number, at: number): number {
    const count = this.count(block);
    const codesAt = this.#codesAt(block, count);
    const codes = this.#view.getUint8(this.#blockAt[block] + 1);
    const width = codes & WIDTH_MASK;
    const bit = codesAt * 8 + at * width;
    const code = (this.#view.getUint32(bit >>> 3, true) >>> (bit & 7)) & (2 ** width - 1);
    if (codes < HAS_EXCEPTIONS) return code;
    return code | exceptionAt(new ByteReader(this.#bytes, codesAt + ((count * width + 7) >> 3)), width, at);
  }

  #codesAt(block: number, count: number): number {
    const at = this.#blockAt[block];
    const steps = this.#view.getUint8(at);
    const codesAt = at + 2 + ((count * (steps & WIDTH_MASK) + 7) >> 3);
    if (steps < HAS_EXCEPTIONS) return codesAt;
    const reader = new ByteReader(this.#bytes, codesAt);
    skipExceptions(reader);
    return reader.at;
  }

  /**
   * Where the positions of each posting of a block begin, counted in positions, for a block whose codes were read.
   * Returns what `readPositions` needs to know of the block.
   */
  readPositionStarts(block: number, codes: Uint32Array, starts: Uint32Array): PackedPositions {
    const view = this.#placesView();
    const reader = new ByteReader(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), this.#placesAt[block]);
    const count = this.count(block);
    const { occurrences } = this.#codeTable;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const known = occurrences[codes[i]];
      starts[i] = sum;
      sum += known < 0 ? reader.varint() : known;
    }
    starts[count] = sum;
    const width = reader.byte();
    return { width, at: reader.at };
  }

  /** The positions from one start to another into `out`; returns how many. */
  readPositions(packed: PackedPositions, from: number, to: number, out: number[]): number {
    const view = this.#placesView();
    const { width } = packed;
    const mask = 2 ** width - 1;
    let bit = packed.at * 8 + from * width;
    let position = 0;
    for (let i = 0; i < to - from; i++) {
      position += (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask;
      out[i] = position;
      bit += width;
    }
    return to - from;
  }

  /** All positions of a block, document after document, and how many each has. */
  readAllPositions(block: number, codes: Uint32Array, counts: Uint32Array, out: Uint32Array): Uint32Array {
    const view = this.#placesView();
    const reader = new ByteReader(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), this.#placesAt[block]);
    const count = this.count(block);
    const { occurrences } = this.#codeTable;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const known = occurrences[codes[i]];
      counts[i] = known < 0 ? reader.varint() : known;
      total += counts[i];
    }
    const positions = total > out.length ? new Uint32Array(total * 2) : out;
    const width = reader.byte();
    unpackBits(view, reader.at, width, positions, total);
    for (let i = 0, at = 0; i < count; i++) {
      const end = at + counts[i];
      for (at++; at < end; at++) positions[at] += positions[at - 1];
      at = end;
    }
    return positions;
  }

  #placesView(): DataView {
    if (this.#places === undefined) {
      const bytes = this.#readPlaces();
      this.#places = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    return this.#places;
  }
}
