import type { ClusterCores, ClusterCosts } from './cluster-costs.ts';

/** Pages and links that are crawled, by their numbers. */
export interface ForecastWeb {
  readonly pages: number;
  /** Name of the host of a page: decides its partition. */
  host(page: number): string;
  /** Pages that it links to. */
  links(page: number): Iterable<number>;
  readonly seeds: readonly number[];
}

export interface ClusterForecastOptions {
  readonly web: ForecastWeb;
  readonly nodes: number;
  /** Of each node. */
  readonly partitions: number;
  /** Requests of a node at a time. */
  readonly concurrency: number;
  /** How long a server takes to answer, and how long its host rests afterwards. */
  readonly latencyMs: number;
  readonly delayMs: number;
  readonly costs: ClusterCosts;
  readonly cores: ClusterCores;
  /** When all processes were stopped for a while, in ms of the time that passes meanwhile for them: whatever waits for a time has waited then. */
  readonly stops?: readonly number[];
  /** The number of the node that has each partition. Without it they take turns. */
  readonly owners?: readonly number[];
}

export interface ClusterForecast {
  readonly pages: number;
  readonly seconds: number;
  /** In the middle of the run, with those for robots.txt. */
  readonly requestsPerSecond: number;
  /** Of a machine that is shared: part of its cores that was used. */
  readonly coresUsed: number;
  /** Of PostgreSQL in the middle of the run: cores for pages and transactions, and for beats. */
  readonly databaseCores: number;
  readonly beatCores: number;
  /** For looks for messages. */
  readonly lookCores: number;
  /** Processor time of all nodes, of PostgreSQL without beats and looks, for a page: with starts and ends. */
  readonly nodeMsPerPage: number;
  readonly databaseMsPerPage: number;
  readonly transactionsPerPage: number;
  readonly messagesPerPage: number;
  readonly largestShare: number;
}
