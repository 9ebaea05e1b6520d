import type { NodesRunResult } from '../crawl-with-nodes.ts';
import { type ClusterCosts, DEFAULT_COSTS } from './cluster-costs.ts';
import { type ClusterForecastOptions, forecastCluster } from './forecast-cluster.ts';

/** What single nodes have used, by which the forecasts of several are made. */
export interface Calibration {
  /** Crawls by one node, of webs of rising size. */
  readonly runs: readonly NodesRunResult[];
  /** Of them: how they were made. */
  readonly how: Pick<ClusterForecastOptions, 'partitions' | 'concurrency' | 'latencyMs' | 'cores'>;
  readonly commitWaitMs: number;
}

/** The costs that these runs come to. Of PostgreSQL, a page and a transaction keep their proportion: one run cannot tell them apart. */
export function measuredCosts({ runs, how, commitWaitMs }: Calibration): ClusterCosts {
  const [small, next, large] = [runs[0], runs[1] ?? runs[0], runs[runs.length - 1]];
  const points = runs.map(({ pages, nodeSeconds }) => ({ pages, ms: nodeSeconds * 1000 }));
  const slope = next === small ? 0 : ((next.nodeSeconds - small.nodeSeconds) * 1000) / (next.pages - small.pages);
  const startMs = Math.max(0, points[0].ms - Math.max(0, slope) * small.pages);
  const webMs = (1000 * (large.webSeconds - small.webSeconds)) / (large.requests - small.requests);
  const costs: ClusterCosts = {
    ...DEFAULT_COSTS,
    nodeCpu: rising([{ pages: 0, ms: startMs }, ...points]),
    ...{ commitWaitMs, webMs: Math.max(0, webMs) },
    startWaitMs: Math.max(0, small.firstRequestSeconds * 1000 - startMs),
    endWaitMs: Math.max(0, small.afterLastSeconds * 1000),
  };
  const ofDatabase = (run: NodesRunResult): number => {
    const { databaseCores, requestsPerSecond, pages } = forecastCluster({
      ...{ ...how, web: run.web, nodes: 1, delayMs: 0, costs },
    });
    return (databaseCores * 1000 * pages) / ((requestsPerSecond * pages) / run.requests);
  };
  const measured = 1000 * (large.databaseSeconds - small.databaseSeconds);
  const scale = measured / (ofDatabase(large) - ofDatabase(small));
  if (!(scale > 0)) return costs;
  const { databasePageMs, databaseTransactionMs } = costs;
  return {
    ...costs,
    databasePageMs: scale * databasePageMs,
    databaseTransactionMs: scale * databaseTransactionMs,
  };
}

/** A run that took less than a smaller one says nothing of pages. */
function rising(points: ClusterCosts['nodeCpu']): ClusterCosts['nodeCpu'] {
  return points.filter(({ ms, pages }, at) => at === 0 || (ms >= points[at - 1].ms && pages > points[at - 1].pages));
}
