import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HostKey } from '../../../src/contracts/url.ts';
import { partitionOf } from '../../../src/frontier/partition-of.ts';
import type { ClusterMode } from '../../../src/laboratory/cluster/cluster-mode.ts';
import { compareModes } from '../../../src/laboratory/cluster/compare-modes.ts';
import { simulateCluster } from '../../../src/laboratory/cluster/simulate-cluster.ts';
import { generateGraph } from '../../../src/laboratory/generated-graph.ts';
import { RecordedGraphBuilder } from '../../../src/laboratory/replay/recorded-graph.ts';

const MODE: ClusterMode = {
  ...{ nodes: 2, assignment: 'static', leavingLinks: 'exchange', partitionBy: 'site', partitions: 2 },
  ...{ batch: 8, popularLinks: 100 },
};

/** A host in each of two shares; both pages of the first link to both of the second, and these to one another. */
function twoShares() {
  const hosts = [0, 1].map((share) => {
    for (let n = 0; ; n++) {
      const host = `h${n}.test`;
      if (partitionOf(host as HostKey, { count: 4, byDomain: false, by: 'site' }) % 2 === share) return host;
    }
  });
  const urls = hosts.flatMap((host) => [`http://${host}/1`, `http://${host}/2`]);
  const builder = new RecordedGraphBuilder();
  for (const [from, to] of [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
    [3, 2],
  ])
    builder.add(from, to);
  return builder.build(urls);
}

const run = (mode: Partial<ClusterMode>, seeds = [0]) =>
  simulateCluster({ graph: twoShares(), seeds, mode: { ...MODE, ...mode }, order: 'breadth-first' });

describe('simulated nodes', () => {
  test('exchange: every page once, by the node of its share; a link is sent once, or as often as it is found', async () => {
    const { course, fetchedBy, links, messages } = await run({});
    assert.deepEqual([...course].sort(), [0, 1, 2, 3]);
    assert.deepEqual(fetchedBy, [2, 2]);
    assert.deepEqual([links, messages], [2, 1], 'two links of one page in one message');
    assert.equal((await run({ popularLinks: 0 })).links, 4, 'those of the second page again');
  });

  test('firewall: what no seed of the share leads to is not found', async () => {
    const walled = await run({ leavingLinks: 'firewall' });
    assert.deepEqual([...walled.course].sort(), [0, 1]);
    assert.equal(walled.messages, 0);
    assert.deepEqual([...(await run({ leavingLinks: 'firewall' }, [0, 2])).course].sort(), [0, 1, 2, 3]);
  });

  test('cross-over: a node follows links of others when it has nothing else to do, and fetches what they fetch', async () => {
    const { course, fetchedBy, messages } = await run({ leavingLinks: 'cross-over' }, [0, 2]);
    assert.deepEqual([...course].sort(), [0, 1, 2, 2, 3, 3]);
    assert.deepEqual(fetchedBy, [4, 2]);
    assert.equal(messages, 0);
    assert.ok(course.indexOf(1) < course.lastIndexOf(2), 'its own pages first');
  });

  test('independent: each all that its seeds lead to', async () => {
    const { course, fetchedBy } = await run({ assignment: 'independent' }, [0, 2]);
    assert.deepEqual([...course].sort(), [0, 1, 2, 2, 3, 3]);
    assert.deepEqual(fetchedBy, [4, 2]);
  });
});

test('the modes compared: what the textbook says of them, and the same each time', async () => {
  const graph = generateGraph({ pages: 100, seed: 3, pagesPerHost: 5 });
  const compared = await compareModes(graph, { nodes: 3, seed: 1, partitions: 2, orders: ['breadth-first'] });
  const byName = new Map(compared.modes.map((one) => [one.name, one]));
  const of = (name: string) => byName.get(name) ?? assert.fail(name);
  for (const name of ['one node', 'exchange, by site', 'exchange, by hierarchy', 'exchange, by URL hash']) {
    assert.equal(of(name).coverage, 1, name);
    assert.equal(of(name).overlap, 0, name);
  }
  const [site, url, wall] = [of('exchange, by site'), of('exchange, by URL hash'), of('firewall, by site')];
  assert.ok(url.linksPerPage > 2 * site.linksPerPage, 'by URL most links leave');
  assert.ok(wall.finalCoverage < 1 && wall.linksPerPage === 0 && wall.overlap === 0);
  for (const name of ['cross-over, by site', 'independent']) {
    assert.ok(of(name).overlap > 0 && of(name).coverage < 1, name);
    assert.ok(of(name).finalCoverage > wall.finalCoverage, name);
    assert.equal(of(name).messagesPerPage, 0, name);
  }
  const links = compared.exchange.map(({ linksPerPage }) => linksPerPage);
  assert.ok(links.at(-1) === site.linksPerPage && links[0] > site.linksPerPage);
  const again = () => simulateCluster({ graph, seeds: [0, 50], mode: site.mode, order: 'in-degree' });
  assert.deepEqual(await again(), await again());
});
