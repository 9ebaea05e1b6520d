import type { Outcome } from '../../contracts/crawl-task.ts';
import type { CrawlEvents, ThreadUse } from '../../contracts/events.ts';
import type { IndexWork } from '../../contracts/search-index.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { Crawl } from '../../crawl/crawl.ts';
import { Histogram } from './histogram.ts';
import { LabelCounts } from './label-counts.ts';
import type { MetricFamily, MetricSource } from './metric.ts';
import { threadFamilies } from './process-metrics.ts';

const FETCH_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const DELAY_BOUNDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600];
const LATENESS_BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const STATUSES = ['2xx', '3xx', '4xx', '5xx', 'none'];
const OUTCOMES = ['stored', 'unchanged', 'duplicate', 'redirected', 'refused', 'gone', 'failed', 'deferred'];
/** Hosts whose last request is remembered, for the delay that was owed to them: a few MB. */
const MOST_HOSTS = 20_000;

/** The index that is filled beside the crawl. */
export interface WatchedIndexing {
  readonly documents: number;
  readonly work: IndexWork | undefined;
  threads(): Promise<readonly ThreadUse[]>;
}

/** What a crawl in this process has done since it began; heard from its events. */
export class RunMetrics implements MetricSource {
  readonly #visits = new LabelCounts('outcome', OUTCOMES);
  readonly #requests = { page: new LabelCounts('status', STATUSES), other: new LabelCounts('status', STATUSES) };
  readonly #refusals = new LabelCounts('rule');
  readonly #failures = new LabelCounts('code');
  readonly #pushbacks = new LabelCounts('kind', ['busy', 'unreachable']);
  readonly #warnings = new LabelCounts('code');
  readonly #fetch = new Histogram(FETCH_BOUNDS);
  readonly #delay = new Histogram(DELAY_BOUNDS);
  readonly #lateness = new Histogram(LATENESS_BOUNDS);
  /** When the last request to a host ended. In two parts, of which the older is forgotten at once: that costs least. */
  #endedAt = new Map<HostKey, number>();
  #endedEarlier: ReadonlyMap<HostKey, number> = new Map();
  #bytes = 0;
  #crawl: Crawl | undefined;
  #indexing: WatchedIndexing | undefined;

  /** Until it is disposed of. One crawl at a time. */
  watch(crawl: Crawl): Disposable {
    this.#crawl = crawl;
    const heard = [
      crawl.on('settled', (event) => this.#settled(event)),
      crawl.on('warning', ({ code }) => this.#warnings.add(code)),
    ];
    return {
      [Symbol.dispose]: () => {
        for (const each of heard) each[Symbol.dispose]();
        this.#crawl = undefined;
      },
    };
  }

  watchIndexing(indexing: WatchedIndexing): void {
    this.#indexing = indexing;
  }

  async families(): Promise<MetricFamily[]> {
    const inFlight = (await this.#crawl?.progress())?.inFlight ?? 0;
    const threads = [...((await this.#crawl?.threads()) ?? []), ...((await this.#indexing?.threads()) ?? [])];
    return [
      { name: 'orbweaver_visits_total', samples: this.#visits.samples() },
      {
        name: 'orbweaver_requests_total',
        samples: [
          ...this.#requests.page.samples({ purpose: 'page' }),
          ...this.#requests.other.samples({ purpose: 'other' }),
        ],
      },
      { name: 'orbweaver_received_bytes_total', samples: [{ value: this.#bytes }] },
      { name: 'orbweaver_refusals_total', samples: this.#refusals.samples() },
      { name: 'orbweaver_failures_total', samples: this.#failures.samples() },
      { name: 'orbweaver_pushbacks_total', samples: this.#pushbacks.samples() },
      { name: 'orbweaver_warnings_total', samples: this.#warnings.samples() },
      { name: 'orbweaver_fetch_duration_seconds', histogram: this.#fetch },
      { name: 'orbweaver_host_delay_seconds', histogram: this.#delay },
      { name: 'orbweaver_claim_lateness_seconds', histogram: this.#lateness },
      { name: 'orbweaver_visits_in_flight', samples: [{ value: inFlight }] },
      ...this.#ofIndexing(),
      ...threadFamilies(threads),
    ];
  }

  #ofIndexing(): MetricFamily[] {
    if (this.#indexing === undefined) return [];
    const { documents, work } = this.#indexing;
    return [
      { name: 'orbweaver_index_indexed_documents_total', samples: [{ value: documents }] },
      { name: 'orbweaver_index_merges_total', samples: [{ value: work?.merges ?? 0 }] },
      { name: 'orbweaver_index_written_bytes_total', samples: [{ value: work?.bytesWritten ?? 0 }] },
    ];
  }

  #settled({ claim, outcome, use, status, pushback }: CrawlEvents['settled']): void {
    // robots.txt elsewhere and probes are no visits of a page: the state does not count them either.
    if (claim.task.purpose === 'page') this.#countOutcome(outcome);
    if (pushback !== undefined) this.#pushbacks.add(pushback.kind);
    if (use === undefined) return;
    this.#bytes += use.bytes;
    if (use.unsent === true) return;
    const answered = status ?? (outcome.kind === 'gone' ? outcome.status : undefined);
    // A turn of its host that went into robots.txt, or into HEAD, is no visit of the page.
    const isPage = claim.task.purpose === 'page' && outcome.kind !== 'deferred';
    this.#requests[isPage ? 'page' : 'other'].add(answered === undefined ? 'none' : `${Math.floor(answered / 100)}xx`);
    this.#fetch.observe(use.fetchMs / 1000);
    this.#lateness.observe(Math.max(0, claim.claimedAt - claim.dueAt) / 1000);
    this.#countDelay(claim.task.host, claim.dueAt, use.endedAt);
  }

  #countOutcome(outcome: Outcome): void {
    this.#visits.add(outcome.kind);
    if (outcome.kind === 'refused') this.#refusals.add(outcome.by);
    if (outcome.kind === 'failed') this.#failures.add(outcome.code);
    if (outcome.kind === 'gone')
      this.#failures.add(outcome.soft === undefined ? `http-${outcome.status}` : 'soft-not-found');
  }

  #countDelay(host: HostKey, dueAt: number, endedAt: number): void {
    const before = this.#endedAt.get(host) ?? this.#endedEarlier.get(host);
    if (before !== undefined && dueAt >= before) this.#delay.observe((dueAt - before) / 1000);
    this.#endedAt.set(host, endedAt);
    if (this.#endedAt.size < MOST_HOSTS / 2) return;
    this.#endedEarlier = this.#endedAt;
    this.#endedAt = new Map();
  }
}
