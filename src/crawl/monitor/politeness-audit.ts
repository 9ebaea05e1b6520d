import type { HostUse } from '../../contracts/crawl-task.ts';
import type { HostGaps, PolitenessRecord } from '../../contracts/state/monitor.ts';
import { GAP_CLASSES } from './gap-classes.ts';

/** A request that was sent, by the clock of the crawl. */
export interface SentRequest {
  readonly host: string;
  readonly use: HostUse;
  /** When the frontier held that its host may be asked: after delay, Crawl-delay, back-off and Retry-After. */
  readonly dueAt: number;
}

/**
 * Measures pauses: from the end of a request to the start of the next one to the same host, as the fetcher saw them. What was owed
 * is what the frontier had reckoned after the first, and never less than the least delay of the settings. So it shows that the
 * frontier's times were kept on the wire; it cannot show that a rest was reckoned rightly, beyond that least delay.
 */
export class PolitenessAudit {
  readonly #leastMs: number;
  readonly #concurrencyOf: (host: string) => number;
  /** End of the last request of each host; of hosts that may be asked several times at once, its start. */
  readonly #last = new Map<string, number>();
  readonly #classes: number[];
  #count: number;
  #early: number;

  constructor(leastMs: number, concurrencyOf: (host: string) => number, before?: PolitenessRecord) {
    this.#leastMs = leastMs;
    this.#concurrencyOf = concurrencyOf;
    this.#classes = GAP_CLASSES.map((_, at) => before?.classes[at] ?? 0);
    this.#count = before?.count ?? 0;
    this.#early = before?.early ?? 0;
  }

  get record(): PolitenessRecord {
    return { count: this.#count, early: this.#early, classes: [...this.#classes] };
  }

  /** What is known of the pauses of its host with this request; the same as before where it was the first of this run. */
  note({ host, use, dueAt }: SentRequest, before: HostGaps): HostGaps {
    const startedAt = use.endedAt - 1 - use.fetchMs;
    const isParallel = this.#concurrencyOf(host) > 1;
    const last = this.#last.get(host);
    // Of parallel requests one that began earlier may end later.
    this.#last.set(host, isParallel ? Math.max(last ?? startedAt, startedAt) : use.endedAt - 1);
    if (last === undefined || (isParallel && startedAt < last)) return before;
    const gapMs = startedAt - last;
    const owedMs = isParallel ? this.#leastMs : Math.max(this.#leastMs, dueAt - last);
    // Times are whole milliseconds, cut off: a pause may be one longer than it seems.
    const isEarly = gapMs + 1 < owedMs;
    this.#count++;
    if (isEarly) this.#early++;
    const times = isEarly ? 0 : owedMs <= 0 ? Number.POSITIVE_INFINITY : Math.max(1, gapMs / owedMs);
    const place = GAP_CLASSES.findIndex(({ below }) => times < below);
    this.#classes[place === -1 ? GAP_CLASSES.length - 1 : place]++;
    const { tightest } = before;
    const isTighter = tightest === undefined || gapMs - owedMs < tightest.gapMs - tightest.owedMs;
    return {
      count: before.count + 1,
      early: before.early + Number(isEarly),
      tightest: isTighter ? { gapMs, owedMs } : tightest,
    };
  }
}
