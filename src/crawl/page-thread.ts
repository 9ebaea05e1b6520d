/** The body of a page thread: takes claims, does the work, reports in batches. Started by crawl/thread-crew.ts. */
import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../base/errors.ts';
import type { Settings } from '../base/settings/schema.ts';
import { SteadyClock } from '../base/steady-clock.ts';
import type { HostPlace } from '../contracts/frontier.ts';
import { SqlitePageStore } from '../engines/sqlite/sqlite-page-store.ts';
import { openStateForReading } from '../engines/sqlite/state-database.ts';
import { type OpenedPageWorker, openPageWorker } from './open-page-worker.ts';
import { type DoneWork, decodeClaims, encodeWorks, type FromThread, type ToThread } from './thread-messages.ts';

export interface ThreadData {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly writerId: string;
  /** The time of the run, which all its threads share. */
  readonly clock?: SharedArrayBuffer;
}

class PageThread {
  readonly #port: MessagePort;
  /** What is settled is read through a connection of its own: readers and the conductor do not wait for each other. */
  readonly #db: DatabaseSync;
  readonly #opened: OpenedPageWorker;
  #done: DoneWork[] = [];
  #places: HostPlace[] = [];

  constructor(port: MessagePort, data: ThreadData) {
    this.#port = port;
    this.#db = openStateForReading(data.folder);
    const clock = new SteadyClock({}, data.clock);
    this.#opened = openPageWorker({ ...data, clock, pages: new SqlitePageStore(this.#db) });
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
    const known = error instanceof OrbweaverError;
    this.#send({
      kind: 'fault',
      code: known ? error.code : 'INTERNAL',
      message: known ? error.message : String(error instanceof Error ? error.stack : error),
      ...(known && error.remedy !== undefined ? { remedy: error.remedy } : {}),
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
