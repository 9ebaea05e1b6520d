/**
 * What a page costs with 1, 2, 4 and 8 nodes on one machine: `npx node bench/cluster-cost.ts [--nodes 1,2,4,8] [--hosts 60] [--pages 30]`.
 * Processor time of the nodes and of PostgreSQL, each of all its processes.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PostgresConnection } from '../src/engines/postgres/connection.ts';
import { startSyntheticWeb } from '../src/simulate/server/web-server.ts';
import { ClusterOfNodes } from '../test/cluster-of-nodes.ts';
import { findPostgres, startPostgres } from '../test/postgres-server.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,2,4,8' },
    hosts: { type: 'string', default: '60' },
    pages: { type: 'string', default: '30' },
  },
});

/** Of the server, with those of its processes that have ended: connections come and go. */
function serverSeconds(server: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number);
      if (Number(pid) === server) ticks += stat[11] + stat[12] + stat[13] + stat[14];
      else if (stat[1] === server) ticks += stat[11] + stat[12];
    } catch {
      // It has ended.
    }
  }
  return ticks / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}

const programs = findPostgres();
if (typeof programs === 'string') throw new Error(programs);
await using server = await startPostgres(programs);
await using store = new PostgresConnection({ url: server.url, schema: 'public' });
const [[{ file }]] = await store.run([[{ name: '', text: "SELECT pg_read_file('postmaster.pid') AS file" }]]);
const postmaster = Number(String(file).split('\n')[0]);

for (const count of values.nodes.split(',').map(Number)) {
  await using web = await startSyntheticWeb({
    ...{ hosts: Number(values.hosts), pagesPerHost: Number(values.pages), crawlDelaySeconds: 0, retryAfterSeconds: 0 },
    ...{ slowRobotsMs: 0, seed: 5, robots: { broken: 0 } },
  });
  await using cluster = new ClusterOfNodes({
    ...{ web, url: server.url, schema: `cost_${count}`, partitions: 16 * count, leaseMs: 60_000, delayMs: 100 },
  });
  await cluster.create();
  const before = serverSeconds(postmaster);
  const nodes = Array.from({ length: count }, (_, at) => cluster.join(at));
  const ends = await Promise.all(nodes.map(({ ended }) => ended));
  const brought = ends.map(({ stdout, stderr }) => {
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as { pages: number; cpuSeconds: number; seconds: number };
  });
  const sumOf = (key: 'pages' | 'cpuSeconds'): number => brought.reduce((sum, one) => sum + one[key], 0);
  const pages = sumOf('pages');
  const perPage = (seconds: number): string => ((seconds / pages) * 1000).toFixed(2);
  console.log(
    `${count} nodes, ${16 * count} partitions: ${pages} pages, nodes ${perPage(sumOf('cpuSeconds'))} ms of CPU a page, ` +
      `PostgreSQL ${perPage(serverSeconds(postmaster) - before)} ms, ${Math.max(...brought.map(({ seconds }) => seconds)).toFixed(0)} s`,
  );
}
