import { Worker } from 'node:worker_threads';
import type { RevisitComparison } from './compare-revisits.ts';
import type { ChangeRecord } from './replay/change-record.ts';
import type { ReplayThreadData, ReplayThreadMessage } from './replay/replay-thread.ts';
import { type RevisitJob, type RevisitResults, runRevisitJob, visitsOf } from './revisit-jobs.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './replay/replay-thread.ts' : './replay/replay-thread.js',
  import.meta.url,
);
/** Fewer visits are replayed before threads have started. */
const WORTH_A_THREAD = 250_000;
/** Every thread has a copy of the record; all together hold no more pages and changes than this. */
const MOST_HELD = 8_000_000;

/** Runs the jobs, on several threads where that is worth it. The measures are the same, and in the order of the jobs. */
export async function runRevisitJobs(
  record: ChangeRecord,
  jobs: readonly RevisitJob[],
  comparison: RevisitComparison,
  threads: number,
): Promise<RevisitResults> {
  const held = record.pages.reduce((sum, { changes }) => sum + 1 + changes.length, 0);
  const visits = visitsOf(record, jobs);
  const useful = Math.min(threads, jobs.length, Math.floor(MOST_HELD / held), Math.ceil(visits / WORTH_A_THREAD));
  const results =
    useful < 2
      ? jobs.map((job) => runRevisitJob(record, job, comparison))
      : await new RevisitWorkers(record, jobs, comparison).run(useful);
  return {
    revisits: results.flatMap(({ revisits }) => revisits),
    goals: results.flatMap(({ goals }) => goals),
  };
}

/** Threads that take the jobs one by one. */
export class RevisitWorkers {
  readonly #data: ReplayThreadData;
  readonly #jobs: readonly RevisitJob[];
  readonly #onDone: ((what: string) => void) | undefined;
  readonly #results: RevisitResults[] = [];
  #next = 0;

  constructor(record: ChangeRecord, jobs: readonly RevisitJob[], { onDone, ...comparison }: RevisitComparison) {
    this.#data = { record, comparison };
    this.#jobs = jobs;
    this.#onDone = onDone;
  }

  async run(threads: number): Promise<RevisitResults[]> {
    const workers = Array.from({ length: threads }, () => new Worker(THREAD, { workerData: this.#data }));
    try {
      await Promise.all(workers.map((worker) => this.#work(worker)));
    } finally {
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
    return this.#results;
  }

  #work(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      let job = -1;
      const giveNext = (): void => {
        job = this.#next++;
        if (job < this.#jobs.length) worker.postMessage(this.#jobs[job]);
        else resolve();
      };
      worker.on('error', reject);
      worker.on('message', (message: ReplayThreadMessage) => {
        if (message.kind === 'told') this.#onDone?.(message.what);
        else {
          this.#results[job] = message.results;
          giveNext();
        }
      });
      giveNext();
    });
  }
}
