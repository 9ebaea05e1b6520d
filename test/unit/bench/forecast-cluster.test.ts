import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  beatCores,
  type ClusterCosts,
  messageLookCores,
  nodeCpuMs,
} from '../../../bench/harness/forecast/cluster-costs.ts';
import type { ClusterForecastOptions } from '../../../bench/harness/forecast/cluster-forecast.ts';
import { forecastCluster } from '../../../bench/harness/forecast/forecast-cluster.ts';
import { SharedCores } from '../../../bench/harness/forecast/shared-cores.ts';

const FREE: ClusterCosts = {
  nodeCpu: [
    { requests: 0, ms: 0 },
    { requests: 1, ms: 0 },
  ],
  ...{
    nodeEndMs: 0,
    nodeTransactionMs: 0,
    sharedByEight: 1,
    firstThreadShare: 1,
    readsInThreads: false,
    databaseMessageMs: 0,
    databaseAcknowledgeMs: 0,
    databasePartitionMs: 0,
    databaseStartMs: 0,
    lookMs: 0,
  },
  ...{ databasePageMs: 0, databaseTransactionMs: 0, beatMs: 0, beatRowMs: 0, webMs: 0 },
  ...{ openEveryMs: 0, commitWaitMs: 0, startWaitMs: 0, endWaitMs: 0 },
};

/** Hosts of as many pages each; every page links to the next of its host, and to the first of the next host. */
function webOf(hosts: number, pagesPerHost: number): ClusterForecastOptions['web'] {
  return {
    pages: hosts * pagesPerHost,
    host: (page) => `h${Math.floor(page / pagesPerHost)}.example`,
    links: (page) => [
      ...(page % pagesPerHost === pagesPerHost - 1 ? [] : [page + 1]),
      ((Math.floor(page / pagesPerHost) + 1) % hosts) * pagesPerHost,
    ],
    seeds: [0, (hosts >> 1) * pagesPerHost],
  };
}

const base: Omit<ClusterForecastOptions, 'nodes'> = {
  ...{ web: webOf(64, 20), partitions: 4, concurrency: 4, latencyMs: 200, delayMs: 0, costs: FREE },
  cores: { kind: 'shared', cores: 2 },
};

/** All hosts are known from the beginning. */
const full = (hosts: number): ClusterForecastOptions['web'] => {
  const web = webOf(hosts, 20);
  return { ...web, seeds: Array.from({ length: hosts }, (_, host) => host * 20) };
};

/** With a robots.txt for 20. */
const REQUESTS_OF_A_PAGE = 21 / 20;

describe('forecast of a cluster', () => {
  test('cores are shared evenly, and nobody has more than one', () => {
    const cores = new SharedCores(2);
    const ended: [string, number][] = [];
    for (const [name, ms] of [
      ['a', 10],
      ['b', 20],
      ['c', 30],
      ['d', 30],
    ] as const)
      cores.run(ms, () => ended.push([name, now]));
    let now = 0;
    for (; cores.nextEnd !== Number.POSITIVE_INFINITY; cores.advance(now)) now = cores.nextEnd;
    // Four at half a core each until 20; three at two thirds until 35; then a core each.
    assert.deepEqual(
      ended.map(([name, at]) => [name, Math.round(at * 1000) / 1000]),
      [
        ['a', 20],
        ['b', 35],
        ['c', 45],
        ['d', 45],
      ],
    );
    assert.ok(Math.abs(cores.usedMs - 90) < 1e-6);
  });

  test('what a node has used is read between the points, and beyond the last', () => {
    const points = [
      { requests: 0, ms: 1000 },
      { requests: 10, ms: 1200 },
      { requests: 110, ms: 2200 },
    ];
    assert.deepEqual(
      [0, 5, 10, 60, 210].map((requests) => nodeCpuMs(points, requests)),
      [1000, 1100, 1200, 1700, 3200],
    );
  });

  test('every page is fetched once, whatever the number of nodes', () => {
    for (const nodes of [1, 2, 8, 64]) assert.equal(forecastCluster({ ...base, nodes }).pages, 1280);
  });

  test('bound by latency, nodes bring what their requests allow', () => {
    for (const nodes of [1, 2, 4]) {
      const { requestsPerSecond, messagesPerPage } = forecastCluster({ ...base, web: full(64 * nodes), nodes });
      const allowed = (nodes * 4 * 1000) / 200;
      assert.ok(Math.abs(requestsPerSecond / allowed - 1) < 0.02, `${nodes}: ${requestsPerSecond} of ${allowed}`);
      if (nodes > 1) assert.ok(messagesPerPage > 0);
    }
  });

  test('a claim of hosts that nobody knows of waits for its commit; a settlement does not', () => {
    const slow = { ...base, web: full(64), nodes: 1, concurrency: 1, costs: { ...FREE, commitWaitMs: 50 } };
    // Claim and ask: 50 and 200 ms. A host has its next turn after 16 s.
    assert.ok(Math.abs(forecastCluster(slow).requestsPerSecond - 1000 / 250) < 0.05);
  });

  test('what is settled while others are gathered leaves in one transaction of a partition', () => {
    const { transactionsPerPage, pages } = forecastCluster({ ...base, web: full(16), nodes: 1, concurrency: 16 });
    // Each host is asked five times a second, and there are four partitions.
    assert.equal(pages, 320);
    assert.ok(transactionsPerPage < 0.12, `${transactionsPerPage}`);
  });

  test('bound by processors, all nodes together bring what the cores allow', () => {
    const nodeCpu = [
      { requests: 0, ms: 0 },
      { requests: 1, ms: 8 },
    ];
    const costs = { ...FREE, nodeCpu, databasePageMs: 1, webMs: 1 };
    const cpu = { ...base, web: full(256), latencyMs: 0, concurrency: 64, costs };
    const rate = (nodes: number): number => forecastCluster({ ...cpu, nodes }).requestsPerSecond;
    assert.ok(rate(1) <= 125.1 && rate(1) > 100, `one thread: ${rate(1)}`);
    for (const nodes of [4, 8]) assert.ok(Math.abs(rate(nodes) / (2000 / 10.05) - 1) < 0.1, `${nodes}: ${rate(nodes)}`);
    const own = forecastCluster({
      ...cpu,
      web: full(512),
      nodes: 8,
      cores: { kind: 'apart', nodesPerMachine: 1, machineCores: 1, databaseCores: 4 },
    });
    assert.ok(own.requestsPerSecond > 4 * 125, `a core each: ${own.requestsPerSecond}`);
    assert.ok(own.databaseCores > 0.4 && own.databaseCores < 1.2, String(own.databaseCores));
  });

  const pageOf8Ms = [
    { requests: 0, ms: 0 },
    { requests: 1, ms: 8 },
  ];
  const bound = { ...base, web: full(64), latencyMs: 0, concurrency: 64, costs: { ...FREE, nodeCpu: pageOf8Ms } };
  const rateOf = (options: Omit<ClusterForecastOptions, 'nodes'>, nodes: number): number =>
    forecastCluster({ ...options, nodes }).requestsPerSecond;

  test('a node is as fast as its first thread, if there are cores for the others', () => {
    const costs = { ...bound.costs, firstThreadShare: 0.8 };
    const near = (rate: number, expected: number): void =>
      assert.ok(Math.abs(rate / expected - 1) < 0.06, `${rate}, not ${expected}`);
    near(rateOf(bound, 1), 125);
    near(rateOf({ ...bound, costs }, 1), 125 / 0.8);
    near(rateOf({ ...bound, costs, cores: { kind: 'shared', cores: 1 } }, 1), 125);
    // A page thread takes turns with it where there is one core, and works beside it where there are two.
    const threaded = { ...costs, firstThreadShare: 0.25, readsInThreads: true };
    near(rateOf({ ...bound, costs: threaded }, 1), 125 / 0.75);
    near(rateOf({ ...bound, costs: threaded, cores: { kind: 'shared', cores: 1 } }, 1), 125);
  });

  test('the nodes of a machine share its cores', () => {
    const on = (machineCores: number): number =>
      rateOf(
        { ...bound, web: full(256), cores: { kind: 'apart', nodesPerMachine: 4, machineCores, databaseCores: 4 } },
        8,
      );
    assert.ok(Math.abs(on(2) / on(4) - 0.5) < 0.05, `${on(2)} of ${on(4)}`);
  });

  test('a node settles the more pages together the busier it is, and pays for each transaction', () => {
    const waiting = { ...bound, costs: { ...bound.costs, commitWaitMs: 1 } };
    const { transactionsPerPage } = forecastCluster({ ...waiting, nodes: 1 });
    // 64 hosts in 4 partitions: an answer of the database waits behind the pages that have come meanwhile.
    assert.ok(transactionsPerPage < 0.2, String(transactionsPerPage));
    const spread = forecastCluster({ ...waiting, nodes: 8 });
    assert.ok(spread.transactionsPerPage > 3 * transactionsPerPage, String(spread.transactionsPerPage));
    const costs = { ...waiting.costs, nodeTransactionMs: 2 };
    const dear = forecastCluster({ ...waiting, costs, nodes: 8 });
    assert.ok(
      Math.abs(dear.nodeMsPerPage - REQUESTS_OF_A_PAGE * 8 - 2 * dear.transactionsPerPage) < 0.01,
      String(dear.nodeMsPerPage),
    );
  });

  test('nodes of one machine share its caches, and what is stopped gathers no longer', () => {
    const costs = {
      ...FREE,
      nodeCpu: [
        { requests: 0, ms: 0 },
        { requests: 1, ms: 2 },
      ],
      sharedByEight: 1.1,
    };
    const cost = (nodes: number, kind: 'shared' | 'apart'): number =>
      forecastCluster({
        ...{ ...base, costs, nodes, web: full(64) },
        cores: kind === 'shared' ? { kind, cores: 2 } : { kind, nodesPerMachine: 1, machineCores: 1, databaseCores: 2 },
      }).nodeMsPerPage;
    const near = (value: number, expected: number): void =>
      assert.ok(Math.abs(value / expected - 1) < 0.01, `${value}, not ${expected}`);
    near(cost(8, 'shared') / cost(1, 'shared'), 1.1);
    near(cost(2, 'shared') / cost(1, 'shared'), 1.1 ** (1 / 3));
    near(cost(8, 'apart') / cost(1, 'apart'), 1);
    const stops = Array.from({ length: 1000 }, (_, at) => 500 * at);
    const transactions = (options: Partial<ClusterForecastOptions>): number =>
      forecastCluster({ ...base, nodes: 1, web: full(64), ...options }).transactionsPerPage;
    assert.ok(transactions({ stops }) > 1.2 * transactions({}));
  });

  test('hosts rest: few of them bound any number of nodes', () => {
    const { requestsPerSecond } = forecastCluster({ ...base, web: full(16), nodes: 8, delayMs: 800 });
    assert.ok(Math.abs(requestsPerSecond - 16) < 1, String(requestsPerSecond));
  });

  test('looks read the rows of all: with many nodes they are rarer, and grow with their number', () => {
    const costs = { ...FREE, beatRowMs: 0.001 };
    assert.ok(Math.abs(beatCores(costs, 10, 160) - 0.0017) < 1e-9);
    assert.ok(Math.abs(beatCores(costs, 100, 1600) - 0.17) < 1e-9);
    assert.ok(Math.abs(beatCores(costs, 1000, 16_000) - 1.7) < 1e-9);
    assert.ok(Math.abs(messageLookCores({ ...FREE, lookMs: 0.2 }, 1000) - 0.2) < 1e-9);
  });
});
