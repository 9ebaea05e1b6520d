/** The body of a thread that replays changes, job by job. Started by revisit-workers.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import type { RevisitComparison } from '../compare-revisits.ts';
import { type RevisitJob, type RevisitResults, runRevisitJob } from '../revisit-jobs.ts';
import type { ChangeRecord } from './change-record.ts';

export interface ReplayThreadData {
  readonly record: ChangeRecord;
  readonly comparison: Omit<RevisitComparison, 'onDone'>;
}

export type ReplayThreadMessage =
  | { readonly kind: 'told'; readonly what: string }
  | { readonly kind: 'done'; readonly results: RevisitResults };

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The replay thread was started as a program.');
const { record, comparison } = workerData as ReplayThreadData;
const tell = (message: ReplayThreadMessage): void => port.postMessage(message);
port.on('message', (job: RevisitJob) => {
  const results = runRevisitJob(record, job, { ...comparison, onDone: (what) => tell({ kind: 'told', what }) });
  tell({ kind: 'done', results });
});
