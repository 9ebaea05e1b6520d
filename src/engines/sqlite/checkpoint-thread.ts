/** The body of the checkpoint thread: moves settled pages from the log into the database. Started by background-checkpoints.ts. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';

export interface CheckpointThreadData {
  readonly path: string;
}

/** How long the log is, in pages. Told after each checkpoint. */
export interface CheckpointReport {
  readonly logPages: number;
}

/** Long enough that pages written again and again are moved once, short enough that the log stays in the machine's memory. */
const PAUSE_MS = 500;

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The checkpoint thread was started as a program.');
const db = new DatabaseSync((workerData as CheckpointThreadData).path);
db.exec('PRAGMA busy_timeout = 5000');
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const timer = setInterval(() => {
  const { log } = checkpoint.get() as { log: number };
  port.postMessage({ logPages: log } satisfies CheckpointReport);
}, PAUSE_MS);
port.once('message', () => {
  clearInterval(timer);
  db.close();
  port.close();
});
