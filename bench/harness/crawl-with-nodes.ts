import { setTimeout } from 'node:timers/promises';
import type { ClusterView } from '../../src/contracts/state/nodes.ts';
import type { HostKey } from '../../src/contracts/url.ts';
import { PostgresConnection } from '../../src/engines/postgres/connection.ts';
import { partitionOf } from '../../src/frontier/partition-of.ts';
import { simulateCluster } from '../../src/laboratory/cluster/simulate-cluster.ts';
import { type RecordedGraph, RecordedGraphBuilder } from '../../src/laboratory/replay/recorded-graph.ts';
import { audit } from '../../src/simulate/audit/audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import type { WebModel } from '../../src/simulate/model/web-model.ts';
import { PLAIN_SHARES, type WebSpecOverrides } from '../../src/simulate/model/web-spec.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { ClusterOfNodes } from '../../test/cluster-of-nodes.ts';
import { type CrawlTurn, CrawlTurns } from './crawl-turns.ts';
import type { ForecastWeb } from './forecast/cluster-forecast.ts';
import { type MachineUse, machineUse, type UsedTicks } from './machine-use.ts';
import { firstThreadSeconds, processSeconds, SecondsOfProcesses, serverSeconds } from './process-seconds.ts';

export interface NodesRun {
  readonly nodes: number;
  /** Of each node. */
  readonly partitions: number;
  readonly concurrency: number;
  readonly web: WebSpecOverrides;
}

/** CPU-ms a request of nodes that have compiled what they run. */
export interface WarmCosts {
  readonly nodeMs: number;
  readonly databaseMs: number;
}

/** What a crawl by several nodes has come to, by the servers' log, the database and the processes. */
export interface NodesRunResult {
  readonly pages: number;
  /** Pages that the truth has and the crawl has not, or the other way round. */
  readonly wrong: number;
  readonly twice: number;
  readonly violations: readonly string[];
  /** Processor time, from the start of the processes to their end. */
  readonly nodeSeconds: number;
  readonly databaseSeconds: number;
  /** Of the second half of the run, without its end. */
  readonly warm: WarmCosts;
  /** What was used so far, at some moments of the run; none of those that it was too short for. */
  readonly course: readonly UsedSoFar[];
  /** Of all partitions, as their owners have counted them. */
  readonly transactions: number;
  /** This process: the servers of the web. */
  readonly webSeconds: number;
  readonly wallSeconds: number;
  /** In the middle of the run, by the servers' log. */
  readonly requestsPerSecond: number;
  readonly messages: number;
  readonly largestShare: number;
  /** All, with those for robots.txt. */
  readonly requests: number;
  /** From the start of the nodes to the first request, and from the last to their end. */
  readonly firstRequestSeconds: number;
  readonly afterLastSeconds: number;
  /** Between the first requests to hosts of two partitions: how fast partitions are opened. */
  readonly openEverySeconds: number;
  /** When it had to stop for others, in ms. */
  readonly stops: readonly number[];
  readonly use: MachineUse;
  readonly simulated: {
    readonly messages: number;
    readonly largestShare: number;
  };
  /** What was crawled, for the forecast. */
  readonly web: ForecastWeb;
  /** The node that had each partition in the middle of the run: which it is depends on who came first. Undefined where some had none. */
  readonly owners: readonly number[] | undefined;
}

/** Shares of the requests between which the rate is taken: nodes start and end one after the other. */
const [FROM, TO] = [0.25, 0.75];
/** Shares of the pages between which nodes count as warm. */
export const [WARM_FROM, WARM_TO] = [0.5, 0.9];
const COURSE = [0.01, 0.03, 0.1, FROM, WARM_FROM, TO, WARM_TO] as const;
export const LOOK_EVERY_MS = 100;

/**
 * Gaps between turns are longer than any wait of a crawl should be: nothing is given up for them.
 */
const PATIENT = { headersTimeout: 600_000, bodyTimeout: 600_000, totalTimeout: 600_000, lease: 3_600_000 } as const;
const LEASE_MS = 600_000;

/** Crawls a web with real nodes over a real database, and lets the simulator do the same. All times are those of its turns. */
export async function crawlWithNodes(
  run: NodesRun,
  database: { readonly url: string; readonly schema: string; readonly process: number },
  turn: CrawlTurn = new CrawlTurns(1).all[0],
): Promise<NodesRunResult> {
  const { nodes: count, partitions, concurrency } = run;
  const { url, schema } = database;
  await using web = await startSyntheticWeb({ ...PLAIN_SHARES, ...run.web });
  await using cluster = new ClusterOfNodes({
    ...{ web, url, schema, partitions: partitions * count, leaseMs: LEASE_MS, delayMs: 0, settings: PATIENT },
  });
  await cluster.create();
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  const pagesOfWeb = expected.urls('stored').length;
  await turn.begin();
  const server = serverSeconds(database.process);
  const nodes = Array.from({ length: count }, (_, at) => cluster.join(at, '--concurrency', String(concurrency)));
  const pids = nodes.flatMap(({ child }) => child.pid ?? []);
  turn.follow(pids, () => web.log.length / pagesOfWeb);
  using nodeUse = new SecondsOfProcesses(pids);
  const used = (): Omit<UsedSoFar, 'share'> => {
    const { wallSeconds, ownSeconds, busy, stolen } = turn.used;
    return {
      requests: web.log.length,
      nodes: processSeconds(pids),
      firstThreads: firstThreadSeconds(pids),
      database: serverSeconds(database.process) - server,
      ...{ web: ownSeconds, machine: { busy, stolen }, at: wallSeconds * 1000 },
    };
  };
  const ends = Promise.all(nodes.map((node) => node.ended));
  let owners: readonly number[] | undefined;
  const course = await usedInCourse(
    ends,
    (share) => web.log.length >= share * pagesOfWeb,
    async (share) => {
      if (share >= WARM_FROM) owners ??= ownersIn(await cluster.view());
      return used();
    },
  );
  const brought = (await ends).map(({ stdout, stderr }) => {
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as { pages: number };
  });
  turn.end();
  const databaseSeconds = serverSeconds(database.process) - server;
  const { wallSeconds, ownSeconds, kernelSeconds, busy, stolen } = turn.used;
  const nodeSeconds = nodeUse.seconds;
  await turn.othersEnded;
  const arrivals = Array.from(web.log, ({ arrive }) => turn.secondsAt(arrive)).sort((a, b) => a - b);
  const wanted = new Set(expected.urls('stored'));
  const stored = await cluster.pages();
  const report = audit(web.log, expected, { minGapMs: 0, toleranceMs: 0, maxWasted: 0 });
  const pages = brought.reduce((sum, one) => sum + one.pages, 0);
  return {
    ...{ pages, wallSeconds, databaseSeconds, course, violations: report.failures },
    warm: warmCosts(course),
    wrong:
      [...wanted].filter((url) => !stored.has(url)).length +
      [...stored.keys()].filter((url) => !wanted.has(url)).length,
    twice: Math.max(report.wasted.count, [...stored.values()].filter((times) => times !== 1).length),
    ...{ nodeSeconds, webSeconds: ownSeconds, requests: arrivals.length, requestsPerSecond: rateOf(arrivals) },
    ...{ firstRequestSeconds: arrivals[0], afterLastSeconds: wallSeconds - arrivals[arrivals.length - 1] },
    ...{ openEverySeconds: openEverySeconds(web, partitions * count, turn), stops: turn.stops },
    use: machineUse(
      { busy: 0, stolen: 0 },
      { busy, stolen },
      { ownSeconds: nodeSeconds + databaseSeconds + ownSeconds, kernelSeconds, wallSeconds },
    ),
    messages: await messagesOf(url, schema),
    transactions: await transactionsOf(url, schema),
    largestShare: Math.max(...brought.map((one) => one.pages)) / pages,
    simulated: await simulated(web, run, expected.urls('stored')),
    web: forecastWeb(graphOf(web.web, expected.urls('stored')), web.origins),
    owners,
  };
}

/** Processor seconds, from the start of the nodes on. */
export interface UsedSoFar {
  readonly share: number;
  readonly requests: number;
  readonly nodes: number;
  readonly firstThreads: number;
  readonly database: number;
  readonly web: number;
  /** Of the whole machine, since its start. */
  readonly machine: UsedTicks;
  /** In ms, by the time of the crawl. */
  readonly at: number;
}

async function usedInCourse(
  ends: Promise<unknown>,
  hasReached: (share: number) => boolean,
  used: (share: number) => Promise<Omit<UsedSoFar, 'share'>>,
): Promise<UsedSoFar[]> {
  const over = new AbortController();
  // A fault is told by who waits for the nodes.
  const ended = ends.catch(() => {}).finally(() => over.abort());
  const course: UsedSoFar[] = [];
  for (const share of COURSE) {
    while (!hasReached(share) && !over.signal.aborted)
      await setTimeout(LOOK_EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
    if (over.signal.aborted) break;
    course.push({ share, ...(await used(share)) });
  }
  await ended;
  return course;
}

/** NaN where the run was over too soon. */
function warmCosts(course: readonly UsedSoFar[]): WarmCosts {
  const [from, to] = [WARM_FROM, WARM_TO].map((wanted) => course.find(({ share }) => share === wanted));
  if (from === undefined || to === undefined) return { nodeMs: Number.NaN, databaseMs: Number.NaN };
  const perRequest = (key: 'nodes' | 'database'): number =>
    ((to[key] - from[key]) / (to.requests - from.requests)) * 1000;
  return { nodeMs: perRequest('nodes'), databaseMs: perRequest('database') };
}

/** Numbers instead of names, which differ from run to run. */
function ownersIn({ partitions }: ClusterView): readonly number[] | undefined {
  const names = [...new Set(partitions.map(({ node }) => node))];
  return names.includes(undefined) ? undefined : partitions.map(({ node }) => names.indexOf(node));
}

function rateOf(arrivals: readonly number[]): number {
  const [from, to] = [Math.floor(FROM * arrivals.length), Math.floor(TO * arrivals.length)];
  return (to - from) / (arrivals[to] - arrivals[from]);
}

function openEverySeconds({ log, origins }: WebServer, partitions: number, turn: CrawlTurn): number {
  const first = new Map<number, number>();
  for (const { host, arrive } of log) {
    const partition = partitionOf(new URL(origins[host]).host as HostKey, {
      count: partitions,
      byDomain: false,
      by: 'site',
    });
    const seconds = turn.secondsAt(arrive);
    first.set(partition, Math.min(seconds, first.get(partition) ?? seconds));
  }
  const times = [...first.values()];
  return times.length < 2 ? 0 : (Math.max(...times) - Math.min(...times)) / (times.length - 1);
}

/** All that were ever sent: the database counts what was written. */
async function messagesOf(url: string, schema: string): Promise<number> {
  await using connection = new PostgresConnection({ url, schema: 'public' });
  const text = `SELECT n_tup_ins AS sent FROM pg_stat_user_tables WHERE relname = 'outbox' AND schemaname = '${schema}'`;
  const [[row]] = await connection.run([[{ name: '', text }]]);
  return Number(row.sent);
}

async function transactionsOf(url: string, schema: string): Promise<number> {
  await using connection = new PostgresConnection({ url, schema });
  const [[row]] = await connection.run([[{ name: '', text: 'SELECT sum(commits) AS commits FROM owner' }]]);
  return Number(row.commits);
}

async function simulated(web: WebServer, run: NodesRun, urls: readonly string[]): Promise<NodesRunResult['simulated']> {
  const { nodes, partitions, concurrency } = run;
  const graph = graphOf(web.web, urls);
  const pageOf = new Map(urls.map((url, page) => [url, page]));
  const seeds = web.origins.map((origin) => pageOf.get(origin) ?? pageOf.get(new URL(origin).href) ?? -1);
  const { course, fetchedBy, messages, ownMessages } = await simulateCluster({
    ...{ graph, seeds: seeds.filter((page) => page >= 0), order: 'breadth-first', atOnce: concurrency },
    mode: {
      ...{ nodes, partitions, assignment: 'dynamic', leavingLinks: 'exchange', partitionBy: 'site' },
      ...{ batch: concurrency, popularLinks: 1 << 20 },
    },
  });
  return {
    messages: messages + ownMessages,
    largestShare: Math.max(...fetchedBy) / course.length,
  };
}

function forecastWeb({ urls, starts, targets }: RecordedGraph, origins: readonly string[]): ForecastWeb {
  const hosts = urls.map((url) => new URL(url).host);
  const pageOf = new Map(urls.map((url, page) => [url, page]));
  return {
    pages: urls.length,
    host: (page) => hosts[page],
    links: (page) => targets.subarray(starts[page], starts[page + 1]),
    seeds: origins.flatMap((origin) => pageOf.get(origin) ?? pageOf.get(new URL(origin).href) ?? []),
  };
}

/** The links that a crawler follows, between the pages that are stored. */
function graphOf(web: WebModel, urls: readonly string[]): RecordedGraph {
  const pages = Array.from({ length: web.pageCount }, (_, page) => page);
  const numbers = new Map(urls.map((url, at) => [url, at]));
  const at = pages.map((page) => numbers.get(web.url(page)));
  const builder = new RecordedGraphBuilder();
  for (const page of pages) {
    const from = at[page];
    if (from === undefined) continue;
    for (const { to, nofollow } of web.links(page)) {
      const target = at[to];
      if (!nofollow && target !== undefined) builder.add(from, target);
    }
  }
  return builder.build(urls);
}
