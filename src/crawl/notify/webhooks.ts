import type { Clock } from '../../base/clock.ts';
import type { ChangeLog, LoggedChange } from '../../contracts/change-log.ts';
import { type Envelope, type Post, postChanges } from './webhook-post.ts';

/** How far a webhook has been told, kept with the crawl: the number of the last change that it took. */
export interface WebhookPosition {
  read(): number | undefined;
  write(number: number): void;
}

export interface WebhookParts extends Envelope {
  readonly urls: readonly string[];
  readonly log: ChangeLog;
  /** Each webhook has a place of its own: one that is down does not hold up the others. */
  readonly position: (url: string) => WebhookPosition;
  readonly clock: Clock;
  readonly random: () => number;
  /** `fetch`, unless a test brings its own. */
  readonly post?: Post;
  /** Told when a webhook begins to fail, and when it is back. */
  readonly onTrouble?: (message: string) => void;
  readonly timing?: Partial<WebhookTiming>;
}

export interface WebhookTiming {
  /** How often the log is looked into. */
  readonly pollMs: number;
  /** Longest wait for an answer. */
  readonly answerMs: number;
  /** First wait after a failure; each further one doubles it ... */
  readonly backoffStartMs: number;
  /** ... up to this. */
  readonly backoffMaxMs: number;
  /** How long the end of a crawl waits for what is still to be told. */
  readonly drainMs: number;
  /** Most changes in one request. */
  readonly batch: number;
}

export interface WebhookStatus {
  readonly url: string;
  /** Number of the last change that it took. */
  readonly told: number;
  readonly failures: number;
  readonly trouble?: string;
}

const TIMING: WebhookTiming = {
  pollMs: 1000,
  answerMs: 10_000,
  backoffStartMs: 1000,
  backoffMaxMs: 300_000,
  drainMs: 5000,
  batch: 100,
};

/**
 * Tells webhooks of changes, from the log of changes: in order, in batches, at least once. What a webhook took is remembered
 * with the crawl, so that the next run goes on there. Memory is one batch for each webhook, whatever waits in the log.
 *
 * Nothing that happens here reaches the crawl: every fault becomes a notice, and another try later.
 */
export class WebhookSender implements AsyncDisposable {
  readonly #lines: readonly WebhookLine[];
  readonly #drainMs: number;
  readonly #clock: Clock;
  #running: Promise<unknown> | undefined;

  constructor(parts: WebhookParts) {
    const timing = { ...TIMING, ...parts.timing };
    this.#lines = parts.urls.map((url) => new WebhookLine(url, parts, timing));
    this.#drainMs = timing.drainMs;
    this.#clock = parts.clock;
  }

  /** Begins to tell. Of a crawl that was there before its webhook, only what is noticed from now on is told. */
  start(): void {
    this.#running ??= Promise.all(this.#lines.map((line) => line.run()));
  }

  status(): readonly WebhookStatus[] {
    return this.#lines.map((line) => line.status());
  }

  /** Tells what is left, if that can be done soon; the rest is told in the next run. Never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    const late = new AbortController();
    for (const line of this.#lines) line.finish();
    await Promise.race([this.#running, this.#clock.sleep(this.#drainMs, late.signal)]);
    late.abort();
    for (const line of this.#lines) line.abandon();
    await this.#running;
  }
}

/** One webhook: reads where it left off, sends, remembers. */
class WebhookLine {
  readonly #url: string;
  readonly #parts: WebhookParts;
  readonly #timing: WebhookTiming;
  /** The crawl is over: an empty log is the end, and no wait is worth while. */
  readonly #finish = new AbortController();
  /** Not even an answer is waited for. */
  readonly #abandon = new AbortController();
  #told = 0;
  #failures = 0;
  #trouble: string | undefined;

  constructor(url: string, parts: WebhookParts, timing: WebhookTiming) {
    this.#url = url;
    this.#parts = parts;
    this.#timing = timing;
  }

  finish(): void {
    this.#finish.abort();
  }

  abandon(): void {
    this.#abandon.abort();
  }

  status(): WebhookStatus {
    const trouble = this.#trouble;
    return {
      url: this.#url,
      told: this.#told,
      failures: this.#failures,
      ...(trouble === undefined ? {} : { trouble }),
    };
  }

  async run(): Promise<void> {
    let begun = false;
    while (!this.#abandon.signal.aborted) {
      // Asked before the log is: what came into it before the end is told.
      const last = this.#finish.signal.aborted;
      let rest: number;
      try {
        if (!begun) this.#told = this.#begin();
        begun = true;
        rest = await this.#sendNext();
      } catch (fault) {
        // The log or the place in it cannot be read or written now.
        rest = this.#failed(fault instanceof Error ? fault.message : String(fault));
      }
      if (rest === 0) continue;
      if (last) return;
      await this.#parts.clock.sleep(rest, this.#finish.signal);
    }
  }

  #begin(): number {
    const position = this.#parts.position(this.#url);
    const before = position.read();
    if (before !== undefined) return before;
    const [last] = this.#parts.log.changes({ last: true, limit: 1 });
    position.write(last?.number ?? 0);
    return last?.number ?? 0;
  }

  /** Sends one batch, if there is one. Answers how long to wait before the next. */
  async #sendNext(): Promise<number> {
    const { log, clock, position, post = fetch } = this.#parts;
    const { answerMs, batch, pollMs } = this.#timing;
    const changes: LoggedChange[] = [...log.changes({ after: this.#told, limit: batch })];
    if (changes.length === 0) return pollMs;
    const answered = new AbortController();
    const stopped = AbortSignal.any([answered.signal, this.#abandon.signal]);
    const late = clock.sleep(answerMs, stopped).then(() => answered.abort(new Late()));
    const result = await postChanges(post, this.#url, this.#parts, changes, stopped);
    answered.abort();
    await late;
    if (!result.taken) return this.#failed(result.why, result.retryAfterMs);
    this.#told = changes[changes.length - 1].number;
    position(this.#url).write(this.#told);
    this.#recovered();
    return 0;
  }

  #failed(why: string, retryAfterMs = 0): number {
    const { backoffStartMs, backoffMaxMs } = this.#timing;
    this.#failures++;
    if (this.#trouble === undefined && !this.#abandon.signal.aborted)
      this.#tell(`${this.#name} does not take changes: ${why}. They are kept and sent again.`);
    this.#trouble = why;
    const doubled = backoffStartMs * 2 ** Math.min(this.#failures - 1, 30);
    // A little at random, so that those who fail together do not come back together.
    const wait = Math.min(doubled, backoffMaxMs) * (0.75 + this.#parts.random() / 4);
    return Math.max(1, wait, Math.min(retryAfterMs, backoffMaxMs));
  }

  #recovered(): void {
    if (this.#trouble !== undefined) this.#tell(`${this.#name} takes changes again.`);
    this.#trouble = undefined;
    this.#failures = 0;
  }

  /** Where it is, without the path: that often is a secret. */
  get #name(): string {
    return `The webhook at ${new URL(this.#url).host}`;
  }

  #tell(message: string): void {
    try {
      this.#parts.onTrouble?.(message);
    } catch {
      // Who listens cannot change what is told to others.
    }
  }
}

class Late extends Error {
  override readonly name = 'TimeoutError';
}
