import type { Settings } from '../base/settings/schema.ts';
import type { Crawl } from '../crawl/crawl.ts';
import { ClusterWatch } from '../crawl/nodes/cluster-watch.ts';
import { ClusterMetrics } from './metrics/cluster-metrics.ts';
import { CrawlMetrics } from './metrics/crawl-metrics.ts';
import { MetricsPage } from './metrics/metrics-page.ts';
import { ProcessMetrics } from './metrics/process-metrics.ts';
import type { RunMetrics } from './metrics/run-metrics.ts';
import { Readiness } from './readiness.ts';
import { SpanExporter } from './trace/span-exporter.ts';
import { visitSpans } from './trace/visit-spans.ts';

export interface ObservedCrawl {
  readonly crawl: Crawl;
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly run: RunMetrics;
}

/** A crawl of this process, as it is watched from outside. */
export interface CrawlObservation extends AsyncDisposable {
  readonly metrics: MetricsPage;
  readonly readiness: Readiness;
}

/** Opens what the settings ask for: figures, and traces where there is a receiver. */
export function observeCrawl({ crawl, folder, settings, version, run }: ObservedCrawl): CrawlObservation {
  const opened = new AsyncDisposableStack();
  const metrics = new MetricsPage(opened.use(new ProcessMetrics(version)), run);
  const readiness = new Readiness();
  opened.use(run.watch(crawl));
  readiness.add('crawl', () => (crawl.stopping ? 'The crawl is being stopped.' : undefined));
  if (settings.partitions > 1) {
    const cluster = opened.use(new ClusterWatch(settings.store));
    metrics.add(new ClusterMetrics(cluster));
    readiness.add('store', async () => {
      await cluster.view();
      return undefined;
    });
  } else {
    const figures = opened.use(new CrawlMetrics(folder));
    metrics.add(figures);
    readiness.add('state', async () => {
      await figures.families();
      return undefined;
    });
  }
  if (settings.traces !== '') {
    const { traces: url, traceHeaders: headers } = settings;
    const exporter = opened.use(new SpanExporter({ url, version, headers }));
    metrics.add(exporter);
    opened.use(
      crawl.on('settled', (event) => {
        if (event.stages !== undefined) exporter.add(visitSpans(event));
      }),
    );
  }
  return { metrics, readiness, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
