import type { Clock } from '../../base/clock.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { ThreadUse } from '../../contracts/events.ts';
import type { BegunClaim, HostPlace } from '../../contracts/frontier.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { VisitSigns } from '../visit/page-request.ts';
import type { FinishedWork, PageWork } from '../visit/page-work.ts';
import { visitPage } from '../visit/pipeline.ts';
import { timerOf } from '../visit/stage-timer.ts';
import { HostGates, type HostGatesParts } from './host-gates.ts';
import { LeaseEnded } from './leased-fetcher.ts';
import type { OpenedPageWorker } from './open-page-worker.ts';

export interface WorkerReports {
  /** Some claims are done. Those of one host, and those in one archive file, come in the order of their archive records. */
  done(finished: readonly FinishedWork[]): void;
  /**
   * The requests of some claims have ended well, and their hosts may be asked for more; told where several may be under way. `begun`: claims that
   * were started ahead and have begun in their place.
   */
  answered(claims: readonly Claim[], begun: readonly BegunClaim[]): void;
  /** Some claims go back: nobody was asked for them. */
  unbegun(claims: readonly Claim[]): void;
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
  /** Claims of `Frontier.claimAhead`: each begins in place of another of its host that is answered well, or when it is granted. */
  startAhead(claims: readonly Claim[]): void;
  /** These of them may begin. */
  grant(claims: readonly Claim[]): void;
  /** Those of them that have not begun go back, every one. */
  recall(): void;
  /** Claims that were done with `holdsHost` are settled. */
  settled(claims: readonly Claim[]): void;
  /** Finds the addresses of hosts that will be asked soon, and reports each. */
  lookUp(hosts: readonly HostKey[]): void;
}

export interface InlineOptions extends Pick<HostGatesParts, 'atOnce' | 'longestRequestMs'> {
  /** Share of the visits whose stages are timed. */
  readonly traced?: number;
  readonly clock: Clock;
}

/** One worker, in the conductor's own thread. */
export class InlineWorkers implements WorkerPool {
  readonly #opened: OpenedPageWorker;
  readonly #reports: WorkerReports;
  readonly #traced: number;
  readonly #gates: HostGates;

  constructor(open: (signs: VisitSigns) => OpenedPageWorker, reports: WorkerReports, options: InlineOptions) {
    const { traced = 0, clock, ...gates } = options;
    this.#gates = new HostGates({
      ...gates,
      now: () => clock.now(),
      begin: (claim) => this.#begin(claim),
      answered: (claim, next) => reports.answered([claim], next === undefined ? [] : [next]),
      unbegun: (claims) => reports.unbegun(claims),
    });
    this.#opened = open({
      onAnswered: (claim) => this.#gates.answered(claim),
      onUncertain: (claim) => this.#gates.close(claim),
    });
    this.#reports = reports;
    this.#traced = traced;
  }

  start(claims: readonly Claim[]): void {
    this.#gates.start(claims);
  }

  startAhead(claims: readonly Claim[]): void {
    this.#gates.startAhead(claims);
  }

  grant(claims: readonly Claim[]): void {
    this.#gates.grant(claims.map(({ id }) => id));
  }

  recall(): void {
    this.#gates.recall();
  }

  settled(claims: readonly Claim[]): void {
    this.#gates.settled(claims);
  }

  #begin(claim: Claim): void {
    const timer = timerOf(claim.id, this.#traced);
    const done = (work: PageWork): void => {
      const holds = this.#gates.ended(claim, work);
      this.#reports.done([{ claim, work, ...(timer && { stages: timer.times }), ...(holds && { holdsHost: true }) }]);
    };
    visitPage(claim, this.#opened.stages, timer).then(done, (error: unknown) => {
      if (error instanceof LeaseEnded) done(error.work);
      else this.#reports.fault(error);
    });
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
