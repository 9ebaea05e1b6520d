import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { audit } from '../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../src/simulate/audit/format-audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { ClusterOfNodes, type NodeEnd } from '../cluster-of-nodes.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';

const SMALL = {
  ...{ hosts: 12, pagesPerHost: 8, crawlDelaySeconds: 0.1, retryAfterSeconds: 1, slowRobotsMs: 20 },
  pageBytes: [1_000, 4_000],
} as const;
const PARTITIONS = 16;
const DELAY = 20;
/** Long: a busy machine must not lose partitions for it. */
const LEASE = 60_000;

const programs = findPostgres();

describe('a crawl of several nodes', { skip: typeof programs === 'string' ? programs : false }, () => {
  let server: PostgresServer;
  before(async () => {
    if (typeof programs !== 'string') server = await startPostgres(programs);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const assertEnded = (ends: readonly NodeEnd[]): void => {
    for (const { code, stderr } of ends) assert.equal(code, 0, stderr);
  };

  for (const count of [1, 2, 4]) {
    test(`${count} nodes: the same pages, none fetched twice, no host asked too early`, async () => {
      await using web = await startSyntheticWeb({ ...SMALL, seed: 20 + count });
      await using cluster = new ClusterOfNodes({
        ...{ web, url: server.url, schema: `nodes_${count}`, partitions: PARTITIONS },
        ...{ leaseMs: LEASE, delayMs: DELAY },
      });
      const nodes = [cluster.begin()];
      if (count > 1) await cluster.until('the first node', (view) => view.nodes.length > 0);
      for (let number = 1; number < count; number++) nodes.push(cluster.join(number));
      assertEnded(await Promise.all(nodes.map(({ ended }) => ended)));
      const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
      const pages = await cluster.pages();
      assert.ok(isDeepStrictEqual([...pages.keys()].sort(), expected.urls('stored').sort()), 'the same set of pages');
      assert.deepEqual(
        [...pages].filter(([, times]) => times !== 1),
        [],
        'each settled once',
      );
      const report = audit(web.log, expected, { minGapMs: DELAY, toleranceMs: 0 });
      assert.ok(report.passed, formatAudit(report));
    });
  }

  test('a node that is killed and one that is held past its lease: nothing lost, nothing twice, nobody too early', async () => {
    const delay = 150;
    await using web = await startSyntheticWeb({ ...SMALL, hosts: 16, pagesPerHost: 14, seed: 31 });
    await using cluster = new ClusterOfNodes({
      ...{ web, url: server.url, schema: 'faults', partitions: PARTITIONS, leaseMs: 3000, delayMs: delay },
      flags: ['--total-timeout', '2s'],
    });
    const first = cluster.begin();
    await cluster.until('the first node', (view) => view.nodes.length > 0);
    const [killed, held] = [cluster.join(1), cluster.join(2)];
    const owned = (view: Awaited<ReturnType<ClusterOfNodes['view']>>): Map<string | undefined, number> =>
      new Map([...Map.groupBy(view.partitions, ({ node }) => node)].map(([node, some]) => [node, some.length]));
    await cluster.until('three nodes with partitions', (view) => owned(view).size === 3 && !owned(view).has(undefined));
    killed.child.kill('SIGKILL');
    held.child.kill('SIGSTOP');
    await cluster.until('one node with all partitions', (view) => owned(view).get(view.partitions[0].node) === PARTITIONS);
    held.child.kill('SIGCONT');
    const { nodes } = await cluster.until('the held node knows what it has lost', (view) =>
      view.nodes.some(({ lost }) => lost > 0),
    );
    assert.ok(
      nodes.some(({ takeovers }) => takeovers > 0),
      'taken over',
    );
    assertEnded(await Promise.all([first.ended, held.ended]));
    assert.equal((await killed.ended).signal, 'SIGKILL');
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    const pages = await cluster.pages();
    const missed = expected.urls('stored').filter((url) => !pages.has(url));
    assert.deepEqual(missed, []);
    assert.equal(pages.size, expected.urls('stored').length);
    assert.deepEqual(
      [...pages].filter(([, times]) => times !== 1),
      [],
      'each settled once',
    );
    const report = audit(web.log, expected, { minGapMs: delay, toleranceMs: 0, maxWasted: Number.POSITIVE_INFINITY });
    assert.deepEqual(
      report.failures.filter((name) => name !== 'repeated'),
      [],
      formatAudit(report),
    );
  });

  test('a node that is stopped, and one that is drained, hand over and end with 0', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, pagesPerHost: 14, seed: 41 });
    await using cluster = new ClusterOfNodes({
      ...{ web, url: server.url, schema: 'leaving', partitions: PARTITIONS, leaseMs: LEASE, delayMs: 150 },
    });
    const first = cluster.begin();
    await cluster.until('the first node', (view) => view.nodes.length > 0);
    const joined = cluster.join(1);
    const shared = await cluster.until('two nodes that share', ({ partitions, nodes }) =>
      nodes.every(({ name }) => partitions.filter(({ node }) => node === name).length === PARTITIONS / 2),
    );
    assert.equal(shared.nodes.length, 2);
    first.child.kill('SIGTERM');
    assert.equal((await first.ended).code, 0);
    await cluster.until(
      'one node with all partitions',
      ({ partitions }) => new Set(partitions.map(({ node }) => node)).size === 1 && partitions[0].node !== undefined,
    );
    const again = cluster.join(0);
    const { nodes } = await cluster.until('the first one again', ({ partitions }) =>
      new Set(partitions.map(({ node }) => node)).size === 2,
    );
    const listed = await cluster.call('cluster');
    for (const { name } of nodes) assert.ok(listed.stdout.includes(name), listed.stdout);
    assert.equal((await cluster.call('cluster', 'drain', 'nobody')).code, 2);
    const drained = nodes.find(({ takeovers, pages }) => takeovers === 0 && pages === 0) ?? nodes[0];
    assert.equal((await cluster.call('cluster', 'drain', drained.name)).code, 0);
    assertEnded(await Promise.all([joined.ended, again.ended]));
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    const pages = await cluster.pages();
    assert.ok(isDeepStrictEqual([...pages.keys()].sort(), expected.urls('stored').sort()), 'the same set of pages');
    const report = audit(web.log, expected, { minGapMs: 150, toleranceMs: 0 });
    assert.ok(report.passed, formatAudit(report));
  });

  test('what is wrong with the database of a node is told', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, hosts: 1, pagesPerHost: 1, seed: 51 });
    await using cluster = new ClusterOfNodes({
      ...{ web, url: server.url, schema: 'nothing', partitions: PARTITIONS, leaseMs: LEASE, delayMs: DELAY },
    });
    const missing = await cluster.join(0).ended;
    assert.equal(missing.code, 3);
    assert.match(missing.stderr, /STORE_NOT_A_CRAWL.*nothing/);
    assert.match((await cluster.call('cluster')).stderr, /STORE_NOT_A_CRAWL/);
    const nowhere = await cluster.call('cluster', '--store', 'postgres://nobody@localhost/none?host=/nowhere');
    assert.match(nowhere.stderr, /STORE_UNREACHABLE/);
    assert.match((await cluster.call('node', '--store', '')).stderr, /USAGE|SETTING_INVALID/);
  });
});
