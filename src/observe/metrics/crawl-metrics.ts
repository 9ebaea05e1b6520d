import { type Clock, systemClock } from '../../base/clock.ts';
import { measureProcessorTime } from '../../base/processor-time.ts';
import type { RenderingTotals } from '../../contracts/content/renderer.ts';
import type { StateReader } from '../../contracts/state/state-reader.ts';
import type { RunRecord } from '../../crawl/report/run-record.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { readIndexFigures } from './index-figures.ts';
import { boundedSamples } from './label-counts.ts';
import type { MetricFamily, MetricSource } from './metric.ts';

/** Several scrapers share one look; one that was costly is shared for longer. */
const LEAST_AGE_MS = 1000;
const COST_SHARE = 20;

/** What the state of a crawl folder says: what `status` and the dashboard read. Beside a running crawl, or in its process. */
export class CrawlMetrics implements MetricSource, Disposable {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #state: StateReader;
  #last: { readonly families: Promise<MetricFamily[]>; goodUntil: number } | undefined;

  constructor(folder: string, clock: Clock = systemClock) {
    this.#folder = folder;
    this.#clock = clock;
    this.#state = openStateReader(folder);
  }

  families(): Promise<MetricFamily[]> {
    const now = this.#clock.now();
    if (this.#last !== undefined && now < this.#last.goodUntil) return this.#last.families;
    const spent = measureProcessorTime();
    const looked = { families: this.#look(now), goodUntil: Number.POSITIVE_INFINITY };
    this.#last = looked;
    const settle = (): void => {
      looked.goodUntil = now + Math.max(LEAST_AGE_MS, spent() * COST_SHARE);
    };
    looked.families.then(settle, settle);
    return looked.families;
  }

  [Symbol.dispose](): void {
    this.#state[Symbol.dispose]();
  }

  async #look(now: number): Promise<MetricFamily[]> {
    const run = this.#state.read<RunRecord>('run');
    const totals = await this.#state.pages.totals();
    const { queued, parked, later, planned } = this.#state.queueCounts();
    const hosts = this.#state.hosts.byState(now);
    const files = this.#state.archiveFiles();
    const bytes = [...files.values()].reduce((sum, { fileEnd }) => sum + fileEnd, 0);
    const index = readIndexFigures(this.#folder, files);
    const waiting = { queued: queued - parked, parked, later, planned };
    return [
      one('orbweaver_crawl_pages', totals.pages),
      one('orbweaver_crawl_distinct_documents', totals.distinctDocuments),
      one('orbweaver_crawl_near_duplicates', totals.nearDuplicates),
      one('orbweaver_crawl_spam_pages', totals.spam),
      one('orbweaver_crawl_requests_total', totals.requests),
      one('orbweaver_crawl_received_bytes_total', totals.bytes),
      ...renderingFamilies(this.#state.read<{ readonly totals: RenderingTotals }>('rendering')?.totals),
      { name: 'orbweaver_crawl_urls', samples: boundedSamples('outcome', totals.outcomes) },
      { name: 'orbweaver_crawl_refused_urls', samples: boundedSamples('rule', totals.refused) },
      { name: 'orbweaver_crawl_failed_urls', samples: boundedSamples('code', totals.failed) },
      { name: 'orbweaver_crawl_revisits_total', samples: boundedSamples('outcome', totals.revisits ?? {}) },
      { name: 'orbweaver_crawl_queue_urls', samples: boundedSamples('state', waiting) },
      { name: 'orbweaver_crawl_hosts', samples: boundedSamples('state', { ...hosts }) },
      ...(run === undefined
        ? []
        : [
            one('orbweaver_crawl_running', run.endedAt === undefined ? 1 : 0),
            one('orbweaver_crawl_started_timestamp_seconds', run.startedAt / 1000),
          ]),
      one('orbweaver_archive_bytes', bytes),
      one('orbweaver_archive_files', files.size),
      ...(index === undefined
        ? []
        : [
            one('orbweaver_index_documents', index.documents),
            one('orbweaver_index_segments', index.segments),
            one('orbweaver_index_lag_bytes', index.lagBytes),
          ]),
    ];
  }
}

function renderingFamilies(totals: RenderingTotals | undefined): MetricFamily[] {
  if (totals === undefined) return [];
  const { rendered, failed, subRequests, refusedRequests, restarts } = totals;
  const requests = { sent: subRequests, refused: refusedRequests };
  return [
    { name: 'orbweaver_crawl_rendered_pages_total', samples: boundedSamples('result', { rendered, failed }) },
    { name: 'orbweaver_crawl_render_requests_total', samples: boundedSamples('result', requests) },
    one('orbweaver_crawl_browser_restarts_total', restarts),
  ];
}

function one(name: string, value: number): MetricFamily {
  return { name, samples: [{ value }] };
}
