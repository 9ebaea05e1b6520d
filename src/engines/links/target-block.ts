/**
 * A block of a run: pieces in ascending order of their fingerprints. A piece is the fingerprint of a target (upper half,
 * lower half, 4 bytes each), the number of its links (2), their bytes (2), and the links themselves. The links of a target
 * are in the order of the visits; where they do not fit, further pieces follow, in this block and the next.
 */
export const PIECE_HEAD = 12;
/** With what SQLite adds it fills one page of 8,192 bytes. */
export const BLOCK_BYTES = 8000;

/** Gathers links that come in order and hands out full blocks. */
export class BlockWriter {
  readonly #full: (hi: number, lo: number, block: Uint8Array) => void;
  readonly #bytes = new Uint8Array(BLOCK_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  #at = 0;
  /** Where the open piece begins; -1: there is none. */
  #piece = -1;
  #hi = 0;
  #lo = 0;

  constructor(full: (hi: number, lo: number, block: Uint8Array) => void) {
    this.#full = full;
  }

  /** `count` links of one target, whose bytes are `source[start…end]`; they stay together. */
  put(hi: number, lo: number, count: number, source: Uint8Array, start: number, end: number): void {
    const size = end - start;
    const joins = this.#piece >= 0 && hi === this.#hi && lo === this.#lo;
    if (this.#at + size + (joins ? 0 : PIECE_HEAD) > BLOCK_BYTES) {
      this.flush();
      this.#open(hi, lo);
    } else if (!joins) this.#open(hi, lo);
    copy(source, start, end, this.#bytes, this.#at);
    this.#at += size;
    const view = this.#view;
    view.setUint16(this.#piece + 8, view.getUint16(this.#piece + 8, true) + count, true);
    view.setUint16(this.#piece + 10, this.#at - this.#piece - PIECE_HEAD, true);
  }

  flush(): void {
    if (this.#at === 0) return;
    this.#full(this.#view.getUint32(0, true), this.#view.getUint32(4, true), this.#bytes.slice(0, this.#at));
    this.#at = 0;
    this.#piece = -1;
  }

  #open(hi: number, lo: number): void {
    this.#piece = this.#at;
    this.#hi = hi;
    this.#lo = lo;
    this.#view.setUint32(this.#at, hi, true);
    this.#view.setUint32(this.#at + 4, lo, true);
    this.#view.setUint32(this.#at + 8, 0, true);
    this.#at += PIECE_HEAD;
  }
}

/** Walks the pieces of a block. */
export class BlockReader {
  readonly bytes: Buffer;
  #next = 0;
  hi = 0;
  lo = 0;
  count = 0;
  /** The links of the piece are `bytes[start…end]`. */
  start = 0;
  end = 0;

  constructor(block: Buffer) {
    this.bytes = block;
  }

  next(): boolean {
    const { bytes } = this;
    const at = this.#next;
    if (at >= bytes.length) return false;
    this.hi = uint32(bytes, at);
    this.lo = uint32(bytes, at + 4);
    this.count = bytes[at + 8] | (bytes[at + 9] << 8);
    this.start = at + PIECE_HEAD;
    this.end = this.start + (bytes[at + 10] | (bytes[at + 11] << 8));
    this.#next = this.end;
    return true;
  }

  /** The next piece whose fingerprint is not below this one. */
  nextFrom(hi: number, lo: number): boolean {
    const { bytes } = this;
    let at = this.#next;
    for (; at < bytes.length; at += PIECE_HEAD + (bytes[at + 10] | (bytes[at + 11] << 8))) {
      const upper = uint32(bytes, at);
      if (upper > hi || (upper === hi && uint32(bytes, at + 4) >= lo)) break;
    }
    this.#next = at;
    return this.next();
  }
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Most links are shorter than what a call of `set` costs. */
function copy(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): void {
  if (end - start > 64) target.set(source.subarray(start, end), at);
  else for (let from = start, to = at; from < end; from++, to++) target[to] = source[from];
}
