/** The body of a page thread: takes claims, does the work, reports in batches. Started by crawl/thread-crew.ts. */
import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../base/errors.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { HostPlace } from '../contracts/frontier.ts';
import { SqlitePageStore } from '../engines/sqlite/sqlite-page-store.ts';
import { openStateForReading } from '../engines/sqlite/state-database.ts';
import { knownStorageError } from '../engines/sqlite/storage-error.ts';
import { type OpenedPageWorker, openPageWorker } from './open-page-worker.ts';
import { type DoneWork, decodeClaims, encodeWorks, type FromThread, type ToThread } from './thread-messages.ts';

export interface ThreadData {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly writerId: string;
}

class PageThread {
  readonly #port: MessagePort;
  readonly #folder: string;
  /** What is settled is read through a connection of its own: readers and the conductor do not wait for each other. */
  readonly #db: DatabaseSync;
  readonly #opened: OpenedPageWorker;
  #done: DoneWork[] = [];
  #places: HostPlace[] = [];

  constructor(port: MessagePort, data: ThreadData) {
    this.#port = port;
    this.#folder = data.folder;
    this.#db = openStateForReading(data.folder);
    this.#opened = openPageWorker({ ...data, pages: new SqlitePageStore(this.#db) });
    port.on('message', (message: ToThread) => this.#hear(message));
  }

  #hear(message: ToThread): void {
    switch (message.kind) {
      case 'start':
        for (const claim of decodeClaims(message.claims)) {
          this.#opened.worker.work(claim).then(
            (work) => this.#report({ id: claim.id, work }),
            (error: unknown) => this.#fault(error),
          );
        }
        return;
      case 'look-up':
        for (const host of message.hosts) {
          this.#opened.addressOf(host).then((address) => this.#place({ host, address }));
        }
        return;
      case 'close':
        void this.#close();
    }
  }

  /** Results of one turn of the event loop go out together. */
  #report(work: DoneWork): void {
    if (this.#done.push(work) > 1) return;
    setImmediate(() => {
      this.#send({ kind: 'done', ...encodeWorks(this.#done) });
      this.#done = [];
    });
  }

  #place(place: HostPlace): void {
    if (this.#places.push(place) > 1) return;
    setImmediate(() => {
      this.#send({ kind: 'placed', places: this.#places });
      this.#places = [];
    });
  }

  #fault(error: unknown): void {
    const known = knownStorageError(error, this.#folder);
    this.#send({
      kind: 'fault',
      code: known?.code ?? 'INTERNAL',
      message: known?.message ?? String(error instanceof Error ? error.stack : error),
      ...(known?.remedy === undefined ? {} : { remedy: known.remedy }),
    });
  }

  async #close(): Promise<void> {
    try {
      await this.#opened[Symbol.asyncDispose]();
      this.#db.close();
    } catch (error) {
      this.#fault(error);
    } finally {
      this.#port.close();
    }
  }

  #send(message: FromThread): void {
    this.#port.postMessage(message);
  }
}

if (parentPort === null) throw new OrbweaverError('INTERNAL', 'A page thread was started as a program.');
new PageThread(parentPort, workerData as ThreadData);
