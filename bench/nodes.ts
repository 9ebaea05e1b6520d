/**
 * What 1, 2, 4 and 8 nodes on one machine bring, and what a page costs: `npx node bench/nodes.ts [--nodes 1,2,4,8] [--hosts 64] [--pages 40] [--part cost|latency]`.
 *
 * cost: the same web with any number of nodes. Pages fetched twice and violations by the log of the servers; processor time of the nodes and of
 * PostgreSQL with all its processes. The cost of a page leaves out what starting costs: it is the slope between a small and a large web.
 *
 * latency: servers that answer after 200 ms, two requests of a node at a time, as many hosts for each node: pages a second in the middle of the run.
 *
 * Both beside what the simulator makes of the same web.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { PostgresConnection } from '../src/engines/postgres/connection.ts';
import { findPostgres, startPostgres } from '../test/postgres-server.ts';
import { crawlWithNodes, type NodesRunResult } from './harness/crawl-with-nodes.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,2,4,8' },
    hosts: { type: 'string', default: '64' },
    pages: { type: 'string', default: '40' },
    part: { type: 'string' },
  },
});
const counts = values.nodes.split(',').map(Number);
const PARTITIONS = 16;
const QUICK = { crawlDelaySeconds: 0, retryAfterSeconds: 0, slowRobotsMs: 0, seed: 5 } as const;
const SMALL_PAGES = 4;
const LATENCY_MS = 200;
const AT_ONCE = 2;
const HOSTS_PER_NODE = 48;
const PAGES_PER_HOST = 8;

const programs = findPostgres();
if (typeof programs === 'string') throw new Error(programs);
await using server = await startPostgres(programs);
await using store = new PostgresConnection({ url: server.url, schema: 'public' });
const [[{ file }]] = await store.run([[{ name: '', text: "SELECT pg_read_file('postmaster.pid') AS file" }]]);
const database = { url: server.url, process: Number(String(file).split('\n')[0]) };

if (values.part !== 'latency') {
  for (const nodes of counts) {
    const run = (pagesPerHost: number): Promise<NodesRunResult> =>
      crawlWithNodes(
        {
          nodes,
          partitions: PARTITIONS,
          concurrency: 64,
          web: { ...QUICK, hosts: Number(values.hosts), pagesPerHost },
        },
        { ...database, schema: `cost_${nodes}_${pagesPerHost}` },
      );
    const small = await run(SMALL_PAGES);
    const large = await run(Number(values.pages));
    const slope = (key: 'nodeSeconds' | 'databaseSeconds'): string =>
      (((large[key] - small[key]) / (large.pages - small.pages)) * 1000).toFixed(2);
    console.log(
      `${nodes} nodes: ${judged(large)}; CPU-ms a page: nodes ${slope('nodeSeconds')}, PostgreSQL ${slope('databaseSeconds')} ` +
        `(with start: ${perPage(large, 'nodeSeconds')}, ${perPage(large, 'databaseSeconds')}); ${beside(large)}`,
    );
  }
}
if (values.part !== 'cost') {
  for (const nodes of counts) {
    const web = { ...QUICK, hosts: HOSTS_PER_NODE * nodes, pagesPerHost: PAGES_PER_HOST };
    const done = await crawlWithNodes(
      {
        ...{ nodes, partitions: PARTITIONS, concurrency: AT_ONCE },
        web: { ...web, pageBytes: [1_000, 4_000], latencyMs: [LATENCY_MS, LATENCY_MS] },
      },
      { ...database, schema: `latency_${nodes}` },
    );
    const { nodeSeconds, databaseSeconds, webSeconds, wallSeconds } = done;
    const used = (nodeSeconds + databaseSeconds + webSeconds) / (wallSeconds * availableParallelism());
    console.log(
      `${nodes} nodes at ${LATENCY_MS} ms: ${judged(done)}; ${done.requestsPerSecond.toFixed(2)} requests a second of ` +
        `${((nodes * AT_ONCE * 1000) / LATENCY_MS).toFixed(0)}; ${Math.round(100 * used)} % of all cores; simulated ` +
        `${((done.simulated.pagesPerStep * 1000) / LATENCY_MS).toFixed(2)} over the whole run, ${(done.pages / wallSeconds).toFixed(2)} real; ${beside(done)}`,
    );
  }
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
