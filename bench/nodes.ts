/**
 * What 1, 2, 4 and 8 nodes on one machine bring, what a page costs, and what the model of clusters makes of it:
 * `npx node bench/nodes.ts [--nodes 1,2,4,8] [--hosts 64] [--pages 40] [--part cost|latency|beats] [--save costs.json]`.
 *
 * cost: the same web with any number of nodes. Pages fetched twice and violations by the log of the servers; processor time of the nodes and of
 * PostgreSQL with all its processes. Once warm: in the second half of the run, when every node has compiled what it runs. Without start: the slope between a small
 * and a large web, which leaves out the start of the processes but not what is compiled later. With it: all that they used, from their start to their end.
 *
 * latency: servers that answer after 200 ms, two requests of a node at a time, as many hosts for each node: requests a second in the middle of the run.
 *
 * Crawls by one node give the model its costs; it then forecasts every number of nodes, and the error is told. Where the machine was not quiet, there is
 * no figure and no error: `--anyway` tells them with a question mark.
 *
 * beats: what PostgreSQL needs for a beat of a node, by the number of partitions, for a look for messages, and for a message.
 *
 * `--simulate 8,1000 [--costs costs.json]` forecasts clusters of any size, a core for each node, and needs neither a database nor a quiet machine.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { PostgresConnection } from '../src/engines/postgres/connection.ts';
import { findPostgres, startPostgres } from '../test/postgres-server.ts';
import { crawlWithNodes, type NodesRun, type NodesRunResult } from './harness/crawl-with-nodes.ts';
import { measureBeats, measureMessages, medianCommitMs } from './harness/database-probes.ts';
import { type ClusterCosts, DEFAULT_COSTS } from './harness/forecast/cluster-costs.ts';
import { type ClusterForecast, forecastCluster } from './harness/forecast/forecast-cluster.ts';
import { largeCluster, largeClusterTable } from './harness/forecast/large-cluster.ts';
import { measuredCosts } from './harness/forecast/measured-costs.ts';
import { disturbance } from './harness/machine-use.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,2,4,8' },
    hosts: { type: 'string', default: '64' },
    pages: { type: 'string', default: '40' },
    part: { type: 'string' },
    anyway: { type: 'boolean', default: false },
    simulate: { type: 'string' },
    costs: { type: 'string' },
    save: { type: 'string' },
  },
});
const counts = values.nodes.split(',').map(Number);
const hosts = Number(values.hosts);
const PARTITIONS = 16;
const QUICK = { crawlDelaySeconds: 0, retryAfterSeconds: 0, slowRobotsMs: 0, seed: 5 } as const;
/** Pages of a host in the crawls that tell what a node uses before its code is compiled. */
const SMALL_PAGES = [1, 4];
const LATENCY_MS = 200;
const AT_ONCE = { cost: 64, latency: 2 } as const;
const HOSTS_PER_NODE = 48;
const PAGES_PER_HOST = 8;
const SHARED = { kind: 'shared', cores: availableParallelism() } as const;

if (values.simulate !== undefined) {
  const costs =
    values.costs === undefined ? DEFAULT_COSTS : (JSON.parse(readFileSync(values.costs, 'utf8')) as ClusterCosts);
  console.log(largeClusterTable(values.simulate.split(',').map((nodes) => largeCluster(Number(nodes), costs))));
} else await measure();

async function measure(): Promise<void> {
  const programs = findPostgres();
  if (typeof programs === 'string') throw new Error(programs);
  await using server = await startPostgres(programs);
  await using store = new PostgresConnection({ url: server.url, schema: 'public' });
  const [[{ file }]] = await store.run([[{ name: '', text: "SELECT pg_read_file('postmaster.pid') AS file" }]]);
  const database = { url: server.url, process: Number(String(file).split('\n')[0]) };
  if (values.part === 'beats') {
    console.log(await measureBeats(database));
    console.log(await measureMessages(database));
    return;
  }
  const crawl = (part: 'cost' | 'latency', nodes: number, pagesPerHost: number): Promise<NodesRunResult> =>
    crawlWithNodes(runOf(part, nodes, pagesPerHost), { ...database, schema: `${part}_${nodes}_${pagesPerHost}` });

  const commitWaitMs = await medianCommitMs(store);
  const large = Number(values.pages);
  const single: NodesRunResult[] = [];
  for (const pages of [...SMALL_PAGES.filter((few) => few < large), large]) single.push(await crawl('cost', 1, pages));
  const how = { partitions: PARTITIONS, concurrency: AT_ONCE.cost, latencyMs: 0, cores: SHARED };
  const costs = measuredCosts({ runs: single, how, commitWaitMs });
  console.log(`Costs by one node: ${JSON.stringify(costs)}`);
  const troubles = single.flatMap(({ use }) => disturbance(use) ?? []);
  if (troubles.length > 0) console.log(`These are not to be trusted: ${troubles[troubles.length - 1]}.`);
  if (values.save !== undefined && (troubles.length === 0 || values.anyway))
    writeFileSync(values.save, `${JSON.stringify(costs, undefined, 2)}\n`);
  const forecast = (part: 'cost' | 'latency', nodes: number, { web, owners }: NodesRunResult): ClusterForecast =>
    forecastCluster({
      ...{ web, nodes, partitions: PARTITIONS, concurrency: AT_ONCE[part], delayMs: 0, costs, cores: SHARED },
      latencyMs: part === 'latency' ? LATENCY_MS : 0,
      owners,
    });

  if (values.part !== 'latency') {
    for (const nodes of counts) {
      const [small, whole] =
        nodes === 1
          ? [single[single.length - 2] ?? single[0], single[single.length - 1]]
          : [await crawl('cost', nodes, SMALL_PAGES[1]), await crawl('cost', nodes, large)];
      const slope = (key: 'nodeSeconds' | 'databaseSeconds'): string =>
        (((whole[key] - small[key]) / (whole.pages - small.pages)) * 1000).toFixed(2);
      console.log(`${nodes} nodes: ${judged(whole)}; ${beside(whole)}`);
      console.log(
        `  CPU-ms a page once warm: nodes ${whole.warm.nodeMs.toFixed(2)}, PostgreSQL ${whole.warm.databaseMs.toFixed(2)} (without start: ${slope('nodeSeconds')}, ${slope('databaseSeconds')}; with it: ${perPage(whole, 'nodeSeconds')}, ${perPage(whole, 'databaseSeconds')})`,
      );
      console.log(compared(whole, forecast('cost', nodes, whole), troubles));
    }
  }
  if (values.part !== 'cost') {
    for (const nodes of counts) {
      const done = await crawl('latency', nodes, PAGES_PER_HOST);
      console.log(`${nodes} nodes at ${LATENCY_MS} ms: ${judged(done)}; ${beside(done)}`);
      console.log(
        `  ${Math.round(100 * done.use.own)} % of all cores; ${LATENCY_MS} ms allow ${((nodes * AT_ONCE.latency * 1000) / LATENCY_MS).toFixed(0)} requests a second`,
      );
      console.log(compared(done, forecast('latency', nodes, done), troubles));
    }
  }
}

function runOf(part: 'cost' | 'latency', nodes: number, pagesPerHost: number): NodesRun {
  const shape = { nodes, partitions: PARTITIONS, concurrency: AT_ONCE[part] };
  if (part === 'cost') return { ...shape, web: { ...QUICK, hosts, pagesPerHost } };
  const web = { ...QUICK, hosts: HOSTS_PER_NODE * nodes, pagesPerHost };
  return { ...shape, web: { ...web, pageBytes: [1_000, 4_000], latencyMs: [LATENCY_MS, LATENCY_MS] } };
}

/** Measured beside forecast. Figures of a machine that was busy with other things are none. */
function compared(done: NodesRunResult, forecast: ClusterForecast, troubles: readonly string[]): string {
  const trouble = disturbance(done.use) ?? troubles[0];
  const rows: readonly (readonly [string, number, number])[] = [
    ['requests a second, middle of the run', done.requestsPerSecond, forecast.requestsPerSecond],
    ['seconds in all', done.wallSeconds, forecast.seconds],
    ['messages a page', done.messages / done.pages, forecast.messagesPerPage],
    ['share of the busiest node', done.largestShare, forecast.largestShare],
  ];
  const line = ([name, measured, expected]: (typeof rows)[number]): string => {
    const told = `  ${name}: forecast ${expected.toFixed(2)}`;
    const isTimed = name.includes('second');
    if (trouble !== undefined && isTimed && !values.anyway) return `${told}, measured - (${trouble})`;
    const mark = trouble !== undefined && isTimed ? ` ? (${trouble})` : '';
    return `${told}, measured ${measured.toFixed(2)}, error ${(100 * (expected / measured - 1)).toFixed(1)} %${mark}`;
  };
  return rows.map(line).join('\n');
}

function judged({ pages, wrong, twice, violations }: NodesRunResult): string {
  return `${pages} pages, ${wrong} wrong, ${twice} twice, ${violations.length} violations${violations.length > 0 ? ` (${violations.join(', ')})` : ''}`;
}

function perPage(done: NodesRunResult, key: 'nodeSeconds' | 'databaseSeconds'): string {
  return ((done[key] / done.pages) * 1000).toFixed(2);
}

function beside({ pages, messages, largestShare, simulated }: NodesRunResult): string {
  const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
  return (
    `messages a page ${(messages / pages).toFixed(3)} (simulated ${(simulated.messages / pages).toFixed(3)}), ` +
    `busiest node ${share(largestShare)} (simulated ${share(simulated.largestShare)})`
  );
}
