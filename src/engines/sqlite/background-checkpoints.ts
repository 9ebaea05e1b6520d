import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CheckpointReport, CheckpointThreadData } from './checkpoint-thread.ts';
import { AUTOMATIC_CHECKPOINT_PAGES } from './state-database.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './checkpoint-thread.ts' : './checkpoint-thread.js',
  import.meta.url,
);

/** A log longer than this (64 MB) is to start again. */
const LONG_LOG_PAGES = 16_384;

/**
 * Checkpoints in a thread of their own. A checkpoint waits for the disk, tens of milliseconds at a time; in the deciding
 * thread every host that falls due meanwhile would be asked late.
 *
 * The log starts again only when all of it is moved, which a thread beside a busy writer never quite reaches: the writer
 * itself moves the little that is left.
 */
export class BackgroundCheckpoints implements AsyncDisposable {
  readonly #db: DatabaseSync;
  readonly #thread: Worker;
  readonly #ended: Promise<void>;

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#thread = new Worker(THREAD, { workerData: { path } satisfies CheckpointThreadData });
    this.#ended = new Promise((resolve) => this.#thread.once('exit', () => resolve()));
    this.#thread.on('message', ({ logPages }: CheckpointReport) => {
      if (logPages > LONG_LOG_PAGES && this.#db.isOpen) this.#moveRest();
    });
    // Whatever ails it, a full disk say, the writer will meet at its next checkpoint and tell.
    this.#thread.on('error', () => this.#automatic(AUTOMATIC_CHECKPOINT_PAGES));
    this.#automatic(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#automatic(AUTOMATIC_CHECKPOINT_PAGES);
    this.#thread.postMessage('close');
    await this.#ended;
  }

  #moveRest(): void {
    try {
      this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // A full disk, say: the next transaction meets it and tells.
    }
  }

  #automatic(pages: number): void {
    if (this.#db.isOpen) this.#db.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  }
}
