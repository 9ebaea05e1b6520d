import type { ArchiveBytes } from './shipping/archive-bytes.ts';

const CHUNK = 1024 * 1024;

/** Bytes of a file at any place, read ahead in large chunks. What it gives stays valid: chunks are never reused. */
export class FileBytes {
  readonly #source: ArchiveBytes;
  readonly #end: number;
  readonly #ahead: number;
  #chunk: Buffer = Buffer.alloc(0);
  #chunkStart = 0;

  /** Nothing at or after `end` is seen; `ahead`: how much is read at once. */
  constructor(source: ArchiveBytes, end = Number.POSITIVE_INFINITY, ahead = CHUNK) {
    this.#source = source;
    this.#end = end;
    this.#ahead = ahead;
  }

  /** The bytes from `position`; fewer than `length` only at the end. */
  async read(position: number, length: number): Promise<Buffer> {
    const inChunk = position - this.#chunkStart;
    const isThere = inChunk >= 0 && inChunk + length <= this.#chunk.length;
    if (!isThere && !(inChunk >= 0 && this.#isLast())) await this.#load(position, Math.max(length, this.#ahead));
    const from = position - this.#chunkStart;
    return this.#chunk.subarray(from, from + length);
  }

  /** Whether nothing lies behind the chunk: whoever looks ahead there need not read the last bytes again and again. */
  #isLast(): boolean {
    const chunkEnd = this.#chunkStart + this.#chunk.length;
    return chunkEnd === this.#end || chunkEnd === this.#source.size();
  }

  async #load(position: number, length: number): Promise<void> {
    const end = Math.min(this.#end, this.#source.size());
    const wanted = Math.max(0, Math.min(length, end - position));
    this.#chunk = await this.#source.read(position, wanted);
    this.#chunkStart = position;
  }
}
