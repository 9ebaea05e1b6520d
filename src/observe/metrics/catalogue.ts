import type { MetricType } from './metric.ts';

export interface MetricDefinition {
  readonly type: MetricType;
  readonly help: string;
  /** Names of its labels; each takes few values. */
  readonly labels?: readonly string[];
}

/** What the state of the crawl says: the same figures as `status` and the dashboard, whoever is asked. */
const ofCrawl = {
  orbweaver_crawl_pages: gauge('Pages that are stored, copies included.'),
  orbweaver_crawl_distinct_documents: gauge('Stored pages with a content of their own.'),
  orbweaver_crawl_near_duplicates: gauge('Stored pages whose text is nearly that of another.'),
  orbweaver_crawl_spam_pages: gauge('Stored pages with a spam score of a half or more.'),
  orbweaver_crawl_requests_total: counter('Requests that were sent, robots.txt and retries included.'),
  orbweaver_crawl_received_bytes_total: counter('Bytes of bodies that were received, as sent.'),
  orbweaver_crawl_rendered_pages_total: counter(
    'Pages that were shown in a browser: rendered, or failed where they came to no end there.',
    'result',
  ),
  orbweaver_crawl_render_requests_total: counter(
    'Requests of pages in the browser for what they load: sent, or refused by guard, robots.txt, type or scope.',
    'result',
  ),
  orbweaver_crawl_browser_restarts_total: counter('Browsers that were replaced.'),
  orbweaver_crawl_urls: gauge('URLs by how their last visit ended.', 'outcome'),
  orbweaver_crawl_refused_urls: gauge('URLs and links that were refused, by the rule that did.', 'rule'),
  orbweaver_crawl_failed_urls: gauge('URLs that failed, by the code of the failure.', 'code'),
  orbweaver_crawl_revisits_total: counter('Visits of pages that were visited before, by how they ended.', 'outcome'),
  orbweaver_crawl_queue_urls: gauge(
    'URLs that wait: for their turn (queued), with a parked host (parked), for a retry (later), for a visit again (planned).',
    'state',
  ),
  orbweaver_crawl_hosts: gauge(
    'Hosts with something to fetch that are due (ready) or rest (waiting); those that asked for a pause (held) or take no part (parked); all others (idle).',
    'state',
  ),
  orbweaver_crawl_running: gauge('1 while the crawl runs or was cut off, 0 when it has ended.'),
  orbweaver_crawl_started_timestamp_seconds: gauge('When its last run began.'),
  orbweaver_archive_bytes: gauge('Bytes of archive files that belong to settled pages.'),
  orbweaver_archive_files: gauge('Archive files of the crawl.'),
  orbweaver_index_documents: gauge('Documents that can be found.'),
  orbweaver_index_segments: gauge('Segments of the search index.'),
  orbweaver_index_lag_bytes: gauge('Settled bytes of the archive that the search index has not taken yet.'),
} satisfies Record<string, MetricDefinition>;

/** What the process that crawls has done since it began. */
const ofRun = {
  orbweaver_visits_total: counter(
    'Visits of pages that were settled, by how they ended; deferred: the turn went into robots.txt, a HEAD, or another spelling of the URL.',
    'outcome',
  ),
  orbweaver_requests_total: counter(
    'Requests that were sent: for pages, and others (robots.txt, probes, HEAD); by the class of the answer, none where there was none or it is not kept.',
    'purpose',
    'status',
  ),
  orbweaver_received_bytes_total: counter('Bytes of bodies that were received, as sent.'),
  orbweaver_refusals_total: counter('Visits that were refused, by the rule that did.', 'rule'),
  orbweaver_failures_total: counter('Visits that failed, retries included, by the code of the failure.', 'code'),
  orbweaver_pushbacks_total: counter(
    'Answers that asked for less (busy), and hosts that could not be reached.',
    'kind',
  ),
  orbweaver_fetch_duration_seconds: histogram('From the start of a request to its last byte.'),
  orbweaver_host_delay_seconds: histogram('How long a host was owed rest between two requests to it.'),
  orbweaver_claim_lateness_seconds: histogram(
    'From the moment a host was due to the claim of its next URL; a host that had nothing to fetch meanwhile counts too.',
  ),
  orbweaver_visits_in_flight: gauge('Visits under way.'),
  orbweaver_warnings_total: counter('Warnings, by code.', 'code'),
  orbweaver_index_indexed_documents_total: counter('Documents that were taken into the index.'),
  orbweaver_index_merges_total: counter('Merges of segments of the index.'),
  orbweaver_index_written_bytes_total: counter('Bytes of all files of the index that were written, merges included.'),
  orbweaver_trace_spans_total: counter(
    'Spans of traced visits, by what became of them: exported or dropped.',
    'result',
  ),
} satisfies Record<string, MetricDefinition>;

/** The nodes of a crawl that several share, as the database has them. */
const ofCluster = {
  orbweaver_cluster_nodes: gauge('Nodes by state: busy, idle, draining, gone.', 'state'),
  orbweaver_cluster_partitions: gauge('Partitions that a living node owns, and those that none does (free).', 'state'),
  orbweaver_cluster_messages: gauge('Messages between partitions that are not acknowledged.'),
  orbweaver_cluster_pages: gauge('Pages that all nodes have brought.'),
} satisfies Record<string, MetricDefinition>;

/** Of any process. */
const ofProcess = {
  orbweaver_build_info: gauge('1, with the version.', 'version'),
  orbweaver_thread_cpu_seconds_total: counter('CPU time by thread.', 'thread', 'mode'),
  orbweaver_thread_heap_bytes: gauge('Memory of objects by thread.', 'thread'),
  orbweaver_thread_busy_ratio: gauge('Share of the time in which the event loop of the thread was busy.', 'thread'),
  orbweaver_event_loop_delay_seconds: gauge(
    'Delay of the event loop of the main thread since the last scrape: mean, p99 and max.',
    'stat',
  ),
  process_cpu_seconds_total: counter('CPU time of the process, user and system.'),
  process_resident_memory_bytes: gauge('Memory of the process.'),
  process_start_time_seconds: gauge('When the process was started, in seconds since the epoch.'),
  process_open_fds: gauge('Open files of the process; where the system tells.'),
  orbweaver_scrape_failures: gauge('Sources of figures that failed in this scrape.'),
} satisfies Record<string, MetricDefinition>;

export const METRIC_GROUPS = {
  crawl: ofCrawl,
  run: ofRun,
  cluster: ofCluster,
  process: ofProcess,
} as const;

export const METRICS: Readonly<Record<string, MetricDefinition>> = { ...ofCrawl, ...ofRun, ...ofCluster, ...ofProcess };

function counter(help: string, ...labels: readonly string[]): MetricDefinition {
  return { type: 'counter', help, labels };
}

function gauge(help: string, ...labels: readonly string[]): MetricDefinition {
  return { type: 'gauge', help, labels };
}

function histogram(help: string): MetricDefinition {
  return { type: 'histogram', help };
}
