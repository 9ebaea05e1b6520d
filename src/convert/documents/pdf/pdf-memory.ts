import type { PdfFunctions, PdfPointer } from './pdf-functions.ts';

const SCRATCH = 16_384;

/** Passes texts and rectangles out of the engine's memory. One per document; `free` ends it. */
export class PdfMemory {
  readonly #functions: PdfFunctions;
  /** Room for one answer at a time. */
  readonly scratch: PdfPointer;
  readonly #keys = new Map<string, PdfPointer>();

  constructor(functions: PdfFunctions) {
    this.#functions = functions;
    this.scratch = functions._malloc(SCRATCH);
  }

  free(): void {
    this.#functions._free(this.scratch);
    for (const at of this.#keys.values()) this.#functions._free(at);
    this.#keys.clear();
  }

  /** A name as the engine wants it. */
  key(name: string): PdfPointer {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const at = this.#functions._malloc(name.length + 1);
    this.#functions.HEAPU8.set(Buffer.from(`${name}\0`, 'latin1'), at);
    this.#keys.set(name, at);
    return at;
  }

  /** The UTF-16 text that `write` puts into a buffer; it answers with the bytes it would take, the zero included. */
  text(write: (buffer: PdfPointer, size: number) => number): string {
    const size = write(this.scratch, SCRATCH);
    // What does not fit is not written at all; so long a title or note is not one.
    return size <= 2 || size > SCRATCH ? '' : this.utf16(size / 2 - 1);
  }

  /** The one-byte text that `write` puts into a buffer. */
  bytes(write: (buffer: PdfPointer, size: number) => number): string {
    const size = write(this.scratch, SCRATCH);
    if (size <= 1 || size > SCRATCH) return '';
    return this.#slice(size - 1).toString('utf8');
  }

  /** Units that fit. */
  get units(): number {
    return SCRATCH / 2;
  }

  utf16(units: number): string {
    return this.#slice(units * 2).toString('utf16le');
  }

  /** Numbers of a rectangle or a matrix. */
  floats(count: number): Float32Array {
    return new Float32Array(this.#functions.HEAPU8.buffer, this.scratch, count);
  }

  /** The coordinates of a point. */
  doubles(count: number): Float64Array {
    return new Float64Array(this.#functions.HEAPU8.buffer, this.scratch, count);
  }

  u32(offset: number): number {
    return new Uint32Array(this.#functions.HEAPU8.buffer, this.scratch + offset, 1)[0];
  }

  setU32(offset: number, value: number): void {
    new Uint32Array(this.#functions.HEAPU8.buffer, this.scratch + offset, 1)[0] = value;
  }

  #slice(bytes: number): Buffer {
    return Buffer.from(this.#functions.HEAPU8.buffer as ArrayBuffer, this.scratch, bytes);
  }
}
