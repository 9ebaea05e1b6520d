import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../base/clock.ts';
import type { ConversionLimits } from '../contracts/document.ts';
import type { ThreadWork } from './conversion-thread.ts';
import type { ConvertedText } from './convert-to-text.ts';
import type { ReadList } from './list-reader.ts';
import type { ReadPage } from './page-reader.ts';
import type { Understood } from './understood.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './conversion-thread.ts' : './conversion-thread.js',
  import.meta.url,
);

/** A reader that looks at the clock by itself has so long to notice; then its thread is ended. */
const GRACE_MS = 2000;
const MEMORY_MB = 512;
/** Documents that wait hold their bytes. */
const MOST_WAITING_BYTES = 256 * 2 ** 20;

/** The thread gave up, or was given up. */
export type Unreadable = Extract<ConvertedText, { kind: 'unreadable' }>;

const BUSY: Unreadable = { kind: 'unreadable', why: 'timeout', detail: 'too many documents were waiting' };

/**
 * Converts documents in a thread of its own, one after the other: a PDF or a monstrous page takes its time, and other pages
 * must not wait for it. The thread starts with the first document. One that does not come back in time, or eats up its memory, takes the thread
 * with it; the next document gets a new one.
 */
export class DocumentConverter implements AsyncDisposable {
  readonly #limits: ConversionLimits;
  readonly #clock: Pick<Clock, 'now'>;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waitingBytes = 0;
  #closed = false;

  constructor(limits: ConversionLimits, clock: Pick<Clock, 'now'> = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Never rejects. A document whose turn comes after `startBy` is not read any more: its lease would run out, and it would be
   * fetched and converted again without end.
   */
  convert(bytes: Uint8Array, mediaType: string, url: string, startBy: number): Promise<ConvertedText> {
    return this.#inTurn<'text'>(
      { kind: 'text', bytes, mediaType, url, limits: this.#limits },
      bytes.byteLength,
      startBy,
    );
  }

  /** A page with its links; the same promises. */
  read(page: Omit<ThreadWork['read']['order'], 'kind'>, startBy: number): Promise<ReadPage | Unreadable> {
    return this.#inTurn<'read'>({ kind: 'read', ...page }, page.body.byteLength, startBy);
  }

  /** What a page of HTML says; the same promises. */
  describe(page: Omit<ThreadWork['page']['order'], 'kind'>, startBy: number): Promise<Understood | Unreadable> {
    return this.#inTurn<'page'>({ kind: 'page', ...page }, page.source.length, startBy);
  }

  /** What a sitemap or feed lists; the same promises. */
  list(
    document: Omit<ThreadWork['list']['order'], 'kind'>,
    startBy: number,
  ): Promise<ReadList | Unreadable | undefined> {
    return this.#inTurn<'list'>({ kind: 'list', ...document }, document.bytes.byteLength, startBy);
  }

  /** How long one conversion may take at most. */
  get longestMs(): number {
    return this.#limits.maxMs + GRACE_MS;
  }

  /** What is being read is given up. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#thread?.terminate();
    this.#thread = undefined;
  }

  #inTurn<Kind extends keyof ThreadWork>(
    order: ThreadWork[Kind]['order'],
    size: number,
    startBy: number,
  ): Promise<ThreadWork[Kind]['answer'] | Unreadable> {
    if (this.#waitingBytes + size > MOST_WAITING_BYTES) return Promise.resolve(BUSY);
    this.#waitingBytes += size;
    const turn = this.#last.then(() => {
      this.#waitingBytes -= size;
      return this.#closed || this.#clock.now() > startBy ? BUSY : this.#work<Kind>(order);
    });
    this.#last = turn;
    return turn;
  }

  #open(): Worker {
    const thread = new Worker(THREAD, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
    });
    // One that dies between two documents must neither end its maker nor get the next document.
    thread.on('error', () => {});
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }

  #work<Kind extends keyof ThreadWork>(
    order: ThreadWork[Kind]['order'],
  ): Promise<ThreadWork[Kind]['answer'] | Unreadable> {
    this.#thread ??= this.#open();
    const thread = this.#thread;
    return new Promise((resolve) => {
      const end = (answer: ThreadWork[Kind]['answer'] | Unreadable, keepThread: boolean): void => {
        clearTimeout(timer);
        thread.off('message', answered).off('error', failed).off('exit', ended);
        if (!keepThread) {
          this.#thread = undefined;
          void thread.terminate();
        }
        resolve(answer);
      };
      const answered = (answer: ThreadWork[Kind]['answer']): void => end(answer, true);
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

function unreadable(why: 'timeout' | 'too-large' | 'broken', detail: string): Unreadable {
  return { kind: 'unreadable', why, detail };
}
