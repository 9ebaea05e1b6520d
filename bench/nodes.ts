/**
 * What 1, 2, 4 and 8 nodes on one machine bring, what a page costs, and what the model of clusters makes of it:
 * `npx node bench/nodes.ts [--nodes 1,2,4,8] [--hosts 64] [--pages 100] [--partitions 128] [--part cost|latency|apart|beats] [--save costs.json] [--costs costs.json]`.
 * Without `--partitions` each node has 16, as crawls of different sizes have; with it all runs have as many, as one crawl has that grows and shrinks.
 *
 * cost: the same web with any number of nodes. Pages fetched twice and violations by the log of the servers; processor time of the nodes and of
 * PostgreSQL with all its processes. Once warm: in the second half of the run, when every node has compiled most of what it runs. With all: from the start of the
 * processes to their end.
 *
 * latency: servers that answer after 200 ms, two requests of a node at a time, as many hosts for each node: requests a second in the middle of the run.
 *
 * A crawl by one node, of a web of its own, gives the model its costs. It takes turns with the crawl that is forecast, over a PostgreSQL of its own, so that a
 * machine that changes its speed changes it for both; all times are those of their turns. The error of the forecast is told. It is given the cores that other
 * processes left (where these used more than 5 % of the machine, that is told besides). `--save` writes the mean costs of all of them, and with `--costs` they are
 * read instead of measured.
 *
 * apart: as many crawls at once, of one node and one web each, which have nothing to do with each other. Each has the share of `--hosts` that a node of the
 * most nodes has. What they cost more than one crawl alone is what sharing the machine costs; what nodes of one crawl cost beyond that is their own.
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
import { type CrawlTurn, CrawlTurns } from './harness/crawl-turns.ts';
import { crawlWithNodes, type NodesRun, type NodesRunResult } from './harness/crawl-with-nodes.ts';
import { crawlsApart } from './harness/crawls-apart.ts';
import { measureBeats, measureMessages, medianCommitMs } from './harness/database-probes.ts';
import { type ClusterCosts, DEFAULT_COSTS } from './harness/forecast/cluster-costs.ts';
import type { ClusterForecast } from './harness/forecast/cluster-forecast.ts';
import { forecastCluster } from './harness/forecast/forecast-cluster.ts';
import { largeCluster, largeClusterTable } from './harness/forecast/large-cluster.ts';
import { availableCores, measuredCosts } from './harness/forecast/measured-costs.ts';
import { disturbance } from './harness/machine-use.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,2,4,8' },
    hosts: { type: 'string', default: '64' },
    pages: { type: 'string', default: '100' },
    partitions: { type: 'string' },
    part: { type: 'string' },
    simulate: { type: 'string' },
    costs: { type: 'string' },
    save: { type: 'string' },
  },
});
const counts = values.nodes.split(',').map(Number);
const hosts = Number(values.hosts);
const partitionsOf = (nodes: number): number =>
  values.partitions === undefined ? 16 : Number(values.partitions) / nodes;
for (const nodes of counts)
  if (!Number.isInteger(partitionsOf(nodes)))
    throw new Error(`--partitions ${values.partitions} is to be a multiple of each number of --nodes ${values.nodes}.`);
if (values.part === 'apart' && hosts % Math.max(...counts) !== 0)
  throw new Error(`--hosts ${values.hosts} is to be a multiple of the most of --nodes ${values.nodes}.`);
const QUICK = { crawlDelaySeconds: 0, retryAfterSeconds: 0, slowRobotsMs: 0 } as const;
/** Costs are read from other webs than those that are forecast. */
const SEED = { forecast: 5, calibration: 6 } as const;
const LATENCY_MS = 200;
const AT_ONCE = { cost: 64, latency: 2 } as const;
const HOSTS_PER_NODE = 48;
const PAGES_PER_HOST = 8;
const CORES = availableParallelism();

if (values.simulate !== undefined) {
  const costs = savedCosts() ?? DEFAULT_COSTS;
  console.log(largeClusterTable(values.simulate.split(',').map((nodes) => largeCluster(Number(nodes), costs))));
} else await measure();

async function measure(): Promise<void> {
  const programs = findPostgres();
  if (typeof programs === 'string') throw new Error(programs);
  await using server = await startPostgres(programs);
  const database: Database = { url: server.url, process: await processOf(server.url) };
  await using store = new PostgresConnection({ url: database.url, schema: 'public' });
  if (values.part === 'beats') {
    console.log(await measureBeats(database));
    console.log(await measureMessages(database));
    return;
  }
  let runs = 0;
  if (values.part === 'apart') {
    const ofEach = hosts / Math.max(...counts);
    for (const nodes of counts) {
      const web = { ...QUICK, seed: SEED.forecast, hosts: ofEach, pagesPerHost: Number(values.pages) };
      const run = { nodes, partitions: partitionsOf(Math.max(...counts)), concurrency: AT_ONCE.cost, web };
      const done = await crawlsApart(run, { ...database, schema: `apart_${++runs}` });
      console.log(
        `${nodes} crawls apart: ${done.pages} pages; CPU-ms a page once warm: nodes ${done.warmNodeMs.toFixed(2)} (with all: ${done.nodeMs.toFixed(2)}, PostgreSQL ${done.databaseMs.toFixed(2)})`,
      );
    }
    return;
  }
  // A schema for each run: the database counts what was ever written to its tables.
  const crawl = (
    part: 'cost' | 'latency',
    nodes: number,
    pagesPerHost: number,
    turn?: CrawlTurn,
  ): Promise<NodesRunResult> =>
    crawlWithNodes(runOf(part, nodes, pagesPerHost), { ...database, schema: `${part}_${nodes}_${++runs}` }, turn);
  /** Over a server of its own, whose time is its own, too. */
  const calibrate = async (turn: CrawlTurn): Promise<NodesRunResult> => {
    await using other = await startPostgres(programs);
    const web = { ...QUICK, seed: SEED.calibration, hosts, pagesPerHost: Number(values.pages) };
    const run = { nodes: 1, partitions: partitionsOf(1), concurrency: AT_ONCE.cost, web };
    return await crawlWithNodes(run, { url: other.url, process: await processOf(other.url), schema: 'alone' }, turn);
  };

  const saved = savedCosts();
  const alone: NodesRunResult[] = [];
  const beside = async (part: 'cost' | 'latency', nodes: number, pagesPerHost: number): Promise<Beside> => {
    if (saved !== undefined) return { done: await crawl(part, nodes, pagesPerHost), costs: saved };
    const commitWaitMs = await medianCommitMs(store);
    const [first, second] = new CrawlTurns(2).all;
    const [done, one] = await Promise.all([crawl(part, nodes, pagesPerHost, first), calibrate(second)]);
    alone.push(one);
    return { done, costs: costsOf([one], commitWaitMs), alone: one };
  };
  const forecast = (part: 'cost' | 'latency', nodes: number, { done, costs }: Beside): ClusterForecast => {
    const { web, owners, course, stops } = done;
    return forecastCluster({
      ...{ web, nodes, partitions: partitionsOf(nodes), concurrency: AT_ONCE[part], delayMs: 0, owners, costs, stops },
      cores: { kind: 'shared', cores: availableCores(course, CORES) },
      latencyMs: part === 'latency' ? LATENCY_MS : 0,
    });
  };

  if (values.part !== 'latency') {
    for (const nodes of counts) {
      const run = await beside('cost', nodes, Number(values.pages));
      const { done, costs } = run;
      console.log(`${nodes} nodes: ${judged(done)}; ${simulatedBeside(done)}`);
      const one =
        run.alone === undefined ? '' : `, ${warmBeside(done, run.alone).toFixed(2)} of one node by turns with them`;
      console.log(
        `  CPU-ms a page once warm: nodes ${done.warm.nodeMs.toFixed(2)}, PostgreSQL ${done.warm.databaseMs.toFixed(2)}${one} (with all: ${perPage(done, 'nodeSeconds').toFixed(2)}, ${perPage(done, 'databaseSeconds').toFixed(2)})`,
      );
      console.log(compared(done, forecast('cost', nodes, run), costs));
    }
  }
  if (values.part !== 'cost') {
    for (const nodes of counts) {
      const run = await beside('latency', nodes, PAGES_PER_HOST);
      const { done } = run;
      console.log(`${nodes} nodes at ${LATENCY_MS} ms: ${judged(done)}; ${simulatedBeside(done)}`);
      console.log(
        `  ${Math.round(100 * done.use.own)} % of all cores; ${LATENCY_MS} ms allow ${((nodes * AT_ONCE.latency * 1000) / LATENCY_MS).toFixed(0)} requests a second`,
      );
      console.log(compared(done, forecast('latency', nodes, run), undefined));
    }
  }
  if (alone.length === 0) return;
  const costs = costsOf(alone, await medianCommitMs(store));
  console.log(`Costs by one node: ${JSON.stringify(costs)}`);
  if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify(costs, undefined, 2)}\n`);
}

interface Database {
  readonly url: string;
  readonly process: number;
}

async function processOf(url: string): Promise<number> {
  await using store = new PostgresConnection({ url, schema: 'public' });
  const [[{ file }]] = await store.run([[{ name: '', text: "SELECT pg_read_file('postmaster.pid') AS file" }]]);
  return Number(String(file).split('\n')[0]);
}

function costsOf(runs: readonly NodesRunResult[], commitWaitMs: number): ClusterCosts {
  return measuredCosts({ runs, partitions: partitionsOf(1), commitWaitMs });
}

/** A crawl by several nodes, the costs that it is forecast by, and the crawl by one node alone that these were read from. */
interface Beside {
  readonly done: NodesRunResult;
  readonly costs: ClusterCosts;
  readonly alone?: NodesRunResult;
}

/** What a page costs once warm, as a part of what it costs one node. */
function warmBeside(done: NodesRunResult, alone: NodesRunResult): number {
  const together = ({ warm }: NodesRunResult): number => warm.nodeMs + warm.databaseMs;
  return together(done) / together(alone);
}

function savedCosts(): ClusterCosts | undefined {
  if (values.costs === undefined) return undefined;
  const saved = JSON.parse(readFileSync(values.costs, 'utf8')) as ClusterCosts;
  const missing = Object.keys(DEFAULT_COSTS).filter((name) => !(name in saved));
  if (missing.length > 0)
    throw new Error(`${values.costs} lacks ${missing.join(', ')}: take the costs again with --save.`);
  return saved;
}

function runOf(part: 'cost' | 'latency', nodes: number, pagesPerHost: number): NodesRun {
  const shape = { nodes, partitions: partitionsOf(nodes), concurrency: AT_ONCE[part] };
  const quick = { ...QUICK, seed: SEED.forecast, pagesPerHost };
  if (part === 'cost') return { ...shape, web: { ...quick, hosts } };
  const web = { ...quick, hosts: HOSTS_PER_NODE * nodes };
  return { ...shape, web: { ...web, pageBytes: [1_000, 4_000], latencyMs: [LATENCY_MS, LATENCY_MS] } };
}

/** Measured beside forecast. What pages cost is known of those that costs were read from: none of the part with small pages. */
function compared(done: NodesRunResult, forecast: ClusterForecast, costs: ClusterCosts | undefined): string {
  const { use, course, pages, wallSeconds } = done;
  const standingMs = (1000 * wallSeconds * (forecast.beatCores + forecast.lookCores)) / pages;
  const isBusy = disturbance(use) !== undefined;
  const ofCosts: readonly Compared[] = [
    ['CPU-ms a page of nodes, with all', perPage(done, 'nodeSeconds'), forecast.nodeMsPerPage],
    ['CPU-ms a page of PostgreSQL', perPage(done, 'databaseSeconds'), forecast.databaseMsPerPage + standingMs],
  ];
  const rows: readonly Compared[] = [
    ['requests a second, middle of the run', done.requestsPerSecond, forecast.requestsPerSecond],
    // How long starts and ends take depends on when others let go of the machine.
    ...(isBusy ? [] : [['seconds in all', wallSeconds, forecast.seconds] as const]),
    ...(costs === undefined ? [] : ofCosts),
    ['transactions a page', done.transactions / pages, forecast.transactionsPerPage],
    ['messages a page', done.messages / pages, forecast.messagesPerPage],
    ['share of the busiest node', done.largestShare, forecast.largestShare],
  ];
  const line = ([name, measured, expected]: Compared): string =>
    `  ${name}: forecast ${expected.toFixed(2)}, measured ${measured.toFixed(2)}, error ${(100 * (expected / measured - 1)).toFixed(1)} %`;
  const left = `  ${disturbance(use)}: ${availableCores(course, CORES).toFixed(2)} cores of ${CORES} were left in the middle of the run`;
  return [...(isBusy ? [left] : []), ...rows.map(line)].join('\n');
}

type Compared = readonly [name: string, measured: number, expected: number];

function judged({ pages, wrong, twice, violations }: NodesRunResult): string {
  return `${pages} pages, ${wrong} wrong, ${twice} twice, ${violations.length} violations${violations.length > 0 ? ` (${violations.join(', ')})` : ''}`;
}

function perPage(done: NodesRunResult, key: 'nodeSeconds' | 'databaseSeconds'): number {
  return (done[key] / done.pages) * 1000;
}

function simulatedBeside({ pages, messages, largestShare, simulated }: NodesRunResult): string {
  const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
  return (
    `messages a page ${(messages / pages).toFixed(3)} (simulated ${(simulated.messages / pages).toFixed(3)}), ` +
    `busiest node ${share(largestShare)} (simulated ${share(simulated.largestShare)})`
  );
}
