import { createConnection } from 'node:net';
import { parseArgs } from 'node:util';
import { audit } from '../../src/simulate/audit/audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { ClusterOfNodes } from '../cluster-of-nodes.ts';
import { findPostgres, startPostgres } from '../postgres-server.ts';
import { ClusterFaults, type MortalDatabase } from './cluster/cluster-faults.ts';
import { findPatroni, PatroniServers } from './cluster/patroni-servers.ts';
import { TakeoverWatch } from './cluster/takeover-watch.ts';

/**
 * Crawls synthetic webs with several nodes, one after the other, while nodes are killed, held past their lease, cut off from the database, stopped,
 * drained and started again, and the database is killed; judges each crawl by the log of its servers, its state and its archives:
 * npm run soak:cluster -- --minutes 10 --nodes 3
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    nodes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    /** Things go wrong for so long in each crawl. */
    'fault-seconds': { type: 'string', default: '60' },
    'pages-per-host': { type: 'string', default: '30' },
    /** synchronous_commit of the server; by turns where it is not given. */
    sync: { type: 'string' },
    /** Two servers that Patroni watches: a primary that is killed is replaced by its copy. */
    patroni: { type: 'boolean', default: false },
  },
});
const until = Date.now() + Number(values.minutes) * 60_000;
const count = Number(values.nodes);
const DELAY = 300;
const LEASE = 4000;
const TOTAL_TIMEOUT = 6000;
const MOST_AFTER_FAULTS_MS = 4 * 60_000;

/** The database of a round. */
interface RoundDatabase extends MortalDatabase, AsyncDisposable {
  readonly url: string;
  /** From the death of a primary to the next one, each. */
  readonly failoverMs?: readonly number[];
}

const startDatabase = databaseStarter();

let failed = 0;
const takeovers = new Map<string, number[]>();
for (let round = 0, seed = Number(values.seed); Date.now() < until; round++, seed++) {
  const sync = values.sync ?? ['on', 'off'][round % 2];
  await using database = await startDatabase(sync);
  await using web = await startSyntheticWeb({
    ...{ hosts: 20, pagesPerHost: Number(values['pages-per-host']), crawlDelaySeconds: 0.5, retryAfterSeconds: 1 },
    ...{ slowRobotsMs: 50, latencyMs: [0, 1500], seed, pageBytes: [1_000, 16_000] },
  });
  const schema = `soak_${round}`;
  await using cluster = new ClusterOfNodes({
    ...{ web, url: database.url, schema, partitions: 16 * count, leaseMs: LEASE, delayMs: DELAY },
    settings: { totalTimeout: TOTAL_TIMEOUT },
  });
  await cluster.create();
  await using watch = new TakeoverWatch(database.url, schema);
  await using faults = new ClusterFaults({ cluster, database, schema, watch, nodes: count, leaseMs: LEASE, seed });
  await faults.start();
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(), Number(values['fault-seconds']) * 1000);
  const looking = setInterval(() => faults.anyEnded && quiet.abort(), 500);
  await faults.run(quiet.signal);
  clearTimeout(timer);
  clearInterval(looking);
  const { problems } = faults;
  let late: NodeJS.Timeout | undefined;
  const isOver = await Promise.race([
    faults.ended().then(() => true),
    new Promise<boolean>((resolve) => {
      late = setTimeout(() => resolve(false), MOST_AFTER_FAULTS_MS);
    }),
  ]);
  clearTimeout(late);
  if (!isOver) problems.push(`not over after ${MOST_AFTER_FAULTS_MS} ms: ${JSON.stringify(await cluster.view())}`);
  const { refetched, pages } = await judge();
  failed += problems.length > 0 ? 1 : 0;
  for (const [fault, times] of watch.times) takeovers.set(fault, [...(takeovers.get(fault) ?? []), ...times]);
  const sum = `${pages} pages, ${web.log.length} requests, ${refetched} pages fetched again, ${JSON.stringify(faults.counts)}`;
  const failovers =
    database.failoverMs === undefined ? '' : `, another primary after ${database.failoverMs.join(', ')} ms`;
  process.stdout.write(
    `round ${round} (seed ${seed}, synchronous_commit ${sync}): ${problems.length === 0 ? 'ok' : 'FAILED'}, ${sum}${failovers}\n`,
  );
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  if (problems.length > 0) process.stdout.write(`    ${faults.trace.join('\n    ')}\n`);

  async function judge(): Promise<{ refetched: number; pages: number }> {
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    const pages = await cluster.pages();
    const wanted = new Set(expected.urls('stored'));
    const missed = [...wanted].filter((url) => !pages.has(url));
    const unexpected = [...pages.keys()].filter((url) => !wanted.has(url));
    const twice = [...pages].filter(([, times]) => times !== 1);
    const report = audit(web.log, expected, { minGapMs: DELAY, toleranceMs: 0, maxWasted: Number.POSITIVE_INFINITY });
    // An answer that nobody lived to settle is asked for again.
    const failures = report.failures.filter((name) => name !== 'repeated');
    if (missed.length + unexpected.length + twice.length + failures.length > 0) {
      const found = failures.map((name) => [name, Reflect.get(report, name)]);
      const { hostGap, parallelRequests } = report;
      problems.push(JSON.stringify({ missed, unexpected, twice, found, hostGap, parallelRequests }));
    }
    if (isOver) {
      const checked = await cluster.call('check', '--store', cluster.store);
      if (checked.status !== 0) problems.push(`check: ${checked.stdout}${checked.stderr}`);
    }
    return { refetched: report.wasted.count, pages: pages.size };
  }
}
for (const [fault, times] of takeovers) {
  const sorted = times.sort((a, b) => a - b);
  const [median, most] = [sorted[sorted.length >> 1], sorted.at(-1)];
  process.stdout.write(
    `takeover after a node was ${fault}: median ${median} ms, at most ${most} ms, ${times.length} partitions (lease ${LEASE} ms)\n`,
  );
}
process.exitCode = failed > 0 ? 1 : 0;

function databaseStarter(): (sync: string) => Promise<RoundDatabase> {
  if (values.patroni) {
    const programs = findPatroni();
    if (typeof programs === 'string') throw new Error(programs);
    return (sync) => PatroniServers.start(programs, { synchronous_commit: sync });
  }
  const programs = findPostgres();
  if (typeof programs === 'string') throw new Error(programs);
  return async (sync) => {
    const server = await startPostgres(programs, [`synchronous_commit=${sync}`]);
    return { ...server, connect: () => createConnection(server.socket) };
  };
}
