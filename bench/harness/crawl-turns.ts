import { setTimeout } from 'node:timers/promises';
import { usedTicks } from './machine-use.ts';
import { kernelSeconds } from './process-seconds.ts';

/** Shorter than the time after which a database ends the transaction of a client that says nothing. */
const TURN_MS = 8_000;
/** Between two looks whether one has ended within its turn. */
const LOOK_EVERY_MS = 100;

/** What the machine and this process have used in the turns of a crawl so far. */
export interface TurnUse {
  readonly wallSeconds: number;
  /** Of this process: the servers of a web. */
  readonly ownSeconds: number;
  readonly kernelSeconds: number;
  /** Of the whole machine. */
  readonly busy: number;
  readonly stolen: number;
}

const NOTHING: TurnUse = { wallSeconds: 0, ownSeconds: 0, kernelSeconds: 0, busy: 0, stolen: 0 };

/**
 * Crawls that take turns: while one goes on, the processes of the others are stopped. A machine that others share changes its speed within
 * minutes, by a third and more; so all of them meet the same. Whichever is behind goes next, so that they end at about the same time.
 */
export class CrawlTurns {
  readonly #turns: CrawlTurn[];
  readonly #turnMs: number;
  #ready = 0;
  readonly #over = Promise.withResolvers<void>();

  constructor(crawls: number, turnMs = TURN_MS) {
    this.#turnMs = turnMs;
    this.#turns = Array.from({ length: crawls }, () => new CrawlTurn(() => this.#isReady(), this.#over.promise));
  }

  get all(): readonly CrawlTurn[] {
    return this.#turns;
  }

  #isReady(): void {
    if (++this.#ready === this.#turns.length) this.#run().then(this.#over.resolve, this.#over.reject);
  }

  async #run(): Promise<void> {
    // What is stopped would stay for ever.
    const wake = (): void => {
      for (const turn of this.#turns) turn.wake();
      process.exit(130);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, wake);
    try {
      await this.#takeTurns();
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, wake);
    }
  }

  async #takeTurns(): Promise<void> {
    for (;;) {
      const left = this.#turns.filter(({ hasEnded }) => !hasEnded);
      if (left.length === 0) return;
      const next = left.reduce((a, b) => (b.share < a.share ? b : a));
      next.go();
      const until = performance.now() + this.#turnMs;
      while (!next.hasEnded && (performance.now() < until || left.length === 1)) await setTimeout(LOOK_EVERY_MS);
      next.stop();
    }
  }
}

/** The time of one crawl: it passes while it is its turn. */
export class CrawlTurn {
  /** All have ended: whatever takes time may be done. */
  readonly othersEnded: Promise<void>;
  readonly #onReady: () => void;
  readonly #begun = Promise.withResolvers<void>();
  #pids: readonly number[] = [];
  #share: () => number = () => 0;
  #hasEnded = false;
  #before = NOTHING;
  /** While it is its turn: what had been used when it began, by the clocks of the machine and of this process. */
  #since: TurnUse | undefined;
  readonly #spans: { readonly from: number; to: number; readonly before: number }[] = [];

  constructor(onReady: () => void, othersEnded: Promise<void>) {
    this.#onReady = onReady;
    this.othersEnded = othersEnded;
  }

  /** Resolves with the first turn: processes are started then. */
  async begin(): Promise<void> {
    this.#onReady();
    await this.#begun.promise;
  }

  /** The processes to be stopped, and how much of the crawl is done. */
  follow(pids: readonly number[], share: () => number): void {
    this.#pids = pids;
    this.#share = share;
  }

  end(): void {
    this.stop();
    this.#hasEnded = true;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get share(): number {
    return this.#share();
  }

  get used(): TurnUse {
    if (this.#since === undefined) return this.#before;
    return plus(this.#before, usedNow(), this.#since);
  }

  /** When it was stopped, in ms of its own time. */
  get stops(): number[] {
    return this.#spans.slice(1).map(({ before }) => before * 1000);
  }

  /** Seconds of this crawl that had passed at a time of day. */
  secondsAt(time: number): number {
    const span = this.#spans.findLast(({ from }) => from <= time);
    if (span === undefined) return 0;
    return span.before + (Math.min(time, span.to) - span.from) / 1000;
  }

  go(): void {
    this.#since = usedNow();
    this.#spans.push({ from: Date.now(), to: Number.POSITIVE_INFINITY, before: this.#before.wallSeconds });
    this.#signal('SIGCONT');
    this.#begun.resolve();
  }

  stop(): void {
    if (this.#since === undefined) return;
    this.#signal('SIGSTOP');
    this.#before = this.used;
    this.#since = undefined;
    const span = this.#spans.at(-1);
    if (span !== undefined) span.to = Date.now();
  }

  wake(): void {
    this.#signal('SIGCONT');
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.#pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  }
}

function usedNow(): TurnUse {
  const { user, system } = process.cpuUsage();
  return {
    ...{ wallSeconds: performance.now() / 1000, ownSeconds: (user + system) / 1e6, kernelSeconds: kernelSeconds() },
    ...usedTicks(),
  };
}

function plus(before: TurnUse, now: TurnUse, since: TurnUse): TurnUse {
  const of = (key: keyof TurnUse): number => before[key] + now[key] - since[key];
  return {
    ...{ wallSeconds: of('wallSeconds'), ownSeconds: of('ownSeconds'), kernelSeconds: of('kernelSeconds') },
    ...{ busy: of('busy'), stolen: of('stolen') },
  };
}
