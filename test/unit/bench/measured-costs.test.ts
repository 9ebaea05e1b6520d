import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NodesRunResult, UsedSoFar } from '../../../bench/harness/crawl-with-nodes.ts';
import { beatCores, DEFAULT_COSTS, messageLookCores } from '../../../bench/harness/forecast/cluster-costs.ts';
import { availableCores, measuredCosts } from '../../../bench/harness/forecast/measured-costs.ts';

const PAGES = 1000;
const SHARES = [0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9];
const STANDING = beatCores(DEFAULT_COSTS, 1, 16) + messageLookCores(DEFAULT_COSTS, 1);

const { nodeTransactionMs, databasePageMs, databaseTransactionMs } = DEFAULT_COSTS;

/** Starts with 2 s of a node's processor, ends with one; 4 ms a page; transactions as by default, PostgreSQL twice as dear, with 150 ms once; 10 ms by the clock for each. */
function runWith(transactionsPerPage: number): NodesRunResult {
  const nodeMs = (pages: number): number => 2000 + (4 + nodeTransactionMs * transactionsPerPage) * pages;
  const databaseMs = (pages: number): number =>
    (2 * (databasePageMs + databaseTransactionMs * transactionsPerPage) + STANDING * 10) * pages;
  const course = SHARES.map((share): UsedSoFar => {
    const pages = share * PAGES;
    const at = 10 * pages;
    const database = databaseMs(pages);
    return {
      ...{ share, requests: pages, nodes: nodeMs(pages) / 1000, firstThreads: (0.8 * nodeMs(pages)) / 1000 },
      ...{
        database: database / 1000,
        web: (0.2 * pages) / 1000,
        machine: { busy: at / 5, stolen: at / 100 },
        at,
      },
    };
  });
  return {
    ...{ pages: PAGES, requests: PAGES, transactions: transactionsPerPage * PAGES, messages: 0, course },
    ...{ nodeSeconds: (nodeMs(PAGES) + 1000) / 1000, firstRequestSeconds: 2.5, afterLastSeconds: 1 },
    ...{
      databaseSeconds: (databaseMs(PAGES) + 150) / 1000,
      wallSeconds: PAGES / 100,
      openEverySeconds: 0.03,
    },
  } as unknown as NodesRunResult;
}

describe('costs of a cluster, read from crawls by one node', () => {
  test('pages of a node by their number, its threads, and PostgreSQL', () => {
    const costs = measuredCosts({
      runs: [0.4, 0.9].map((transactions) => runWith(transactions)),
      partitions: 16,
      commitWaitMs: 3,
    });
    const near = (value: number, expected: number): void =>
      assert.ok(Math.abs(value - expected) < 1e-6, `${value}, not ${expected}`);
    near(costs.nodeTransactionMs, nodeTransactionMs);
    near(costs.databaseTransactionMs, 2 * databaseTransactionMs);
    near(costs.databasePageMs, 2 * databasePageMs);
    near(costs.databaseStartMs, 150 - 16 * DEFAULT_COSTS.databasePartitionMs);
    near(costs.firstThreadShare, 0.8);
    near(costs.webMs, 0.2);
    near(costs.nodeEndMs, 1000);
    near(costs.startWaitMs, 500);
    near(costs.openEveryMs, 30);
    assert.equal(costs.commitWaitMs, 3);
    for (const { requests, ms } of costs.nodeCpu) near(ms, 2000 + 4 * requests);
  });

  test('what others and other machines use is not available', () => {
    // The whole machine used two of two and a half cores, a tenth of one was stolen.
    const { course } = runWith(0.4);
    const [from, to] = [course[3], course[5]];
    const own = to.nodes - from.nodes + (to.database - from.database) + (to.web - from.web);
    const seconds = (to.at - from.at) / 1000;
    assert.ok(Math.abs(availableCores(course, 2.5) - (2.5 - 2 - 0.1 + own / seconds)) < 1e-9);
  });

  test('a run that was over too soon gives no costs', () => {
    const { course, ...rest } = runWith(0.4);
    const short = { ...rest, course: course.slice(0, 3) };
    assert.throws(() => measuredCosts({ runs: [short], partitions: 16, commitWaitMs: 0 }), /too short/);
  });
});
