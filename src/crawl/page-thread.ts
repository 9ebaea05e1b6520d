/** The body of a page thread: takes claims, does the work, reports in batches. Started by crawl/thread-crew.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../base/errors.ts';
import type { Settings } from '../base/settings/schema.ts';
import { SqlitePageStore } from '../engines/sqlite/sqlite-page-store.ts';
import { openStateForReading } from '../engines/sqlite/state-database.ts';
import { openPageWorker } from './open-page-worker.ts';
import { type DoneWork, encodeWorks, type FromThread, type ToThread } from './thread-messages.ts';

export interface ThreadData {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly writerId: string;
}

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'A page thread was started as a program.');
const data = workerData as ThreadData;
// What is settled is read through a connection of its own: readers and the conductor do not wait for each other.
const db = openStateForReading(data.folder);
const opened = openPageWorker({ ...data, pages: new SqlitePageStore(db) });

let finished: DoneWork[] = [];

/** Results of one turn of the event loop go out together. */
function report(work: DoneWork): void {
  if (finished.push(work) === 1) setImmediate(flush);
}

function flush(): void {
  const batch = finished;
  finished = [];
  send({ kind: 'done', ...encodeWorks(batch) });
}

function send(message: FromThread): void {
  port?.postMessage(message);
}

function fault(error: unknown): void {
  const known = error instanceof OrbweaverError;
  send({
    kind: 'fault',
    code: known ? error.code : 'INTERNAL',
    message: known ? error.message : String(error instanceof Error ? error.stack : error),
    ...(known && error.remedy !== undefined ? { remedy: error.remedy } : {}),
  });
}

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'start':
      for (const claim of message.claims) {
        opened.worker.work(claim).then((work) => report({ id: claim.id, work }), fault);
      }
      return;
    case 'prefetch':
      opened.prefetch(message.hosts);
      return;
    case 'close':
      void close();
  }
});

async function close(): Promise<void> {
  try {
    await opened[Symbol.asyncDispose]();
    db.close();
    send({ kind: 'closed' });
  } catch (error) {
    fault(error);
  } finally {
    port?.close();
  }
}
