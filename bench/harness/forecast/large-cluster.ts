import { SyntheticWeb } from '../../../src/simulate/model/synthetic-web.ts';
import { PLAIN_SHARES, webSpec } from '../../../src/simulate/model/web-spec.ts';
import type { ClusterCosts } from './cluster-costs.ts';
import type { ClusterForecast } from './cluster-forecast.ts';
import { forecastCluster } from './forecast-cluster.ts';

export interface LargeCluster extends ClusterForecast {
  readonly nodes: number;
  readonly partitions: number;
}

const PARTITIONS = 16;
/** Of a crawl: the number is a power of two that the state can have. */
const MOST_PARTITIONS = 16_384;
const CONCURRENCY = 64;
const LATENCY_MS = 200;
const DELAY_MS = 1000;
/** So many that processors, not the rests of hosts, bound a node. */
const HOSTS_PER_NODE = 100;
const PAGES_PER_HOST = 10;
/** More than any cluster here needs: the forecast tells how many are used. */
const DATABASE_CORES = 1000;

/** A default crawl by many nodes, each with a core of its own: hosts rest for a second, servers answer after 200 ms. */
export function largeCluster(nodes: number, costs: ClusterCosts): LargeCluster {
  const spec = webSpec({ ...PLAIN_SHARES, hosts: HOSTS_PER_NODE * nodes, pagesPerHost: PAGES_PER_HOST, seed: 1 });
  const model = new SyntheticWeb(spec, { mode: 'names', port: 80, hostsPerAddress: 0 });
  const pages = spec.hosts * spec.pagesPerHost;
  const partitions = Math.min(PARTITIONS, Math.floor(MOST_PARTITIONS / nodes));
  const forecast = forecastCluster({
    ...{ nodes, partitions, concurrency: CONCURRENCY, latencyMs: LATENCY_MS, delayMs: DELAY_MS, costs },
    cores: { kind: 'apart', nodesPerMachine: 1, machineCores: 1, databaseCores: DATABASE_CORES },
    web: {
      pages,
      host: (page) => `h${model.hostOfPage(page)}.example`,
      links: (page) => model.links(page).flatMap(({ to }) => (to < pages ? [to] : [])),
      seeds: Array.from({ length: spec.hosts }, (_, host) => host * spec.pagesPerHost),
    },
  });
  return { ...forecast, nodes, partitions: nodes * partitions };
}

/** A table in Markdown. */
export function largeClusterTable(clusters: readonly LargeCluster[]): string {
  const rows: readonly (readonly [string, (cluster: LargeCluster) => string])[] = [
    ['nodes', ({ nodes }) => count(nodes)],
    ['partitions', ({ partitions }) => count(partitions)],
    ['pages crawled', ({ pages }) => count(pages)],
    ['requests a second', ({ requestsPerSecond }) => count(requestsPerSecond)],
    ['a node, a second', ({ requestsPerSecond, nodes }) => (requestsPerSecond / nodes).toFixed(1)],
    ['busiest node, times the mean', ({ largestShare, nodes }) => (largestShare * nodes).toFixed(2)],
    ['messages a page', ({ messagesPerPage }) => messagesPerPage.toFixed(2)],
    ['transactions a page', ({ transactionsPerPage }) => transactionsPerPage.toFixed(2)],
    ['cores of PostgreSQL for pages', ({ databaseCores }) => databaseCores.toFixed(1)],
    ['cores of PostgreSQL for looks for messages', ({ lookCores }) => lookCores.toFixed(1)],
    ['cores of PostgreSQL for beats', ({ beatCores }) => beatCores.toFixed(1)],
  ];
  const cells = rows.map(([name, told]) => [name, ...clusters.map(told)]);
  const [head, ...rest] = cells;
  return [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rest]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}
