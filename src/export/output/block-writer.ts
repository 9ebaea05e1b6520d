import type { Compression } from './compression.ts';
import { compress } from './compression.ts';

/** A block is compressed by itself; large enough that little is lost by that. */
const COMPRESSED_BLOCK = 1 << 20;
const PLAIN_BLOCK = 1 << 16;

/** Gathers pieces into blocks, compresses them where that is asked for, and hands them on one after the other. */
export class BlockWriter {
  readonly #compression: Compression | undefined;
  readonly #put: (block: Uint8Array) => Promise<void>;
  readonly #size: number;
  #pieces: Uint8Array[] = [];
  #waiting = 0;
  #bytes: number;

  constructor(put: (block: Uint8Array) => Promise<void>, compression: Compression | undefined, bytes = 0) {
    this.#put = put;
    this.#compression = compression;
    this.#size = compression === undefined ? PLAIN_BLOCK : COMPRESSED_BLOCK;
    this.#bytes = bytes;
  }

  /** Taken so far, before compression. */
  get bytes(): number {
    return this.#bytes;
  }

  async write(piece: Uint8Array | string): Promise<void> {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#waiting += bytes.length;
    this.#bytes += bytes.length;
    if (this.#waiting >= this.#size) await this.flush();
  }

  /** Hands on what waits, as a block. */
  async flush(): Promise<void> {
    if (this.#waiting === 0) return;
    const block = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#waiting);
    this.#pieces = [];
    this.#waiting = 0;
    await this.#put(this.#compression === undefined ? block : await compress(block, this.#compression));
  }
}
