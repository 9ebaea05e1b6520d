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
import type { ForecastWeb } from './forecast/cluster-forecast.ts';
import { MachineSpeed } from './machine-speed.ts';
import { type MachineUse, machineUse, type UsedTicks, usedTicks } from './machine-use.ts';
import {
  endedChildrenSeconds,
  firstThreadSeconds,
  kernelSeconds,
  processSeconds,
  serverSeconds,
} from './process-seconds.ts';

export interface NodesRun {
  readonly nodes: number;
  /** Of each node. */
  readonly partitions: number;
  readonly concurrency: number;
  readonly web: WebSpecOverrides;
}

/** CPU-ms a request of nodes that have compiled what they run, and what some fixed work took meanwhile. */
export interface WarmCosts {
  readonly nodeMs: number;
  readonly databaseMs: number;
  readonly fixedWorkMs: number;
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
  readonly use: MachineUse;
  /** How fast the machine was meanwhile, and since the last moment of the course: what some fixed work took beside it. */
  readonly fixedWorkMs: number;
  readonly endFixedWorkMs: number;
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

/** Crawls a web with real nodes over a real database, and lets the simulator do the same. */
export async function crawlWithNodes(
  run: NodesRun,
  database: { readonly url: string; readonly schema: string; readonly process: number },
): Promise<NodesRunResult> {
  const { nodes: count, partitions, concurrency } = run;
  const { url, schema } = database;
  await using web = await startSyntheticWeb({ ...PLAIN_SHARES, ...run.web });
  await using cluster = new ClusterOfNodes({
    ...{ web, url, schema, partitions: partitions * count, leaseMs: 60_000, delayMs: 0 },
  });
  await cluster.create();
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  await using speed = await MachineSpeed.start();
  const speedBefore = speed.usedSeconds;
  const [server, own, began] = [serverSeconds(database.process), process.cpuUsage(), performance.now()];
  const [ticks, beganAt, ended, kernel] = [usedTicks(), Date.now(), endedChildrenSeconds(), kernelSeconds()];
  const nodes = Array.from({ length: count }, (_, at) => cluster.join(at, '--concurrency', String(concurrency)));
  const ownSeconds = (): number => process.cpuUsage(own).user / 1e6 + process.cpuUsage(own).system / 1e6;
  const pids = nodes.map(({ child }) => child.pid);
  let lookedAt = began;
  const used = (): Omit<UsedSoFar, 'share'> => {
    const [before, at] = [lookedAt, performance.now()];
    lookedAt = at;
    return {
      requests: web.log.length,
      nodes: processSeconds(pids),
      firstThreads: firstThreadSeconds(pids),
      database: serverSeconds(database.process),
      web: ownSeconds() - (speed.usedSeconds - speedBefore),
      machine: usedTicks(),
      ...{ at, fixedWorkMs: speed.fixedWorkMs(before, at) },
    };
  };
  const ends = Promise.all(nodes.map((node) => node.ended));
  const pagesOfWeb = expected.urls('stored').length;
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
  const wallSeconds = (performance.now() - began) / 1000;
  const [after, endedAt] = [usedTicks(), Date.now()];
  const kernelUsed = kernelSeconds() - kernel;
  const databaseSeconds = serverSeconds(database.process) - server;
  const nodeSeconds = endedChildrenSeconds() - ended;
  const [processUsed, over] = [ownSeconds(), performance.now()];
  const webSeconds = processUsed - (speed.usedSeconds - speedBefore);
  const arrivals = Array.from(web.log, ({ arrive }) => arrive).sort((a, b) => a - b);
  const wanted = new Set(expected.urls('stored'));
  const stored = await cluster.pages();
  const report = audit(web.log, expected, { minGapMs: 0, toleranceMs: 0, maxWasted: 0 });
  const pages = brought.reduce((sum, one) => sum + one.pages, 0);
  return {
    ...{ pages, wallSeconds, databaseSeconds, course, violations: report.failures },
    warm: warmCosts(course, speed),
    wrong:
      [...wanted].filter((url) => !stored.has(url)).length +
      [...stored.keys()].filter((url) => !wanted.has(url)).length,
    twice: Math.max(report.wasted.count, [...stored.values()].filter((times) => times !== 1).length),
    ...{ nodeSeconds, webSeconds, requests: arrivals.length, requestsPerSecond: rateOf(arrivals) },
    firstRequestSeconds: (arrivals[0] - beganAt) / 1000,
    afterLastSeconds: (endedAt - arrivals[arrivals.length - 1]) / 1000,
    openEverySeconds: openEverySeconds(web, partitions * count),
    use: machineUse(ticks, after, {
      ownSeconds: nodeSeconds + databaseSeconds + processUsed,
      ...{ kernelSeconds: kernelUsed, wallSeconds },
    }),
    ...{ fixedWorkMs: speed.fixedWorkMs(began, over), endFixedWorkMs: speed.fixedWorkMs(lookedAt, over) },
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
  readonly at: number;
  /** What some fixed work has taken since the moment before. */
  readonly fixedWorkMs: number;
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
function warmCosts(course: readonly UsedSoFar[], speed: MachineSpeed): WarmCosts {
  const [from, to] = [WARM_FROM, WARM_TO].map((wanted) => course.find(({ share }) => share === wanted));
  if (from === undefined || to === undefined)
    return { nodeMs: Number.NaN, databaseMs: Number.NaN, fixedWorkMs: Number.NaN };
  const perRequest = (key: 'nodes' | 'database'): number =>
    ((to[key] - from[key]) / (to.requests - from.requests)) * 1000;
  const fixedWorkMs = speed.fixedWorkMs(from.at, to.at);
  return { nodeMs: perRequest('nodes'), databaseMs: perRequest('database'), fixedWorkMs };
}

/** Numbers instead of names, which differ from run to run. */
function ownersIn({ partitions }: ClusterView): readonly number[] | undefined {
  const names = [...new Set(partitions.map(({ node }) => node))];
  return names.includes(undefined) ? undefined : partitions.map(({ node }) => names.indexOf(node));
}

function rateOf(arrivals: readonly number[]): number {
  const [from, to] = [Math.floor(FROM * arrivals.length), Math.floor(TO * arrivals.length)];
  return ((to - from) / (arrivals[to] - arrivals[from])) * 1000;
}

function openEverySeconds({ log, origins }: WebServer, partitions: number): number {
  const first = new Map<number, number>();
  for (const { host, arrive } of log) {
    const partition = partitionOf(new URL(origins[host]).host as HostKey, {
      count: partitions,
      byDomain: false,
      by: 'site',
    });
    first.set(partition, Math.min(arrive, first.get(partition) ?? arrive));
  }
  const times = [...first.values()];
  return times.length < 2 ? 0 : (Math.max(...times) - Math.min(...times)) / 1000 / (times.length - 1);
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
