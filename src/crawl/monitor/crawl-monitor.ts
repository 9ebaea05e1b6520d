import type { Clock } from '../../base/clock.ts';
import type { CrawlEvents, CrawlLoad, CrawlProgress } from '../../contracts/events.ts';
import type { CrawlTotals } from '../../contracts/page-store.ts';
import type { CrawlTrouble, HostTally, MonitorStore } from '../../contracts/state/monitor.ts';
import type { EventHub } from '../report/event-hub.ts';
import { formatOutcome } from '../report/url-report.ts';
import type { PolitenessAudit } from './politeness-audit.ts';

export interface CrawlMonitorParts {
  readonly store: MonitorStore;
  readonly events: EventHub<CrawlEvents>;
  readonly audit: PolitenessAudit;
  readonly clock: Clock;
  readonly progress: () => Promise<CrawlProgress>;
  readonly totals: () => Promise<CrawlTotals>;
  readonly load?: () => CrawlLoad | undefined;
  /** How long the crawl will still take, where that can be told. */
  readonly leftMs: (progress: CrawlProgress) => Promise<number | undefined>;
}

const SAMPLE_EVERY_MS = 1000;
/** Of one second: a crawl of dead hosts fails hundreds of times. */
const MOST_TROUBLES = 50;
const LONGEST_TEXT = 300;

/**
 * Notes how a crawl goes, once a second and at its end, whether anybody looks or not. It reports and never steers: where nothing can
 * be written, it warns once and falls silent.
 */
export class CrawlMonitor implements AsyncDisposable {
  readonly #parts: CrawlMonitorParts;
  readonly #startedAt: number;
  readonly #statuses: Record<string, number>;
  /** Since the last sample, and since the one before: most hosts are asked again within a second or two. */
  #touched = new Map<string, HostTally>();
  #lately: ReadonlyMap<string, HostTally> = new Map();
  #troubles: CrawlTrouble[] = [];
  readonly #listener: Disposable;
  readonly #timer: NodeJS.Timeout;
  #sampling: Promise<void> = Promise.resolve();
  #isBusy = false;
  #isSilent = false;

  constructor(parts: CrawlMonitorParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#statuses = { ...parts.store.statuses() };
    this.#listener = parts.events.on('settled', (settled) => this.#note(settled));
    this.#timer = setInterval(() => this.#tick(), SAMPLE_EVERY_MS);
    this.#timer.unref();
    this.#tick();
  }

  /** Writes the last sample. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#listener[Symbol.dispose]();
    await this.#sampling;
    await this.#sample();
    this.#parts.store[Symbol.dispose]();
  }

  #tick(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#sampling = this.#sample().finally(() => {
      this.#isBusy = false;
    });
  }

  #note({ claim, outcome, status, use }: CrawlEvents['settled']): void {
    if (this.#isSilent || use === undefined || use.unsent === true) {
      if (outcome.kind === 'failed') this.#trouble(claim.task.host, claim.task.url, formatOutcome(outcome));
      return;
    }
    const { host, url } = claim.task;
    const known = this.#tally(host);
    const code = status ?? statusOf(use.pushback?.why);
    const isFailure = outcome.kind === 'failed' || use.pushback !== undefined || (code ?? 0) >= 400;
    const family = code === undefined ? undefined : familyOf(code);
    if (code !== undefined) this.#statuses[code] = (this.#statuses[code] ?? 0) + 1;
    this.#touched.set(host, {
      ...known,
      requests: known.requests + 1,
      failures: known.failures + Number(isFailure),
      status: family === undefined ? known.status : { ...known.status, [family]: known.status[family] + 1 },
      gaps: this.#parts.audit.note({ host, use, dueAt: claim.dueAt }, known.gaps),
    });
    if (isFailure) this.#trouble(host, url, use.pushback?.why ?? formatOutcome(outcome));
  }

  #trouble(host: string, url: string, text: string): void {
    if (this.#isSilent) return;
    const what = text.slice(0, LONGEST_TEXT);
    const at = this.#parts.clock.now();
    this.#touched.set(host, { ...this.#tally(host), lastError: { at, what } });
    this.#troubles.push({ at, url, host, what });
    if (this.#troubles.length > MOST_TROUBLES) this.#troubles.shift();
  }

  #tally(host: string): HostTally {
    return (
      this.#touched.get(host) ??
      this.#lately.get(host) ??
      this.#parts.store.host(host) ?? {
        ...{ host, requests: 0, failures: 0, status: { 2: 0, 3: 0, 4: 0, 5: 0 } },
        gaps: { count: 0, early: 0 },
      }
    );
  }

  async #sample(): Promise<void> {
    if (this.#isSilent) return;
    const { progress: progressOf, totals: totalsOf, leftMs, clock, store, audit } = this.#parts;
    try {
      const [progress, totals] = await Promise.all([progressOf(), totalsOf()]);
      const left = await leftMs(progress);
      const { frontier, inFlight } = progress;
      const load = this.#parts.load?.();
      store.write({
        sample: {
          ...{ at: clock.now(), run: this.#startedAt, inFlight, hosts: frontier.hosts },
          ...{ pages: totals.pages, requests: totals.requests, bytes: totals.bytes },
          ...{ failed: sum(totals.failed), refused: sum(totals.refused) },
          duplicates: totals.pages - totals.distinctDocuments + totals.nearDuplicates,
          queued: Math.max(0, frontier.queued - (frontier.planned ?? 0)),
          memory: process.memoryUsage.rss(),
          ...(left === undefined ? {} : { leftMs: left }),
        },
        hosts: [...this.#touched.values()],
        troubles: this.#troubles,
        statuses: this.#statuses,
        politeness: audit.record,
        ...(load === undefined ? {} : { load }),
      });
      this.#lately = this.#touched;
      this.#touched = new Map();
      this.#troubles = [];
    } catch (error) {
      this.#fallSilent(error);
    }
  }

  #fallSilent(error: unknown): void {
    this.#isSilent = true;
    clearInterval(this.#timer);
    const why = error instanceof Error ? error.message : String(error);
    const message = `The dashboard will show no charts of this run: monitor.db cannot be written (${why}). The crawl goes on.`;
    this.#parts.events.emit('warning', { code: 'MONITOR_FAILED', message });
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** A server that asks for patience gives no page, but a status. */
function statusOf(why: string | undefined): number | undefined {
  const code = /^HTTP (\d{3})$/.exec(why ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}

function familyOf(status: number): '2' | '3' | '4' | '5' | undefined {
  const family = String(Math.floor(status / 100));
  return family === '2' || family === '3' || family === '4' || family === '5' ? family : undefined;
}
