import { Worker } from 'node:worker_threads';
import type { Conversion, ConversionLimits } from '../../../contracts/content/document.ts';
import type { PdfOrder } from './pdf-thread.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './pdf-thread.ts' : './pdf-thread.js', import.meta.url);

/** What the thread gets beyond the limit: it starts, loads the engine, and ends by itself between two pages. */
const GRACE_MS = 2_000;
/** Besides the memory of the engine, which has its own limit. */
const HEAP_MB = 256;

/**
 * Reads PDFs in a thread of its own, which is started when the first one comes and kept for the next.
 * Invariant: every conversion ends. A page that takes forever ends with its thread; the next document gets a new one.
 */
export class PdfWorker implements AsyncDisposable {
  readonly #graceMs: number;
  #thread: Worker | undefined;
  /** The document before: they are read one at a time. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(graceMs = GRACE_MS) {
    this.#graceMs = graceMs;
  }

  convert(bytes: Uint8Array, limits: ConversionLimits): Promise<Conversion> {
    const conversion = this.#before.then(() => this.#convert(bytes, limits));
    this.#before = conversion;
    return conversion;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#before;
    await this.#thread?.terminate();
    this.#thread = undefined;
  }

  #convert(bytes: Uint8Array, limits: ConversionLimits): Promise<Conversion> {
    const thread = this.#thread ?? this.#start();
    return new Promise((resolve) => {
      const end = (conversion: Conversion, isSound: boolean): void => {
        clearTimeout(timer);
        thread.off('message', answered).off('error', failed).off('exit', exited);
        // An idle thread keeps no process alive.
        thread.unref();
        if (!isSound) {
          this.#thread = undefined;
          thread.on('error', () => {});
          void thread.terminate();
        }
        resolve(conversion);
      };
      const answered = (conversion: Conversion): void => end(conversion, true);
      const failed = (error: Error & { code?: string }): void => {
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        end({ kind: 'unreadable', why: isMemory ? 'too-large' : 'broken', detail: 'the PDF thread failed' }, false);
      };
      const exited = (): void => end({ kind: 'unreadable', why: 'broken', detail: 'the PDF thread ended' }, false);
      const timer = setTimeout(
        () => end({ kind: 'unreadable', why: 'timeout', detail: `not read within ${limits.maxMs} ms` }, false),
        limits.maxMs + this.#graceMs,
      );
      thread.ref();
      thread.on('message', answered).on('error', failed).on('exit', exited);
      // A copy of its own: the bytes may be a small part of a large buffer, which would go along.
      const copy = new Uint8Array(bytes);
      thread.postMessage({ bytes: copy, limits } satisfies PdfOrder, [copy.buffer]);
    });
  }

  #start(): Worker {
    this.#thread = new Worker(THREAD, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      stdout: true,
      stderr: true,
    });
    return this.#thread;
  }
}
