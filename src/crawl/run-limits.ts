import type { Clock } from '../base/clock.ts';
import type { Settlement } from '../contracts/crawl-task.ts';
import type { CrawlEvents, CrawlProgress } from '../contracts/events.ts';
import type { Frontier } from '../contracts/frontier.ts';
import type { Focus } from './learning/focus.ts';
import type { CrawlLimits } from './limits.ts';
import type { EventHub } from './report/event-hub.ts';
import type { RevisitScheduler } from './revisits/revisit-scheduler.ts';

export interface RunLimitsParts {
  /** Of the whole crawl but for the duration, which is that of this run. */
  readonly limits: CrawlLimits;
  /** What earlier runs have done. */
  readonly before: { readonly pages: number; readonly bytes: number };
  readonly frontier: Pick<Frontier, 'stopDiscovery'>;
  readonly focus?: Pick<Focus, 'driedUp'>;
  readonly scheduler?: Pick<RevisitScheduler, 'filled' | 'driedUp'>;
  readonly events: EventHub<CrawlEvents>;
  readonly clock: Clock;
}

/** What a run has come to so far, and what is left of its limits. */
export class RunLimits {
  readonly #parts: RunLimitsParts;
  readonly #startedAt: number;
  readonly #counts = { pages: 0, requests: 0, bytes: 0, failed: 0, refused: 0 };
  /** Since when the run is paused, and how long it was before. */
  #pausedAt: number | undefined;
  #pausedMs = 0;
  #full = false;
  #dry = false;

  constructor(parts: RunLimitsParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
  }

  count({ claim, outcome, use }: Settlement): void {
    const counts = this.#counts;
    if (use !== undefined && use.unsent !== true) counts.requests++;
    counts.bytes += use?.bytes ?? 0;
    if (claim.task.purpose !== 'page') return;
    // A page that is visited again is none more.
    const isFirst = claim.earlier?.digest === undefined;
    if (isFirst && (outcome.kind === 'stored' || outcome.kind === 'duplicate')) counts.pages++;
    if (outcome.kind === 'failed' || outcome.kind === 'gone') counts.failed++;
    if (outcome.kind === 'refused') counts.refused++;
  }

  /** The first limit that is reached, by the name of its setting. */
  get reached(): string | undefined {
    const { limits, before, focus, clock } = this.#parts;
    const ends = limits.keepsRevisiting !== true;
    if (ends && focus?.driedUp === true) return 'dry-after';
    if (ends && this.#pagesLeft <= 0) return 'max-pages';
    if (before.bytes + this.#counts.bytes >= limits.maxBytes) return 'max-bytes';
    return clock.now() - this.#startedAt - this.#paused >= limits.maxDurationMs ? 'max-duration' : undefined;
  }

  /** A pause does not count against `max-duration`. */
  notePause(isPaused: boolean): void {
    if (isPaused) this.#pausedAt ??= this.#parts.clock.now();
    else if (this.#pausedAt !== undefined) {
      this.#pausedMs = this.#paused;
      this.#pausedAt = undefined;
    }
  }

  /** ms. A clock that was set back adds nothing. */
  get #paused(): number {
    const now = this.#parts.clock.now();
    return this.#pausedMs + Math.max(0, now - (this.#pausedAt ?? now));
  }

  /** How many visits may be begun with this many open ones. The last pages of a limit are not overshot by what is not settled yet. */
  roomFor(open: number): number {
    return this.#parts.limits.keepsRevisiting === true ? Number.POSITIVE_INFINITY : this.#pagesLeft - open;
  }

  /** Whether nothing new is taken in because as many pages are kept as may be. */
  get isFull(): boolean {
    return this.#full;
  }

  /** The last moment of the run. */
  get endsAt(): number {
    return this.#startedAt + this.#paused + this.#parts.limits.maxDurationMs;
  }

  /** Whether a host that may be asked at `due` and not before is worth waiting for. */
  isTooFar(due: number | undefined): boolean {
    const { limits, clock } = this.#parts;
    return limits.endless !== true && due !== undefined && due - clock.now() > limits.maxWaitMs;
  }

  get progress(): Omit<CrawlProgress, 'frontier' | 'inFlight'> {
    const elapsedMs = this.#parts.clock.now() - this.#startedAt;
    const pagesPerSecond = elapsedMs === 0 ? 0 : (this.#counts.pages * 1000) / elapsedMs;
    return { elapsedMs, ...this.#counts, pagesPerSecond };
  }

  /** Told once in a run: nothing new is taken in from then on. */
  async noticeEndOfDiscovery(): Promise<void> {
    const { limits, focus, frontier, scheduler, events } = this.#parts;
    if (limits.keepsRevisiting !== true) return;
    if (!this.#full && this.#pagesLeft <= 0) {
      this.#full = true;
      scheduler?.filled(limits.maxPages);
      const message = `max-pages is reached: ${limits.maxPages} pages are kept, which are visited again. No new ones are taken in.`;
      events.emit('warning', { code: 'MAX_PAGES', message });
    }
    if (!this.#dry && focus?.driedUp === true) {
      this.#dry = true;
      await frontier.stopDiscovery();
      scheduler?.driedUp();
      const message =
        'dry-after is reached: this many pages in a row were off topic. No new ones are taken in; those that are kept are visited again.';
      events.emit('warning', { code: 'DRY_AFTER', message });
    }
  }

  get #pagesLeft(): number {
    const { limits, before } = this.#parts;
    return limits.maxPages - before.pages - this.#counts.pages;
  }
}
