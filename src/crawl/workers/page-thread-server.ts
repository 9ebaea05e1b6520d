import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { SteadyClock } from '../../base/steady-clock.ts';
import { TurnBatch } from '../../base/turn-batch.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { BegunClaim, HostPlace } from '../../contracts/frontier.ts';
import type { HandOverEnd } from '../../contracts/handed-visit.ts';
import type { HostKey } from '../../contracts/url.ts';
import { knownStorageError } from '../../engines/storage-error.ts';
import { gateOptionsOf, tracedShare } from '../settings-to-parts.ts';
import type { VisitSigns } from '../visit/page-request.ts';
import type { PageWork } from '../visit/page-work.ts';
import { type StageTimer, timerOf } from '../visit/stage-timer.ts';
import { HostGates } from './host-gates.ts';
import type { PageWorkerOptions } from './open-page-worker.ts';
import {
  type BegunId,
  type DoneWork,
  decodeClaims,
  encodeWorks,
  type FromThread,
  type ToThread,
} from './thread-messages.ts';
import { ThreadPulse } from './thread-pulse.ts';

export interface ThreadData
  extends Pick<PageWorkerOptions, 'folder' | 'settings' | 'version' | 'writerId' | 'workers' | 'ruleSets'> {
  readonly pulse: SharedArrayBuffer;
  /** The time of the run, which all its threads share. */
  readonly clock?: SharedArrayBuffer;
  /** Absent where no index is filled beside the crawl. */
  readonly handOver?: HandOverEnd;
  /** To those who show pages in a browser; absent where none is shown. */
  readonly renderPort?: MessagePort;
}

/** Who does the work inside a page thread. */
export interface ThreadWorker extends AsyncDisposable {
  /** `timer`: of a visit that is traced. */
  readonly worker: { work(claim: Claim, timer?: StageTimer): Promise<PageWork> };
  addressOf(host: HostKey): Promise<string>;
}

export type OpenThreadWorker = (data: ThreadData, signs: VisitSigns, clock: Clock) => ThreadWorker;

const BEAT_MS = 200;

/** Takes claims, does the work, reports in batches. */
export class PageThread {
  readonly #port: MessagePort;
  readonly #folder: string;
  /** Share of the visits. */
  readonly #traced: number;
  readonly #opened: ThreadWorker;
  readonly #pulse: ThreadPulse;
  readonly #beating: NodeJS.Timeout;
  readonly #done = new TurnBatch<DoneWork>((done) => this.#send({ kind: 'done', ...encodeWorks(done) }));
  readonly #gates: HostGates;
  #answered: number[] = [];
  #begun: BegunId[] = [];
  #unbegun: number[] = [];
  #places: HostPlace[] = [];

  constructor(port: MessagePort, data: ThreadData, open: OpenThreadWorker) {
    this.#port = port;
    this.#folder = data.folder;
    this.#traced = tracedShare(data.settings);
    this.#pulse = new ThreadPulse(data.pulse);
    const clock = new SteadyClock({}, data.clock);
    this.#gates = new HostGates({
      ...gateOptionsOf(data.settings, data.renderPort !== undefined),
      now: () => clock.now(),
      begin: (claim) => this.#begin(claim),
      answered: ({ id }, next) => this.#answer(id, next),
      unbegun: (claims) => this.#giveBack(claims),
    });
    const signs: VisitSigns = {
      onAnswered: (claim) => this.#gates.answered(claim),
      onUncertain: (claim) => this.#gates.close(claim),
      onRead: ({ id }) => this.#pulse.begin(id),
    };
    this.#opened = open(data, signs, clock);
    this.#pulse.beat();
    this.#beating = setInterval(() => this.#pulse.beat(), BEAT_MS);
    port.on('message', (message: ToThread) => this.#handle(message));
  }

  #handle(message: ToThread): void {
    switch (message.kind) {
      case 'start':
        this.#gates.start(decodeClaims(message.claims));
        return;
      case 'start-ahead':
        this.#gates.startAhead(decodeClaims(message.claims));
        return;
      case 'grant':
        this.#gates.grant(message.ids);
        return;
      case 'recall':
        this.#gates.recall();
        return;
      case 'settled':
        this.#gates.settled(message.claims);
        return;
      case 'look-up':
        for (const host of message.hosts) {
          this.#opened.addressOf(host).then((address) => this.#place({ host, address }));
        }
        return;
      case 'close':
        void this.#close();
    }
  }

  #begin(claim: Claim): void {
    const { id } = claim;
    const timer = timerOf(id, this.#traced);
    this.#opened.worker
      .work(claim, timer)
      .finally(() => this.#pulse.end(id))
      .then(
        (work) => {
          const holds = this.#gates.ended(claim, work);
          this.#done.add({ id, work, ...(timer && { stages: timer.times }), ...(holds && { holdsHost: true }) });
        },
        (error: unknown) => this.#fault(error),
      );
  }

  #answer(id: number, next: BegunClaim | undefined): void {
    if (next !== undefined) this.#begun.push({ id: next.claim.id, at: next.at });
    if (this.#answered.push(id) > 1) return;
    setImmediate(() => {
      this.#send({ kind: 'answered', ids: this.#answered, begun: this.#begun });
      this.#answered = [];
      this.#begun = [];
    });
  }

  #giveBack(claims: readonly Claim[]): void {
    const ids = claims.map(({ id }) => id);
    if (this.#unbegun.push(...ids) > ids.length) return;
    setImmediate(() => {
      this.#send({ kind: 'unbegun', ids: this.#unbegun });
      this.#unbegun = [];
    });
  }

  #place(place: HostPlace): void {
    if (this.#places.push(place) > 1) return;
    setImmediate(() => {
      this.#send({ kind: 'placed', places: this.#places });
      this.#places = [];
    });
  }

  #fault(error: unknown): void {
    const known = knownStorageError(error, this.#folder);
    this.#send({
      kind: 'fault',
      code: known?.code ?? 'INTERNAL',
      message: known?.message ?? String(error instanceof Error ? error.stack : error),
      ...(known?.remedy === undefined ? {} : { remedy: known.remedy }),
    });
  }

  async #close(): Promise<void> {
    try {
      await this.#opened[Symbol.asyncDispose]();
    } catch (error) {
      this.#fault(error);
    } finally {
      clearInterval(this.#beating);
      this.#done.flush();
      this.#port.close();
    }
  }

  #send(message: FromThread): void {
    this.#port.postMessage(message);
  }
}
