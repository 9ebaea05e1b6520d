import { crc32 } from 'node:zlib';
import { startWasm } from '../../base/wasm/wasm-instance.ts';
import {
  assembleDeflateKernel,
  BITS_OF_TOKENS,
  type DeflateKernel,
  INPUT,
  INPUT_SIZE,
  MEMORY_PAGES,
  MEMORY_SIZE,
  OUTPUT,
  OUTPUT_PER_INPUT,
  STRIDE,
  TALLY,
  TOKENS,
} from './deflate-kernel.ts';
import { LearntCode } from './learnt-code.ts';

/** A stored block tells its length in 16 bits, twice, after a byte for the rest of its header. */
const STORED_MAX = 0xffff;
const STORED_HEADER = 5;
/** What follows the first bits of an empty stored block. */
const EMPTY_LENGTH = Uint8Array.of(0, 0, 0xff, 0xff);
/** Room for the headers of a block and the last, partly used word of it. */
const BLOCK_SLACK = 512;
/** Shorter than the header of a code: stored as it is. */
const TINY = 64;
/** Too short to look whether another code would have suited better. */
const SHORT = 2048;
/** What a block may take beyond the least before it is done again with a code of its own. */
const TOLERANCE = 1.08;

/**
 * An encoder of DEFLATE made for speed: one pass, no garbage, everything in one memory of a fixed size.
 *
 * What it writes is collected until `clear`. The bytes of `parts` lie in the encoder's own memory, except those that
 * were given to be stored: they have to be used before the next `clear`. Every block ends on a whole byte, so that
 * anything may follow it. What comes out depends on what was compressed before; what it inflates to does not.
 */
export class FastDeflate {
  readonly #bytes: Uint8Array;
  readonly #bitsOfTokens: Uint32Array;
  readonly #tally: Uint32Array;
  readonly #kernel: DeflateKernel;
  /** For a block that suits no code so far. */
  readonly #own = new LearntCode();
  #parts: Uint8Array[] = [];
  #partsLength = 0;
  /** Where the part under way begins, and how far it goes. */
  #start = OUTPUT;
  #end = OUTPUT;

  constructor() {
    const { memory, exports } = startWasm(assembleDeflateKernel(), MEMORY_PAGES);
    this.#kernel = exports.deflate as DeflateKernel;
    this.#bytes = new Uint8Array(memory);
    this.#bitsOfTokens = new Uint32Array(memory, BITS_OF_TOKENS, TOKENS * STRIDE);
    this.#tally = new Uint32Array(memory, TALLY, TOKENS * STRIDE);
  }

  clear(): void {
    this.#parts = [];
    this.#partsLength = 0;
    this.#start = OUTPUT;
    this.#end = OUTPUT;
  }

  /** Of everything written since `clear`. */
  get length(): number {
    return this.#partsLength + this.#end - this.#start;
  }

  /** Everything written since `clear`. */
  parts(): readonly Uint8Array[] {
    this.#endPart(this.#bytes.subarray(this.#start, this.#end));
    return this.#parts;
  }

  /** Bytes that are no DEFLATE, such as the frame around it. */
  raw(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** The same without a copy: they must stay as they are until the next `clear`. */
  refer(bytes: Uint8Array): void {
    this.#endPart(this.#bytes.subarray(this.#start, this.#end));
    this.#endPart(bytes);
  }

  /** Compresses the pieces as if they were one. Returns their CRC-32. */
  deflate(pieces: readonly Uint8Array[], code: LearntCode, last: boolean): number {
    let crc = 0;
    let filled = 0;
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; ) {
        if (filled === INPUT_SIZE) {
          crc = this.#block(filled, code, false, crc);
          filled = 0;
        }
        const count = Math.min(piece.length - at, INPUT_SIZE - filled);
        this.#bytes.set(count === piece.length ? piece : piece.subarray(at, at + count), INPUT + filled);
        at += count;
        filled += count;
      }
    }
    return this.#block(filled, code, last, crc);
  }

  /** The bytes neither compressed nor copied, in as many blocks as they need. */
  store(bytes: Uint8Array, last: boolean): void {
    for (let at = 0; at < bytes.length || at === 0; at += STORED_MAX) {
      const block = bytes.length <= STORED_MAX ? bytes : bytes.subarray(at, at + STORED_MAX);
      this.#makeRoom(STORED_HEADER);
      this.#storedHeader(block.length, last && at + STORED_MAX >= bytes.length);
      this.refer(block);
    }
  }

  /** One block of the first `length` bytes of the input area, or several stored ones. Returns the CRC-32 up to there. */
  #block(length: number, code: LearntCode, last: boolean, crc: number): number {
    this.#makeRoom(length * OUTPUT_PER_INPUT + BLOCK_SLACK);
    const end = length < TINY ? undefined : this.#compress(length, code);
    // To end on a whole byte, all but the last are followed by an empty stored block: three bits, then its length.
    const endByte = end === undefined ? Number.POSITIVE_INFINITY : (end + (last ? 7 : 10)) >> 3;
    if (endByte - this.#end >= length + STORED_HEADER) {
      this.#storeInput(length, last);
    } else {
      if (last) this.#bytes[this.#end] |= 1;
      this.#end = endByte;
      if (!last) this.raw(EMPTY_LENGTH);
    }
    return crc32(this.#bytes.subarray(INPUT, INPUT + length), crc);
  }

  /** Returns the bit at which the block ends; undefined where no code would make it smaller than it is. */
  #compress(length: number, code: LearntCode): number | undefined {
    const known = code.headerBits > 0;
    const end = this.#encode(length, code);
    const spent = end - 8 * this.#end - code.headerBits;
    if (known && length < SHORT) {
      code.learnFrom(this.#tally, true);
      return end;
    }
    const least = code.leastBits(this.#tally);
    if (least > 8 * length) return undefined;
    if (!known) {
      code.learnAnew(this.#tally);
      return this.#encode(length, code);
    }
    const suited = spent <= least * TOLERANCE;
    code.learnFrom(this.#tally, suited);
    if (suited) return end;
    // Another language, or another kind of text.
    this.#own.learnAnew(this.#tally);
    return this.#encode(length, this.#own);
  }

  #encode(length: number, code: LearntCode): number {
    this.#bitsOfTokens.set(code.bitsOfTokens);
    this.#tally.fill(0);
    this.#bytes.set(code.header, this.#end);
    return this.#kernel(INPUT, INPUT + length, this.#end + (code.headerBits >> 3), code.headerBits & 7);
  }

  #storeInput(length: number, last: boolean): void {
    for (let at = 0; at < length || at === 0; at += STORED_MAX) {
      const count = Math.min(length - at, STORED_MAX);
      this.#storedHeader(count, last && at + STORED_MAX >= length);
      this.#bytes.copyWithin(this.#end, INPUT + at, INPUT + at + count);
      this.#end += count;
    }
  }

  #storedHeader(length: number, last: boolean): void {
    const bytes = this.#bytes;
    bytes[this.#end++] = last ? 1 : 0;
    bytes[this.#end++] = length;
    bytes[this.#end++] = length >> 8;
    bytes[this.#end++] = ~length;
    bytes[this.#end++] = ~length >> 8;
  }

  /** Where the output area is full, what lies there is copied away: rare, and only in what is far larger than a page. */
  #makeRoom(count: number): void {
    if (this.#end + count <= MEMORY_SIZE) return;
    this.#endPart(this.#bytes.subarray(this.#start, this.#end));
    const { buffer } = this.#bytes;
    // Also the parts before the one under way, behind which there may be no room left.
    this.#parts = this.#parts.map((part) => (part.buffer === buffer ? part.slice() : part));
    this.#start = OUTPUT;
    this.#end = OUTPUT;
  }

  #endPart(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#partsLength += part.length;
    this.#start = this.#end;
  }
}
