import { OrbweaverError } from '../../../base/errors.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import type { Crawl } from '../../../crawl/crawl.ts';
import type { EventLog } from '../../../observe/log/event-log.ts';
import { RunMetrics, type WatchedIndexing } from '../../../observe/metrics/run-metrics.ts';
import { observeCrawl } from '../../../observe/observe-crawl.ts';
import { version } from '../../version.ts';

export interface RunToObserve {
  readonly crawl: Crawl;
  readonly folder: string;
  readonly settings: Settings;
  /** Shown by a page of this process as well. */
  readonly run?: RunMetrics;
  readonly indexing?: WatchedIndexing;
  readonly log?: EventLog;
}

/** Lets others watch a run: figures at `metrics-port`, traces to `traces`. */
export async function observeRun({ crawl, folder, settings, ...more }: RunToObserve): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const { run = new RunMetrics(), indexing, log } = more;
  if (indexing !== undefined) run.watchIndexing(indexing);
  const { metrics, readiness } = opened.use(observeCrawl({ crawl, folder, settings, version, run }));
  const { metricsPort: port, metricsHost: host } = settings;
  if (port > 0) {
    const { MetricsRoutes } = await import('../../../web/metrics/metrics-routes.ts');
    const { MetricsServer } = await import('../../../web/metrics/metrics-server.ts');
    const { startWebApp } = await import('../../../web/http/listen.ts');
    const server = new MetricsServer(new MetricsRoutes(metrics, readiness), host);
    const { url } = opened.use(
      await startWebApp(server, { host, port }).catch((cause) => Promise.reject(refused(settings, cause))),
    );
    const address = String(new URL('/metrics', url));
    if (log === undefined) process.stderr.write(`Metrics are served at ${address}\n`);
    else log.tell('info', 'metrics.listening', { url: address });
  }
  const parts = opened.move();
  return { [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

function refused({ metricsHost: host, metricsPort: port }: Settings, cause: NodeJS.ErrnoException): unknown {
  if (!['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes(cause.code ?? '')) return cause;
  return new OrbweaverError('USAGE', `The metrics cannot be served on ${host}, port ${port}: ${cause.code}.`, {
    cause,
    remedy: 'Name another port with --metrics-port, or another address of this machine with --metrics-host.',
  });
}
