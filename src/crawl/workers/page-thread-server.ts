import type { MessagePort } from 'node:worker_threads';
import { TurnBatch } from '../../base/turn-batch.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { HostPlace } from '../../contracts/frontier.ts';
import type { HandOverEnd } from '../../contracts/handed-visit.ts';
import type { HostKey } from '../../contracts/url.ts';
import { knownStorageError } from '../../engines/storage-error.ts';
import { tracedShare } from '../settings-to-parts.ts';
import type { VisitSigns } from '../visit/page-request.ts';
import type { PageWork } from '../visit/page-work.ts';
import { type StageTimer, timerOf } from '../visit/stage-timer.ts';
import type { PageWorkerOptions } from './open-page-worker.ts';
import { type DoneWork, decodeClaims, encodeWorks, type FromThread, type ToThread } from './thread-messages.ts';
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

export type OpenThreadWorker = (data: ThreadData, signs: VisitSigns) => ThreadWorker;

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
  #answered: number[] = [];
  #places: HostPlace[] = [];

  constructor(port: MessagePort, data: ThreadData, open: OpenThreadWorker) {
    this.#port = port;
    this.#folder = data.folder;
    this.#traced = tracedShare(data.settings);
    this.#pulse = new ThreadPulse(data.pulse);
    this.#opened = open(data, {
      onAnswered: ({ id }) => this.#answer(id),
      onRead: ({ id }) => this.#pulse.begin(id),
    });
    this.#pulse.beat();
    this.#beating = setInterval(() => this.#pulse.beat(), BEAT_MS);
    port.on('message', (message: ToThread) => this.#handle(message));
  }

  #handle(message: ToThread): void {
    switch (message.kind) {
      case 'start':
        for (const claim of decodeClaims(message.claims)) {
          const timer = timerOf(claim.id, this.#traced);
          this.#opened.worker
            .work(claim, timer)
            .finally(() => this.#pulse.end(claim.id))
            .then(
              (work) => this.#done.add({ id: claim.id, work, ...(timer && { stages: timer.times }) }),
              (error: unknown) => this.#fault(error),
            );
        }
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

  #answer(id: number): void {
    if (this.#answered.push(id) > 1) return;
    setImmediate(() => {
      this.#send({ kind: 'answered', ids: this.#answered });
      this.#answered = [];
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
