import type { Claim } from '../contracts/crawl-task.ts';
import type { HostKey } from '../contracts/url.ts';
import type { OpenedPageWorker } from './open-page-worker.ts';
import type { PageWork } from './page-work.ts';

/** A claim that is done. */
export interface FinishedWork {
  readonly claim: Claim;
  readonly work: PageWork;
}

export interface CrewReports {
  /** Some claims are done. Those of one host, and those in one archive file, come in the order of their archive records. */
  done(finished: readonly FinishedWork[]): void;
  /** A fault of ours or of the disk: the crawl must end. */
  fault(error: unknown): void;
}

/** Those who fetch, read and archive pages: hops 5 to 8. */
export interface PageCrew extends AsyncDisposable {
  start(claims: readonly Claim[]): void;
  /** Names that will be asked soon. */
  prefetch(hosts: readonly HostKey[]): void;
}

/** The crew of one, in the conductor's own thread. */
export class InlineCrew implements PageCrew {
  readonly #opened: OpenedPageWorker;
  readonly #reports: CrewReports;

  constructor(opened: OpenedPageWorker, reports: CrewReports) {
    this.#opened = opened;
    this.#reports = reports;
  }

  start(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.#opened.worker.work(claim).then(
        (work) => this.#reports.done([{ claim, work }]),
        (error: unknown) => this.#reports.fault(error),
      );
    }
  }

  prefetch(hosts: readonly HostKey[]): void {
    this.#opened.prefetch(hosts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
  }
}
