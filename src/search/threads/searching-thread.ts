import { Worker } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import type { FromSearchThread, SearchJob, SearchThreadData, SentFault, ToSearchThread } from './thread-messages.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './search-thread.ts' : './search-thread.js', import.meta.url);
/** What a query leaves behind is garbage at once; a larger young generation takes memory and saves no time. */
const YOUNG_MB = 16;

/** A job and where its answer goes; that of a search goes as JSON. */
export interface PendingJob {
  readonly job: SearchJob;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

export interface ThreadReports {
  /** The thread can take a job. */
  free(): void;
  /** It has ended, by itself or by a fault. `opened`: it has been able to answer. */
  ended(fault: OrbweaverError, opened: boolean): void;
}

/** One thread that searches, one job at a time. */
export class SearchingThread {
  readonly #worker: Worker;
  readonly #reports: ThreadReports;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #exited: Promise<void>;
  #opened = false;
  #fault: OrbweaverError | undefined;
  #number = 0;
  #pending: PendingJob | undefined;

  /** `oldMb`: megabytes of objects that the thread may hold; `body`: the module that it runs. */
  constructor(
    { oldMb, ...data }: Omit<SearchThreadData, 'cancelled'> & { readonly oldMb: number },
    reports: ThreadReports,
    body: URL = THREAD,
  ) {
    this.#reports = reports;
    this.#worker = new Worker(body, {
      workerData: { ...data, cancelled: this.#cancelled } satisfies SearchThreadData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: oldMb },
    });
    this.#worker.on('message', (message: FromSearchThread) => this.#take(message));
    this.#worker.on('error', (cause) => {
      this.#fault ??= new OrbweaverError('INTERNAL', `A search thread broke (${cause.message}).`, { cause });
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#end(code);
        resolve();
      });
    });
  }

  get isFree(): boolean {
    return this.#opened && this.#pending === undefined;
  }

  start(pending: PendingJob): void {
    this.#number++;
    this.#pending = pending;
    this.#tell({ number: this.#number, job: pending.job });
  }

  /** Nobody waits for the job any more: the thread gives it up as soon as it looks up from its work. */
  cancel(pending: PendingJob): void {
    if (this.#pending === pending) Atomics.store(this.#cancelled, 0, this.#number);
  }

  /** Ends the thread; the job under way is cancelled. */
  async close(): Promise<void> {
    Atomics.store(this.#cancelled, 0, this.#number);
    this.#tell({ close: true });
    await this.#exited;
  }

  #tell(message: ToSearchThread): void {
    this.#worker.postMessage(message);
  }

  #take(message: FromSearchThread): void {
    if (message.kind === 'unopened') {
      this.#fault = faultOf(message.fault);
      return;
    }
    if (message.kind === 'ready') this.#opened = true;
    else {
      const pending = this.#pending;
      this.#pending = undefined;
      if (message.kind === 'answer') pending?.resolve(message.answer);
      else if (message.kind === 'written') pending?.resolve(message.json);
      else pending?.reject(faultOf(message.fault));
    }
    this.#reports.free();
  }

  #end(code: number): void {
    const fault = this.#fault ?? new OrbweaverError('INTERNAL', `A search thread ended by itself (exit code ${code}).`);
    const pending = this.#pending;
    this.#pending = undefined;
    this.#reports.ended(fault, this.#opened);
    pending?.reject(fault);
  }
}

function faultOf({ code, message, remedy }: SentFault): OrbweaverError {
  return new OrbweaverError(code, message, remedy === undefined ? {} : { remedy });
}
