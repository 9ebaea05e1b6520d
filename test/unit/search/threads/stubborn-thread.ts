/** A search thread that does what real ones must not: dies, breaks, or works until it is told to stop. */
import { parentPort, workerData } from 'node:worker_threads';
import type {
  FromSearchThread,
  SearchThreadData,
  ToSearchThread,
} from '../../../../src/search/threads/thread-messages.ts';

const { cancelled } = workerData as SearchThreadData;
const tell = (message: FromSearchThread): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToSearchThread) => {
  if (!('job' in message)) {
    parentPort?.close();
    return;
  }
  const { job, number } = message;
  if (job.kind === 'complete') tell({ kind: 'answer', number, answer: [job.typed] });
  if (job.kind !== 'search') return;
  if (job.request.query === 'die') process.exit(9);
  if (job.request.query === 'throw') throw new Error('out of order');
  while (Atomics.load(cancelled, 0) !== number) Atomics.wait(cancelled, 0, Atomics.load(cancelled, 0), 5);
  tell({ kind: 'fault', number, fault: { code: 'INTERNAL', message: 'cancelled' } });
});
tell({ kind: 'ready' });
