import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { openSearchPage } from '../../src/cli/commands/search-page.ts';
import { PostgresConnection } from '../../src/engines/postgres/connection.ts';
import { openIndexOf } from '../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../src/search/indexing/rebuild-index.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { callProgram } from '../called-program.ts';
import { ClusterOfNodes } from '../cluster-of-nodes.ts';
import { Gate } from '../gate.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';
import { onlyLong } from '../property-runs.ts';
import { signalWhenAnnounced } from '../signalled-program.ts';

const SMALL = {
  ...{ hosts: 10, pagesPerHost: 8, crawlDelaySeconds: 0.1, retryAfterSeconds: 1, slowRobotsMs: 20 },
  pageBytes: [1_000, 4_000],
} as const;

const programs = findPostgres();

describe(
  'the indexes of nodes follow their work',
  onlyLong(typeof programs === 'string' ? programs : undefined),
  () => {
    const opened = new AsyncDisposableStack();
    let server: PostgresServer;
    let web: WebServer;

    before(async () => {
      if (typeof programs === 'string') return;
      server = opened.use(await startPostgres(programs));
      web = opened.use(await startSyntheticWeb({ ...SMALL, seed: 83 }));
    });
    after(() => opened.disposeAsync());

    test('a node is killed and comes back, another takes over meanwhile: each page is in one index, as a rebuild has it', async () => {
      await using gate = await Gate.start();
      await using cluster = new ClusterOfNodes({
        ...{ web, url: server.url, schema: 'indexes', partitions: 8, leaseMs: 6_000, delayMs: 100 },
        ...{ seeds: [gate.first, ...web.origins], index: true },
      });
      await cluster.create();
      const [one, two] = [cluster.join(0), cluster.join(1)];
      const found = async (query: string): Promise<readonly string[]> => {
        const { stdout, stderr } = await cluster.call('search', query, '--json', '--unfolded', '--per-page', '100');
        if (stdout === '') return [];
        assert.equal(stderr, '');
        return (JSON.parse(stdout).hits as { id: string }[]).map(({ id }) => id);
      };
      // Both are at work, and pages of both can be found.
      const indexed = (number: number): Promise<number> => documentsOf(join(cluster.folder, String(number)));
      while ((await indexed(0)) < 5 || (await indexed(1)) < 5) await turn(100);
      assert.ok((await found('site:synthetic.test')).length > 0);
      assert.deepEqual([one.child.exitCode, two.child.exitCode], [null, null], 'nodes work on');

      one.child.kill('SIGKILL');
      await once(one.child, 'close');
      await cluster.until('its partitions at the other', ({ partitions }) =>
        partitions.every(({ node, hasLapsed }) => node !== undefined && !hasLapsed),
      );
      const back = cluster.join(0);
      await cluster.until(
        'both share again',
        ({ partitions }) => new Set(partitions.map(({ node }) => node)).size === 2,
      );
      gate.end();
      for (const { code, stderr } of await Promise.all([back.ended, two.ended])) {
        assert.equal(code, 0, stderr);
        assert.doesNotMatch(stderr, /search index/);
      }

      const all: string[] = [];
      for (const number of [0, 1]) {
        const folder = join(cluster.folder, String(number));
        const followed = await contentsOf(folder);
        await rebuildIndex(folder, systemClock);
        assert.deepEqual(followed, await contentsOf(folder), folder);
        all.push(...followed.keys());
      }
      assert.equal(new Set(all).size, all.length, 'no page is in two of them');
      const listed = await cluster.call('pages', '--json');
      const stored = listed.stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { url: string; outcome: { kind: string } })
        .filter(({ outcome }) => outcome.kind === 'stored')
        .map(({ url }) => url);
      const missing = stored.filter((url) => !all.includes(url) && !/\.(xml|txt)$/.test(url));
      assert.deepEqual(missing, [], 'every stored page is in one of them');

      // As if both were on other machines: one answers from its folder, the other does not.
      const whole = await cluster.call('search', 'site', '--json', '--facets');
      const serving = [0, 1].map((number) =>
        cluster.join(number, '--search-only', '--search-address', '127.0.0.1:0', '--search-token', 'shared'),
      );
      await cluster.until('both announced', ({ nodes }) =>
        nodes.every(({ home, pages }) => pages === 0 || home?.search !== undefined),
      );
      await using connection = new PostgresConnection({ url: server.url, schema: 'indexes' });
      const text = 'UPDATE node SET report = replace(report, \'"machine":"\', \'"machine":"far-\')';
      await connection.run([[{ name: '', text }]]);
      const search = () =>
        callProgram(['search', 'site', '--json', '--facets'], {
          env: { ORBWEAVER_STORE: cluster.store, ORBWEAVER_SEARCH_TOKEN: 'shared' },
        });
      const plain = (json: string) => ({ ...JSON.parse(json), ms: 0 });
      const far = await search();
      assert.deepEqual(plain(far.stdout), plain(whole.stdout), far.stderr);
      const wrong = await cluster.call('search', 'site', '--json');
      assert.match(JSON.parse(wrong.stdout).notes.join(), /another ORBWEAVER_SEARCH_TOKEN/);
      serving[0].child.kill('SIGKILL');
      await serving[0].ended;
      const partly = plain((await search()).stdout);
      assert.match(partly.notes.join(), /Not searched: the node \S+ at 127\.0\.0\.1:\d+: ECONNREFUSED\./);
      assert.ok(partly.total > 0 && partly.total < plain(whole.stdout).total);
      await using page = await openSearchPage({
        ...{ dir: join(cluster.folder, 'none'), store: cluster.store, port: '0', host: '127.0.0.1' },
      });
      assert.equal(page.documents, 0, 'this process has no token');

      serving[1].child.kill('SIGTERM');
      await serving[1].ended;
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const ended = await signalWhenAnnounced(
          ['node', '--folder', join(cluster.folder, '1'), '--search-only', '--search-address', '127.0.0.1:0'],
          { folder: cluster.folder, signal, announces: /127\.0\.0\.1:\d+/, env: { ORBWEAVER_STORE: cluster.store } },
        );
        assert.deepEqual([ended.code, ended.signal], [0, null], ended.stderr);
        const { nodes } = await cluster.view();
        assert.ok(
          nodes.every(({ home }) => home?.search === undefined || !ended.stdout.includes(home.search)),
          'its address is taken back',
        );
      }
    });
  },
);

async function documentsOf(folder: string): Promise<number> {
  const { openSearcher } = await import('../../src/search/open-searcher.ts');
  try {
    await using searcher = await openSearcher(folder);
    return searcher.documents;
  } catch {
    return 0;
  }
}

/** Each document with all that the index knows of it, and its score among all. */
async function contentsOf(folder: string): Promise<Map<string, unknown>> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  const { top } = snapshot.top({ kind: 'all' }, Math.max(1, snapshot.documents));
  return new Map(
    top
      .map(
        ({ document, score }) => [snapshot.document(document).id, { ...snapshot.document(document), score }] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
