import { Worker } from 'node:worker_threads';
import type { ConverterPlugins, ThreadWork } from './conversion-thread.ts';
import type { ConvertedText } from './convert-to-text.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './conversion-thread.ts' : './conversion-thread.js',
  import.meta.url,
);

const MEMORY_MB = 512;
/** A thread holds 60 MB and starts within half a second: one that nobody has needed for so long is ended. */
const IDLE_MS = 20_000;

/** The thread gave up, or was given up. */
export type Unreadable = Extract<ConvertedText, { kind: 'unreadable' }>;

type Answer<Kind extends keyof ThreadWork> = ThreadWork[Kind]['answer'] | Unreadable;

const BUSY: Unreadable = { kind: 'unreadable', why: 'busy', detail: 'too many documents were waiting' };

/**
 * One thread that reads documents one after the other, in the order in which they come; each host has one at most, so that none
 * gets more than its turn. The thread starts with the first document. One that does not come back in time, or eats up its memory,
 * takes the thread with it, as does a time without documents; the next document gets a new one.
 */
export class ConversionLane implements AsyncDisposable {
  readonly #maxMs: number;
  readonly #graceMs: number;
  readonly #plugins: ConverterPlugins | undefined;
  readonly #idleMs: number;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** A document has `maxMs` from when its turn comes; a reader that looks at the clock by itself has `graceMs` to notice. */
  constructor(maxMs: number, graceMs: number, plugins?: ConverterPlugins, idleMs = IDLE_MS) {
    this.#maxMs = maxMs;
    this.#graceMs = graceMs;
    this.#plugins = plugins;
    this.#idleMs = idleMs;
  }

  /** Whether a thread stands ready. */
  get isOpen(): boolean {
    return this.#thread !== undefined;
  }

  /** Never rejects. Where `isLate` when its turn comes, it is not read. */
  work<Kind extends keyof ThreadWork>(order: ThreadWork[Kind]['order'], isLate: () => boolean): Promise<Answer<Kind>> {
    const turn = this.#last.then(() => (this.#closed || isLate() ? BUSY : this.#convert<Kind>(order)));
    this.#last = turn;
    return turn;
  }

  /** What is being read is given up. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  #open(): Worker {
    const thread = new Worker(THREAD, {
      workerData: this.#plugins,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
    });
    // One that dies between two documents must neither end its maker nor get the next document.
    thread.on('error', () => {});
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }

  #convert<Kind extends keyof ThreadWork>(order: ThreadWork[Kind]['order']): Promise<Answer<Kind>> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#open();
    const thread = this.#thread;
    return new Promise((resolve) => {
      const end = (answer: Answer<Kind>, keepThread: boolean): void => {
        clearTimeout(timer);
        thread.off('message', answered).off('error', failed).off('exit', ended);
        if (!keepThread) void this.#end();
        else this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
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
        () => end(unreadable('timeout', `no end after ${this.#maxMs} ms`), false),
        this.#maxMs + this.#graceMs,
      );
      thread.on('message', answered).on('error', failed).on('exit', ended);
      thread.postMessage(order);
    });
  }
}

function unreadable(why: 'timeout' | 'too-large' | 'broken', detail: string): Unreadable {
  return { kind: 'unreadable', why, detail };
}
