import type { FileHandle } from 'node:fs/promises';

const CHUNK = 1024 * 1024;

/** Bytes of a file at any place, read ahead in large chunks. What it gives stays valid: chunks are never reused. */
export class FileBytes {
  readonly #handle: FileHandle;
  readonly #end: number;
  #chunk: Buffer = Buffer.alloc(0);
  #chunkStart = 0;

  /** Nothing at or after `end` is seen. */
  constructor(handle: FileHandle, end = Number.POSITIVE_INFINITY) {
    this.#handle = handle;
    this.#end = end;
  }

  /** The bytes from `position`; fewer than `length` only at the end. */
  async read(position: number, length: number): Promise<Buffer> {
    const inChunk = position - this.#chunkStart;
    const isThere = inChunk >= 0 && inChunk + length <= this.#chunk.length;
    if (!isThere) {
      const end = Math.min(this.#end, (await this.#handle.stat()).size);
      // Whoever looks ahead at the end of a file need not read its last bytes again and again.
      const isLast = inChunk >= 0 && this.#chunkStart + this.#chunk.length === end;
      if (!isLast) await this.#load(position, Math.min(Math.max(length, CHUNK), end - position));
    }
    const from = position - this.#chunkStart;
    return this.#chunk.subarray(from, from + length);
  }

  async #load(position: number, length: number): Promise<void> {
    const wanted = Math.max(0, length);
    const buffer = Buffer.allocUnsafe(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#handle.read(buffer, filled, wanted - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.#chunk = buffer.subarray(0, filled);
    this.#chunkStart = position;
  }
}
