import { Worker } from 'node:worker_threads';
import { type ErrorCode, OrbweaverError } from '../../base/errors.ts';
import { type MeasuredThread, threadUse } from '../../base/thread-use.ts';
import type { IndexWork } from '../../contracts/search-index.ts';
import type { FollowReport } from './follow-crawl.ts';
import type { FollowNotice, FollowOrder, FollowThreadData } from './follow-thread.ts';
import type { HandOverPorts } from './handed/hand-over-ports.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './follow-thread.ts' : './follow-thread.js', import.meta.url);

/** The index being filled beside a crawl. */
export interface Following {
  /** Documents taken into the index so far. */
  readonly documents: number;
  /** What the index has cost so far; undefined before its first step. */
  readonly work: IndexWork | undefined;
  /** What its thread has used; none where it has ended. */
  threads(): Promise<readonly MeasuredThread[]>;
  /**
   * Set when the index can no longer be filled (a full disk, another writer). The crawl goes on without: `orbweaver index` makes
   * up for it.
   */
  readonly fault: OrbweaverError | undefined;
  /**
   * Ends the thread: 'finish' takes everything settled into the index and computes the ranks; 'pause' ends within seconds, since
   * another run goes on from there. Never rejects; `fault` tells.
   */
  stop(how: 'finish' | 'pause'): Promise<void>;
  /** What the end brought; undefined before, and after a fault. */
  readonly report: FollowReport | undefined;
}

export interface FollowingOptions extends Omit<FollowThreadData, 'folder' | 'waiting'> {
  /** From the crawl that is followed. */
  readonly handOver?: HandOverPorts;
}

/** Follows the crawl in the folder in a thread of its own. The folder's state must be there. */
export function startFollowing(folder: string, { handOver, ...how }: FollowingOptions = {}): Following {
  return new FollowingThread({ folder, ...how, ...(handOver && { waiting: handOver.waiting }) }, handOver);
}

class FollowingThread implements Following {
  documents = 0;
  work: IndexWork | undefined;
  fault: OrbweaverError | undefined;
  report: FollowReport | undefined;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  constructor(data: FollowThreadData, handOver: HandOverPorts | undefined) {
    this.#worker = new Worker(THREAD, { workerData: data });
    handOver?.receive((port) => this.#worker.postMessage({ kind: 'listen', port } satisfies FollowOrder, [port]));
    // A crawl that has ended is not kept waiting by whoever forgot to stop this.
    this.#worker.unref();
    this.#ended = new Promise((resolve) => this.#worker.on('exit', () => resolve()));
    this.#worker.on('message', (notice: FollowNotice) => this.#take(notice));
    this.#worker.on('error', (cause) => {
      this.fault ??= new OrbweaverError('INTERNAL', `The index could not be filled (${cause.message}).`, { cause });
    });
  }

  async threads(): Promise<readonly MeasuredThread[]> {
    const used = await threadUse(this.#worker, 'index');
    return used === undefined ? [] : [used];
  }

  async stop(kind: 'finish' | 'pause'): Promise<void> {
    this.#worker.ref();
    this.#worker.postMessage({ kind } satisfies FollowOrder);
    await this.#ended;
  }

  #take(notice: FollowNotice): void {
    if (notice.kind === 'progress') {
      this.documents = notice.documents;
      this.work = notice.work ?? this.work;
    } else if (notice.kind === 'ended') {
      const { kind: _kind, ...report } = notice;
      this.report = report;
      this.documents = report.documents;
      this.work = report;
    } else {
      const { code, message, remedy } = notice;
      this.fault = new OrbweaverError(code as ErrorCode, message, remedy === undefined ? {} : { remedy });
    }
  }
}
