import type { NodesRunResult, UsedSoFar } from '../crawl-with-nodes.ts';
import { beatCores, type ClusterCosts, DEFAULT_COSTS, messageLookCores, type NodeCpuPoint } from './cluster-costs.ts';

/** What forecasts of several nodes are made by. */
export interface Calibration {
  /** Crawls by one node alone, of about as many pages: the mean of them counts. */
  readonly runs: readonly NodesRunResult[];
  readonly partitions: number;
  readonly commitWaitMs: number;
}

/** Shares of a run between which a node counts as warm. Its cost is read from these moments, and beyond the last goes on as between the last two. */
const [WARM_FROM, WARM_TO] = [0.5, 0.9];
const MOMENTS = [0.01, 0.03, 0.1, 0.25, WARM_FROM, WARM_TO];
/** Shares of the requests between which rates are taken. */
const MIDDLE = [0.25, 0.75];

/**
 * The costs that these runs come to. What a transaction costs a node, and what share of PostgreSQL's time it has beside pages, was measured apart: the difference between two crawls is mostly
 * chance.
 */
export function measuredCosts({ runs, partitions, commitWaitMs }: Calibration): ClusterCosts {
  const warm = runs.map((run) => warmCosts(run, partitions));
  const { nodeTransactionMs, databasePageMs, databaseTransactionMs } = DEFAULT_COSTS;
  const scale =
    mean(warm.map(({ database }) => database)) /
    mean(warm.map(({ transactions }) => databasePageMs + transactions * databaseTransactionMs));
  const curves = runs.map((run) => costOfRequests(run, nodeTransactionMs));
  const nodeCpu = [0, ...MOMENTS].map((_, at) => ({
    requests: mean(curves.map(({ points }) => points[at].requests)),
    ms: mean(curves.map(({ points }) => points[at].ms)),
  }));
  const waits = (key: 'firstRequestSeconds' | 'afterLastSeconds'): number => mean(runs.map((run) => run[key] * 1000));
  return {
    ...DEFAULT_COSTS,
    ...{ nodeCpu, commitWaitMs },
    nodeEndMs: mean(curves.map(({ endMs }) => endMs)),
    readsInThreads: false,
    firstThreadShare: mean(warm.map(({ firstThreadShare }) => firstThreadShare)),
    databasePageMs: Math.max(0, scale) * databasePageMs,
    databaseTransactionMs: Math.max(0, scale) * databaseTransactionMs,
    databaseStartMs: Math.max(
      0,
      mean(warm.map(({ databaseOnce }) => databaseOnce)) - DEFAULT_COSTS.databasePartitionMs * partitions,
    ),
    webMs: mean(warm.map(({ web }) => web)),
    openEveryMs: 1000 * mean(runs.map((run) => run.openEverySeconds)),
    startWaitMs: Math.max(0, waits('firstRequestSeconds') - nodeCpu[0].ms),
    endWaitMs: Math.max(0, waits('afterLastSeconds')),
  };
}

/** What requests cost a node, without transactions, from its start on; and its end. */
function costOfRequests(
  { requests, transactions, nodeSeconds, course }: NodesRunResult,
  transactionMs: number,
): { readonly points: readonly NodeCpuPoint[]; readonly endMs: number } {
  const msOf = (seconds: number, asked: number): number =>
    seconds * 1000 - (transactionMs * transactions * asked) / requests;
  const points = MOMENTS.map((share) => {
    const moment = momentOf(course, share);
    return { requests: moment.requests, ms: msOf(moment.nodes, moment.requests) };
  });
  const slope = (from: NodeCpuPoint, to: NodeCpuPoint): number => (to.ms - from.ms) / (to.requests - from.requests);
  const [[first, second], [beforeLast, last]] = [points, points.slice(-2)];
  const startMs = Math.max(0, first.ms - slope(first, second) * first.requests);
  const atEnd = last.ms + slope(beforeLast, last) * (requests - last.requests);
  return { points: [{ requests: 0, ms: startMs }, ...points], endMs: Math.max(0, msOf(nodeSeconds, requests) - atEnd) };
}

interface WarmCosts {
  /** CPU-ms a page; of PostgreSQL without beats, looks and messages, which have prices of their own. */
  readonly node: number;
  readonly database: number;
  /** CPU-ms of PostgreSQL for the whole run that are not explained by pages: starts and ends. */
  readonly databaseOnce: number;
  /** A request. */
  readonly web: number;
  readonly firstThreadShare: number;
  /** A page. */
  readonly transactions: number;
}

function warmCosts(run: NodesRunResult, partitions: number): WarmCosts {
  const { course, pages, requests, transactions, messages } = run;
  const [from, to] = [momentOf(course, WARM_FROM), momentOf(course, WARM_TO)];
  const used = (key: 'nodes' | 'firstThreads' | 'database' | 'web'): number => (to[key] - from[key]) * 1000;
  const some = ((to.requests - from.requests) * pages) / requests;
  const standing = beatCores(DEFAULT_COSTS, 1, partitions) + messageLookCores(DEFAULT_COSTS, 1);
  const database = (used('database') - standing * (to.at - from.at)) / some;
  return {
    node: used('nodes') / some,
    database: database - (messages / pages) * (DEFAULT_COSTS.databaseMessageMs + DEFAULT_COSTS.databaseAcknowledgeMs),
    databaseOnce: 1000 * (run.databaseSeconds - standing * run.wallSeconds) - database * pages,
    web: used('web') / (to.requests - from.requests),
    firstThreadShare: used('firstThreads') / used('nodes'),
    transactions: transactions / pages,
  };
}

/** Cores that others left to a run in its middle. */
export function availableCores(course: readonly UsedSoFar[], cores: number, ticksPerSecond = 100): number {
  const [from, to] = MIDDLE.map((share) => momentOf(course, share));
  const own = to.nodes - from.nodes + (to.database - from.database) + (to.web - from.web);
  const [busy, stolen] = (['busy', 'stolen'] as const).map(
    (key) => (to.machine[key] - from.machine[key]) / ticksPerSecond,
  );
  return cores - (Math.max(0, busy - own) + stolen) / ((to.at - from.at) / 1000);
}

function momentOf(course: readonly UsedSoFar[], wanted: number): UsedSoFar {
  const moment = course.find(({ share }) => share === wanted);
  if (moment === undefined) throw new Error('The crawl was too short to read anything from its course.');
  return moment;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
