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
    if (inChunk < 0 || inChunk + length > this.#chunk.length) {
      await this.#load(position, length);
      return this.#chunk.subarray(0, length);
    }
    return this.#chunk.subarray(inChunk, inChunk + length);
  }

  async #load(position: number, length: number): Promise<void> {
    const wanted = Math.max(0, Math.min(Math.max(length, CHUNK), this.#end - position));
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
