import type { SearchService } from '../../../contracts/search-service.ts';
import type { ClusterWatch } from '../../../crawl/nodes/cluster-watch.ts';
import { ClusterMetrics } from '../../../observe/metrics/cluster-metrics.ts';
import { CrawlMetrics } from '../../../observe/metrics/crawl-metrics.ts';
import { MetricsPage } from '../../../observe/metrics/metrics-page.ts';
import { ProcessMetrics } from '../../../observe/metrics/process-metrics.ts';
import type { RunMetrics } from '../../../observe/metrics/run-metrics.ts';
import { Readiness } from '../../../observe/readiness.ts';
import { MetricsRoutes } from '../../../web/metrics/metrics-routes.ts';
import { version } from '../../version.ts';

export interface PageToMeasure {
  readonly search: Pick<SearchService, 'documents'>;
  readonly folder: string;
  readonly hasCrawl: boolean;
  /** The nodes of a crawl that several share. */
  readonly cluster?: Pick<ClusterWatch, 'view'>;
  /** Of a crawl that runs in this process. */
  readonly run?: RunMetrics;
}

export interface PageMetrics extends AsyncDisposable {
  readonly routes: MetricsRoutes;
}

/** Figures and readiness of a search page, and of the crawl behind it. */
export function openPageMetrics({ search, folder, hasCrawl, cluster, run }: PageToMeasure): PageMetrics {
  const opened = new AsyncDisposableStack();
  const metrics = new MetricsPage(opened.use(new ProcessMetrics(version)));
  const readiness = new Readiness();
  readiness.add('search', () => (search.documents > 0 ? undefined : 'No page can be found yet.'));
  if (run !== undefined) metrics.add(run);
  if (cluster !== undefined) {
    metrics.add(new ClusterMetrics(cluster));
    readiness.add('store', async () => {
      await cluster.view();
      return undefined;
    });
  } else if (hasCrawl) {
    const figures = opened.use(new CrawlMetrics(folder));
    metrics.add(figures);
    readiness.add('state', async () => {
      await figures.families();
      return undefined;
    });
  }
  return { routes: new MetricsRoutes(metrics, readiness), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
