import { lookInterval } from '../../../src/crawl/nodes/look-interval.ts';

/** What the work of nodes costs, as it was measured. Times are of one core. */
export interface ClusterCosts {
  /**
   * Processor time that a node has used after so many requests, those for robots.txt counted: they come first, while code is still being compiled. Starting it is in it, what
   * transactions cost it is not.
   */
  readonly nodeCpu: readonly NodeCpuPoint[];
  /** Of a node for its end, after the last page. */
  readonly nodeEndMs: number;
  /** Of a node for a transaction, which holds pages of one partition. */
  readonly nodeTransactionMs: number;
  /** What a node's work takes with eight nodes on a machine of two cores, as a part of what it takes alone: they share its caches. In between by doublings. */
  readonly sharedByEight: number;
  /** Part of a node's time that its first thread takes, which decides everything. */
  readonly firstThreadShare: number;
  /** Pages are read in a thread of their own, as by default; else in the first. */
  readonly readsInThreads: boolean;
  /** Of PostgreSQL with its helpers: for a page, for a transaction, for a message that is sent, and to acknowledge what a look has found of one sender. */
  readonly databasePageMs: number;
  readonly databaseTransactionMs: number;
  readonly databaseMessageMs: number;
  readonly databaseAcknowledgeMs: number;
  /** Of PostgreSQL to load a partition, and to write it for the last time: with connections and plans. */
  readonly databasePartitionMs: number;
  /** Of PostgreSQL once for a crawl, whatever nodes it has: what its first pages bring is mostly new. */
  readonly databaseStartMs: number;
  /** Of PostgreSQL for a look of a node for its messages. */
  readonly lookMs: number;
  /** Of PostgreSQL for one beat of a node, and for each row of a look at all partitions and nodes. */
  readonly beatMs: number;
  readonly beatRowMs: number;
  /** Of the servers of the web for a request, where they run on the same machine; else 0. */
  readonly webMs: number;
  /** A commit is waited for, besides the processor time that it takes: network, disk. */
  readonly commitWaitMs: number;
  /** A node opens its partitions, while it crawls, one every so often. */
  readonly openEveryMs: number;
  /** From the start of a node to its first request, and from its last to its end, besides processor time: leases, beats, messages. */
  readonly startWaitMs: number;
  readonly endWaitMs: number;
}

export interface NodeCpuPoint {
  readonly requests: number;
  readonly ms: number;
}

/** Machines of a cluster. */
export type ClusterCores =
  /** One machine for everything: nodes, PostgreSQL, and the web that is crawled. */
  | { readonly kind: 'shared'; readonly cores: number }
  /** Machines of nodes alone, and one for PostgreSQL. The web is elsewhere. */
  | {
      readonly kind: 'apart';
      readonly nodesPerMachine: number;
      readonly machineCores: number;
      readonly databaseCores: number;
    };

/**
 * Of a default crawl with text and index (tools/capacity.ts), measured apart from any crawl by several nodes. State in PostgreSQL (`bench/postgres-state.ts`, decision 027), with one partition
 * (0.04 transactions a page) and with sixteen (0.62): 0.70 and 1.18 ms of the node, 0.18 and 0.37 of PostgreSQL; so 0.83 and 0.32 ms a transaction. Beats: 0.30 ms with
 * 16 partitions, 9.40 with 4,096; a look for messages: 0.05 to 0.2; a message: 0.06 to acknowledge it, little to send it (`bench/nodes.ts --part beats`). 128 partitions of 512 pages: 0.26 s of PostgreSQL with one node, 0.41 with two, so at most 1 ms to load one. 128 partitions are open 3.8 s after the first. Eight crawls at once that have nothing to do with each other: 1.10 times one alone (`--part apart`). The first thread: 14 %
 * of a default crawl (`npm run bench -- default`). What is waited for are assumptions.
 */
export const DEFAULT_COSTS: ClusterCosts = {
  nodeCpu: [
    { requests: 0, ms: 2200 },
    // Of a page. A robots.txt costs less, but all of them are asked for before the middle of a run, from which rates are read.
    { requests: 1, ms: 2200 + 24.35 },
  ],
  ...{
    nodeEndMs: 0,
    nodeTransactionMs: 0.83,
    sharedByEight: 1.1,
    firstThreadShare: 0.14,
    readsInThreads: true,
    databaseMessageMs: 0.005,
    databaseAcknowledgeMs: 0.06,
    databasePartitionMs: 1,
    databaseStartMs: 0,
    lookMs: 0.15,
  },
  ...{ databasePageMs: 0.171, databaseTransactionMs: 0.32, beatMs: 0.26, beatRowMs: 0.00112, webMs: 0 },
  ...{ openEveryMs: 30, commitWaitMs: 2, startWaitMs: 1000, endWaitMs: 3000 },
};

/** What a node has used after so many requests: between two points in proportion, beyond the last as between the last two. */
export function nodeCpuMs(points: readonly NodeCpuPoint[], requests: number): number {
  const at = points.findIndex((point) => point.requests > requests);
  const to = at === -1 ? points.length - 1 : Math.max(1, at);
  const [a, b] = [points[Math.max(0, to - 1)], points[to]];
  if (b.requests === a.requests) return b.ms;
  return a.ms + ((b.ms - a.ms) * (requests - a.requests)) / (b.requests - a.requests);
}

const BEAT_EVERY_MS = 1000;
/** Of a node that has something to do. */
const MESSAGES_EVERY_MS = 1000;
/** The default. */
const LEASE_MS = 30_000;

/** Of PostgreSQL for the beats of all nodes, in cores: each node beats once a second, and looks at all others the less often the more they are. */
export function beatCores({ beatMs, beatRowMs }: ClusterCosts, nodes: number, partitions: number): number {
  const lookEveryMs = lookInterval({ nodes, beatMs: BEAT_EVERY_MS, leaseMs: LEASE_MS });
  return nodes * (beatMs / BEAT_EVERY_MS + (beatRowMs * (partitions + nodes)) / lookEveryMs);
}

/** Of PostgreSQL for the looks of all nodes for their messages, in cores. What they find costs besides. */
export function messageLookCores({ lookMs }: ClusterCosts, nodes: number): number {
  return (nodes * lookMs) / MESSAGES_EVERY_MS;
}
