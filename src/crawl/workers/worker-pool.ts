import type { Claim } from '../../contracts/crawl-task.ts';
import type { ThreadUse } from '../../contracts/events.ts';
import type { HostPlace } from '../../contracts/frontier.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { VisitSigns } from '../visit/page-request.ts';
import type { FinishedWork } from '../visit/page-work.ts';
import { visitPage } from '../visit/pipeline.ts';
import { timerOf } from '../visit/stage-timer.ts';
import { LeaseEnded } from './leased-fetcher.ts';
import type { OpenedPageWorker } from './open-page-worker.ts';

export interface WorkerReports {
  /** Some claims are done. Those of one host, and those in one archive file, come in the order of their archive records. */
  done(finished: readonly FinishedWork[]): void;
  /** The requests of some claims have ended well, and their hosts may be asked for more; told where several may be under way. */
  answered(claims: readonly Claim[]): void;
  /** Names that were looked up. */
  placed(places: readonly HostPlace[]): void;
  /** A worker had to be replaced; the crawl goes on. Told in words. */
  replaced(message: string): void;
  /** A fault of ours or of the disk: the crawl must end. */
  fault(error: unknown): void;
}

/** Those who fetch, read and archive pages: hops 5 to 8. */
export interface WorkerPool extends AsyncDisposable {
  /** What its threads have used; none where it has no thread of its own. */
  usage?(): Promise<readonly ThreadUse[]>;
  start(claims: readonly Claim[]): void;
  /** Finds the addresses of hosts that will be asked soon, and reports each. */
  lookUp(hosts: readonly HostKey[]): void;
}

/** One worker, in the conductor's own thread. */
export class InlineWorkers implements WorkerPool {
  readonly #opened: OpenedPageWorker;
  readonly #reports: WorkerReports;
  readonly #traced: number;

  /** `traced`: share of the visits whose stages are timed. */
  constructor(open: (signs: VisitSigns) => OpenedPageWorker, reports: WorkerReports, traced = 0) {
    this.#opened = open({ onAnswered: (claim) => reports.answered([claim]) });
    this.#reports = reports;
    this.#traced = traced;
  }

  start(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const timer = timerOf(claim.id, this.#traced);
      visitPage(claim, this.#opened.stages, timer).then(
        (work) => this.#reports.done([{ claim, work, ...(timer && { stages: timer.times }) }]),
        (error: unknown) => {
          if (error instanceof LeaseEnded) this.#reports.done([{ claim, work: error.work }]);
          else this.#reports.fault(error);
        },
      );
    }
  }

  lookUp(hosts: readonly HostKey[]): void {
    for (const host of hosts) {
      this.#opened.addressOf(host).then((address) => this.#reports.placed([{ host, address }]));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
  }
}
