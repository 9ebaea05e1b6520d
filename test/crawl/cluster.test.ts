import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ClusterView } from '../../src/contracts/state/nodes.ts';
import type { CanonicalUrl } from '../../src/contracts/url.ts';
import { partitionOf } from '../../src/frontier/partition-of.ts';
import { audit } from '../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../src/simulate/audit/format-audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { hostKeyOf } from '../../src/url/host-key.ts';
import { ClusterOfNodes, type NodeEnd } from '../cluster-of-nodes.ts';
import { Gate } from '../gate.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';
import { onlyLong, quickOrLong } from '../property-runs.ts';

const SMALL = {
  ...{ hosts: 12, pagesPerHost: 8, crawlDelaySeconds: 0.1, retryAfterSeconds: 1, slowRobotsMs: 20 },
  pageBytes: [1_000, 4_000],
} as const;
const PARTITIONS = 16;
const DELAY = 20;
/** Long: a busy machine must not lose partitions for it. */
const LEASE = 60_000;

const programs = findPostgres();

/** Each of so many nodes has its share, to within one, and no partition is without. */
function isShared({ partitions }: ClusterView, count: number): boolean {
  const owners = Map.groupBy(partitions, ({ node }) => node);
  const share = PARTITIONS / count;
  return owners.size === count && !owners.has(undefined) && [...owners.values()].every((own) => own.length < share + 1);
}

describe('a crawl of several nodes', { skip: typeof programs === 'string' ? programs : false }, () => {
  let server: PostgresServer;
  before(async () => {
    if (typeof programs !== 'string') server = await startPostgres(programs);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const assertEnded = (ends: readonly NodeEnd[]): void => {
    for (const { code, stderr } of ends) assert.equal(code, 0, stderr);
  };

  // One node alone: postgres-crawl.test.ts. Three of which one is killed and one held: below.
  for (const count of quickOrLong([], [1, 3, 4])) {
    test(`${count} nodes: the same pages, none fetched twice, no host asked too early`, async () => {
      await using web = await startSyntheticWeb({ ...SMALL, seed: 20 + count });
      await using cluster = new ClusterOfNodes({
        ...{ web, url: server.url, schema: `nodes_${count}`, partitions: PARTITIONS },
        ...{ leaseMs: LEASE, delayMs: DELAY },
      });
      if (count > 1) await cluster.create();
      const nodes = count === 1 ? [cluster.begin()] : Array.from({ length: count }, (_, at) => cluster.join(at));
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
      // There are more partitions than hosts: those without one are not opened.
      const touched = (await cluster.view()).partitions.filter(({ commits }) => commits > 0);
      assert.ok(touched.length <= web.origins.length, `${touched.length} partitions were opened`);
    });
  }

  test('a node that is killed and one that is held past its lease: nothing lost, nothing twice, nobody too early', async () => {
    const delay = 500;
    await using web = await startSyntheticWeb({ ...SMALL, hosts: 14, pagesPerHost: 10, seed: 31 });
    await using gate = await Gate.start();
    await using cluster = new ClusterOfNodes({
      ...{ web, url: server.url, schema: 'faults', partitions: PARTITIONS, leaseMs: 3000, delayMs: delay },
      seeds: [gate.first],
      settings: { totalTimeout: 2000 },
      pageThreads: true,
    });
    await cluster.create();
    const [first, killed, held] = [0, 1, 2].map((number) => cluster.join(number));
    await cluster.until('three nodes with partitions', (view) => isShared(view, 3));
    gate.open(web.origins);
    while (web.log.length < 20) await turn(20);
    killed.child.kill('SIGKILL');
    held.child.kill('SIGSTOP');
    await cluster.until('one node with all partitions', (view) => isShared(view, 1));
    held.child.kill('SIGCONT');
    // What a node has taken and lost it says with its next beat.
    await cluster.until('partitions taken over, and the held node knows what it has lost', ({ nodes }) =>
      [nodes.some(({ takeovers }) => takeovers > 0), nodes.some(({ lost }) => lost > 0)].every(Boolean),
    );
    gate.end();
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

  test('a node that is stopped, and one that is drained, hand over and end with 0', onlyLong(), async () => {
    const delay = 500;
    await using web = await startSyntheticWeb({ ...SMALL, pagesPerHost: 11, seed: 41 });
    await using gate = await Gate.start();
    await using cluster = new ClusterOfNodes({
      ...{ web, url: server.url, schema: 'leaving', partitions: PARTITIONS, leaseMs: LEASE, delayMs: delay },
      seeds: [gate.first],
    });
    await cluster.create();
    const [stopped, ...others] = [0, 1, 2].map((number) => cluster.join(number));
    const shared = await cluster.until('three nodes that share', (view) => isShared(view, 3));
    assert.equal(shared.nodes.length, 3);
    gate.open(web.origins);
    while (web.log.length < 20) await turn(20);
    stopped.child.kill('SIGTERM');
    assert.equal((await stopped.ended).code, 0);
    const left = await cluster.until('two nodes that share', (view) => isShared(view, 2));
    const alive = left.nodes.filter(({ isAlive }) => isAlive);
    assert.equal(alive.length, 2);
    const listed = await cluster.call('cluster');
    for (const { name } of alive) assert.ok(listed.stdout.includes(name), listed.stdout);
    assert.equal((await cluster.call('cluster', 'drain', 'nobody')).status, 2);
    assert.equal((await cluster.call('cluster', 'drain', alive[0].name)).status, 0);
    await cluster.until('one node alone', (view) => isShared(view, 1));
    gate.end();
    assertEnded(await Promise.all(others.map(({ ended }) => ended)));
    assert.match((await cluster.call('cluster')).stdout, /The crawl is finished\./);
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    const pages = await cluster.pages();
    assert.ok(isDeepStrictEqual([...pages.keys()].sort(), expected.urls('stored').sort()), 'the same set of pages');
    assert.deepEqual(
      [...pages].filter(([, times]) => times !== 1),
      [],
      'each settled once',
    );
    // A node that stops waits only so long for what is under way, which on a busy machine may come later: then it is asked for again.
    const report = audit(web.log, expected, { minGapMs: delay, toleranceMs: 0, maxWasted: Number.POSITIVE_INFINITY });
    assert.deepEqual(
      report.failures.filter((name) => name !== 'repeated'),
      [],
      formatAudit(report),
    );
  });

  test(
    'fixed shares behind a firewall: each node its own hosts, all that can be reached within them, and nobody takes over',
    onlyLong(),
    async () => {
      await using web = await startSyntheticWeb({ ...SMALL, seed: 61 });
      const spread = { count: PARTITIONS, byDomain: false, by: 'site' as const };
      const shareOf = (url: string): number => partitionOf(hostKeyOf(url as CanonicalUrl), spread) % 2;
      // The port is part of a host, so that each run has other shares.
      const within = (seeds: readonly string[], share: number): string[] =>
        truth(web.web, { seeds, agent: 'orbweaver', scope: (url) => shareOf(url) === share }).urls('stored');
      const seeds = [0, 1].flatMap((share) =>
        web.origins.filter((url) => shareOf(url) === share && within([url], share).length > 0).slice(0, 1),
      );
      await using cluster = new ClusterOfNodes({
        ...{ web, url: server.url, schema: 'walls', partitions: PARTITIONS, leaseMs: LEASE, delayMs: DELAY, seeds },
        settings: { assignment: 'static', nodes: 2, leavingLinks: 'firewall' },
      });
      await cluster.create();
      const nameless = await cluster.join(0).ended;
      assert.equal(nameless.code, 2);
      assert.match(nameless.stderr, /SETTING_INVALID.*--node-number/s);
      const first = cluster.join(1, '--node-number', '1');
      const owned = ({ partitions }: ClusterView): number => partitions.filter(({ node }) => node !== undefined).length;
      await cluster.until('the first has its share', (view) => owned(view) >= PARTITIONS / 2);
      assert.equal(owned(await cluster.view()), PARTITIONS / 2, 'no more than its share');
      const second = cluster.join(2, '--node-number', '2');
      assertEnded(await Promise.all([first.ended, second.ended]));
      const expected = [0, 1].flatMap((share) =>
        within(
          seeds.filter((url) => shareOf(url) === share),
          share,
        ),
      );
      const all = truth(web.web, { seeds, agent: 'orbweaver' });
      assert.deepEqual([...(await cluster.pages()).keys()].sort(), expected.sort());
      const report = audit(web.log, all, { minGapMs: DELAY, toleranceMs: 0, complete: false });
      assert.ok(report.passed, formatAudit(report));
    },
  );

  test(
    'partitions by hierarchy: the hosts of a top-level domain have one owner, and all is found',
    onlyLong(),
    async () => {
      await using web = await startSyntheticWeb({ ...SMALL, seed: 71 });
      await using cluster = new ClusterOfNodes({
        ...{ web, url: server.url, schema: 'labels', partitions: PARTITIONS, leaseMs: LEASE, delayMs: DELAY },
        settings: { partitionBy: 'hierarchy' },
      });
      await cluster.create();
      assertEnded(await Promise.all([0, 1].map((number) => cluster.join(number).ended)));
      const labels = new Set(web.origins.map((url) => new URL(url).hostname.split('.').at(-1)));
      const touched = (await cluster.view()).partitions.filter(({ commits }) => commits > 0);
      assert.ok(touched.length <= labels.size, `${touched.length} partitions for ${labels.size} labels`);
      const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
      assert.deepEqual([...(await cluster.pages()).keys()].sort(), expected.urls('stored').sort());
    },
  );

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
