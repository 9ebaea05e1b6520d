import { Worker } from 'node:worker_threads';
import type { ConversionLimits } from '../contracts/document.ts';
import type { ConversionOrder, ConvertedText } from './conversion-thread.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './conversion-thread.ts' : './conversion-thread.js',
  import.meta.url,
);

/** A reader that looks at the clock by itself has so long to notice; then its thread is ended. */
const GRACE_MS = 2000;
const MEMORY_MB = 512;

/**
 * Converts documents in a thread of its own, one after the other: a PDF takes its time, and pages must not wait for it. The
 * thread starts with the first document. One that does not come back in time, or eats up its memory, takes the thread
 * with it; the next document gets a new one.
 */
export class DocumentConverter implements AsyncDisposable {
  readonly #limits: ConversionLimits;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: ConversionLimits) {
    this.#limits = limits;
  }

  /** Never rejects. */
  convert(bytes: Uint8Array, mediaType: string, url: string): Promise<ConvertedText> {
    const turn = this.#last.then(() => this.#convert({ bytes, mediaType, url, limits: this.#limits }));
    this.#last = turn;
    return turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    this.#thread?.postMessage('close');
    this.#thread = undefined;
  }

  #convert(order: ConversionOrder): Promise<ConvertedText> {
    this.#thread ??= new Worker(THREAD, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
    });
    const thread = this.#thread;
    return new Promise((resolve) => {
      const end = (answer: ConvertedText, keepThread: boolean): void => {
        clearTimeout(timer);
        thread.off('message', answered).off('error', failed).off('exit', ended);
        if (!keepThread) {
          this.#thread = undefined;
          // Errors of a thread that is given up interest nobody.
          thread.on('error', () => {});
          void thread.terminate();
        }
        resolve(answer);
      };
      const answered = (answer: ConvertedText): void => end(answer, true);
      const failed = (error: NodeJS.ErrnoException): void => {
        const full = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const answer = full
          ? unreadable('too-large', `needs more than ${MEMORY_MB} MB`)
          : unreadable('broken', error.message);
        end(answer, false);
      };
      const ended = (): void => end(unreadable('broken', 'its reader ended'), false);
      const timer = setTimeout(
        () => end(unreadable('timeout', `no end after ${this.#limits.maxMs} ms`), false),
        this.#limits.maxMs + GRACE_MS,
      );
      thread.on('message', answered).on('error', failed).on('exit', ended);
      thread.postMessage(order);
    });
  }
}

function unreadable(why: 'timeout' | 'too-large' | 'broken', detail: string): ConvertedText {
  return { kind: 'unreadable', why, detail };
}
