import type { PdfFunctions } from './pdf-functions.ts';

/** What the engine may take for a document, its pages and its fonts. */
const MAX_MEMORY = 256 * 1024 * 1024;
/** An engine that has grown larger is given up after the document, for its memory never shrinks. */
const KEPT_MEMORY = 128 * 1024 * 1024;
const MEMORY_PAGE = 65_536;

/** The PDF engine (WebAssembly), loaded on first use and reused. Invariant: one that has trapped is never used again. */
export class PdfEngine {
  readonly #maxMemory: number;
  #loading: Promise<PdfFunctions> | undefined;
  #wasDenied = false;

  constructor(maxMemory = MAX_MEMORY) {
    this.#maxMemory = maxMemory;
  }

  functions(): Promise<PdfFunctions> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** It asked for more memory than it may have, since it was loaded. */
  get ranOutOfMemory(): boolean {
    return this.#wasDenied;
  }

  /** After each document; `isSound` tells whether the engine came through it. */
  release(functions: PdfFunctions, isSound: boolean): void {
    if (isSound && !this.#wasDenied && functions.HEAPU8.length <= KEPT_MEMORY) return;
    this.#loading = undefined;
    this.#wasDenied = false;
  }

  async #load(): Promise<PdfFunctions> {
    const { PDFiumModule } = await import('@hyzyla/pdfium');
    const silent = { print: () => {}, printErr: () => {} };
    const load = PDFiumModule as unknown as (options: object) => Promise<PdfFunctions>;
    const functions = await load(silent);
    const { memory } = functions.wasmExports;
    const grow = memory.grow.bind(memory);
    // The engine asks for more memory here, and takes an exception for a no.
    memory.grow = (pages: number) => {
      if (memory.buffer.byteLength + pages * MEMORY_PAGE <= this.#maxMemory) return grow(pages);
      this.#wasDenied = true;
      throw new RangeError('memory limit');
    };
    functions._FPDF_InitLibraryWithConfig(0);
    return functions;
  }
}
