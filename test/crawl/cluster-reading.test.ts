import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { openSearchPage } from '../../src/cli/commands/search-page.ts';
import { checkFolder } from '../../src/crawl/check/check-folder.ts';
import { ClusterWatch } from '../../src/crawl/nodes/cluster-watch.ts';
import { planForgetInNodes } from '../../src/crawl/nodes/forget-in-nodes.ts';
import { openStoreCrawl } from '../../src/crawl/nodes/store-crawl.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { openLinkReader } from '../../src/engines/open-links.ts';
import { PostgresConnection } from '../../src/engines/postgres/connection.ts';
import { ClusterMetrics } from '../../src/observe/metrics/cluster-metrics.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { ClusterOfNodes } from '../cluster-of-nodes.ts';
import { Gate } from '../gate.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';
import { onlyLong } from '../property-runs.ts';

const SMALL = {
  ...{ hosts: 12, pagesPerHost: 8, crawlDelaySeconds: 0.1, retryAfterSeconds: 1, slowRobotsMs: 20 },
  pageBytes: [1_000, 4_000],
} as const;

const programs = findPostgres();

// One crawl by two nodes, for all that follows. Nothing runs any more.
describe('reading a crawl of two nodes', { skip: typeof programs === 'string' ? programs : false }, () => {
  const opened = new AsyncDisposableStack();
  let server: PostgresServer;
  let web: WebServer;
  let cluster: ClusterOfNodes;
  let stored: readonly string[];

  before(async () => {
    if (typeof programs === 'string') return;
    server = opened.use(await startPostgres(programs));
    web = opened.use(await startSyntheticWeb({ ...SMALL, seed: 61 }));
    const gate = opened.use(await Gate.start());
    cluster = opened.use(
      new ClusterOfNodes({
        ...{ web, url: server.url, schema: 'reading', partitions: 8, leaseMs: 60_000, delayMs: 250 },
        ...{ seeds: [gate.first], index: true },
      }),
    );
    await cluster.create();
    const nodes = [cluster.join(0), cluster.join(1)];
    await cluster.until('two nodes that share', ({ partitions }) =>
      isDeepStrictEqual(
        [...Map.groupBy(partitions, ({ node }) => node).values()].map(({ length }) => length),
        [4, 4],
      ),
    );
    gate.open(web.origins);
    while (web.log.length === 0) await turn(20);
    gate.end();
    for (const { code, stderr } of await Promise.all(nodes.map(({ ended }) => ended))) assert.equal(code, 0, stderr);
    stored = [...(await cluster.pages()).keys()].sort();
  });
  after(() => opened.disposeAsync());

  const onePerHost = (): string[][] => [...Map.groupBy(stored, (url) => new URL(url).host).values()];

  /** By the files that their pages lie in. */
  const ownerOfHosts = async (): Promise<Map<string, string>> => {
    using reader = await read('urls');
    const owners = new Map<string, string>();
    for (const [url] of onePerHost()) {
      const file = (await reader.explain(url)).page?.facts?.location?.file ?? '';
      owners.set(new URL(url).host, file.slice(file.lastIndexOf('-')));
    }
    return owners;
  };

  const read = (wanted: Parameters<typeof openStoreCrawl>[0]['wanted']) =>
    openStoreCrawl({ store: cluster.store, wanted, clock: systemClock });

  test('status adds up all partitions', async () => {
    using reader = await read('sums');
    const { totals, run, hosts, busiest } = await reader.status(50);
    const outcomes = { stored: 0, duplicate: 0 };
    using listed = await read('pages');
    const pages = [...listed.pages()];
    for (const { outcome } of pages) if (outcome.kind in outcomes) outcomes[outcome.kind as 'stored']++;
    assert.equal(totals.outcomes.stored, outcomes.stored);
    assert.equal(totals.pages, outcomes.stored + outcomes.duplicate);
    assert.equal(run?.ended, 'finished');
    assert.equal(new Set(busiest.map(({ host }) => host)).size, hosts);
    const ofWeb = pages.filter(({ url, outcome }) => url.includes('synthetic') && outcome.kind in outcomes);
    assert.deepEqual(ofWeb.map(({ url }) => url).sort(), stored);
  });

  test('metrics tell of nodes and partitions what the database has', async () => {
    await using watch = new ClusterWatch(cluster.store);
    const metrics = new ClusterMetrics(watch);
    const told = new Map((await metrics.families()).map((family) => [family.name, family]));
    const value = (name: string, state?: string): number | undefined => {
      const family = told.get(name);
      const samples = family !== undefined && 'samples' in family ? family.samples : [];
      return samples.find(({ labels }) => labels?.state === state)?.value;
    };
    const { nodes, partitions, pending } = await watch.view();
    assert.equal(value('orbweaver_cluster_nodes', 'gone'), nodes.length);
    assert.equal(value('orbweaver_cluster_partitions', 'free'), partitions.length);
    assert.equal(value('orbweaver_cluster_messages'), pending);
    assert.equal(
      value('orbweaver_cluster_pages'),
      nodes.reduce((sum, { pages }) => sum + pages, 0),
    );
    await using away = new ClusterWatch('postgres://127.0.0.1:1/none');
    await assert.rejects(() => new ClusterMetrics(away).families(), { code: 'STORE_UNREACHABLE' });
  });

  test('a folder that is named by another way is not read twice', async () => {
    using reader = await read('urls');
    const folders = [relative(process.cwd(), reader.folders[0])];
    using again = await openStoreCrawl({ store: cluster.store, wanted: 'urls', clock: systemClock, folders });
    assert.deepEqual([...again.folders].sort(), [...reader.folders].sort());
  });

  test('pages are explained, with the way from the seed, and got from the folder of whichever node has it', async () => {
    using reader = await read('urls');
    const files = new Set<string>();
    for (const urls of onePerHost()) {
      const url = urls[urls.length - 1];
      const { page, path, host, robots } = await reader.explain(url);
      assert.equal(page?.state, 'done', url);
      assert.equal(path[0].how, 'seed', url);
      assert.ok(host !== undefined && robots !== undefined, url);
      const document = await reader.get(url);
      assert.equal(document.url, url);
      assert.equal((await reader.versions(url)).length, 1);
      files.add(document.location.file);
    }
    assert.equal(files.size, 2, 'both nodes have some');
    assert.equal((await reader.explain('http://h000.synthetic.test/nothing')).page, undefined);
  });

  test('search and the search page go over the indexes of both nodes', async () => {
    const found = await cluster.call('search', 'site', '--json', '--unfolded', '--per-page', '100');
    const { hits, total } = JSON.parse(found.stdout) as { hits: { id: string; snippet: unknown }[]; total: number };
    assert.equal(found.stderr, '');
    const hosts = [...(await ownerOfHosts())].filter(([host]) => hits.some(({ id }) => new URL(id).host === host));
    assert.equal(new Set(hosts.map(([, node]) => node)).size, 2, 'hits of both');
    await using page = await openSearchPage({
      ...{ dir: join(cluster.folder, 'none'), store: cluster.store, port: '0', host: '127.0.0.1' },
    });
    assert.ok(page.documents >= total && total === hits.length, `${page.documents} ${total} ${hits.length}`);
    for (const { id } of [hits[0], hits[hits.length - 1]]) {
      const answer = await fetch(new URL(`/cached?url=${encodeURIComponent(id)}`, page.url));
      assert.equal(answer.status, 200, id);
    }
    // All is in the indexes; a node's own does not know the others' pages.
    const again = await cluster.call('index', '--json', '--quiet');
    const { indexed, documents, folders } = JSON.parse(again.stdout);
    assert.deepEqual([indexed, documents, folders.length], [0, page.documents, 2]);
  });

  test('the search page takes up a node that has its index later, without a restart', onlyLong(), async () => {
    const index = join(cluster.folder, '1', 'index');
    renameSync(index, `${index}-later`);
    const rename = new DisposableStack();
    rename.defer(() => renameSync(`${index}-later`, index));
    await using page = await (async () => {
      using _restored = rename;
      return await openSearchPage({
        ...{ dir: join(cluster.folder, 'none'), store: cluster.store, port: '0', host: '127.0.0.1' },
      });
    })();
    const total = async (): Promise<number> => {
      const answer = await fetch(new URL('/api/search?q=site', page.url));
      assert.equal(answer.status, 200);
      return ((await answer.json()) as { total: number }).total;
    };
    const first = await total();
    const all = JSON.parse((await cluster.call('search', 'site', '--json')).stdout) as { total: number };
    assert.ok(first > 0 && first < all.total, `${first} ${all.total}`);
    while ((await total()) !== all.total) await turn(200);
  });

  test('it moves into a folder, which is sound and holds all of it', onlyLong(), async () => {
    const folder = join(cluster.folder, 'moved');
    const moved = await cluster.call('migrate', '--from', cluster.store, '--to', folder);
    assert.equal(moved.status, 0, moved.stderr);
    const { problems, pages, records } = await checkFolder(folder, () => {});
    assert.deepEqual(problems, []);
    assert.ok(pages >= stored.length && records > pages);
    using reader = new CrawlReader(folder);
    using there = await read('sums');
    const [a, b] = [await reader.status(0), await there.status(0)];
    assert.deepEqual([a.totals, a.queued, a.hosts, a.run?.seeds], [b.totals, b.queued, b.hosts, b.run?.seeds]);
    assert.equal((await reader.get(stored[0])).url, stored[0]);
    // The database is as it was, and nobody holds it.
    assert.ok((await cluster.view()).partitions.every(({ node }) => node === undefined));
    const again = await cluster.call('migrate', '--from', cluster.store, '--to', folder);
    assert.match(again.stderr, /SETTING_INVALID.*holds a crawl already/);
  });

  test('links and ranks are those of all nodes together', onlyLong(), async () => {
    const ranks = await cluster.call('rank', '--store', cluster.store, '--json', '--limit', '1000');
    assert.equal(ranks.status, 0, ranks.stderr);
    const own = await Promise.all(
      [0, 1].map(async (number) => {
        using links = openLinkReader(join(cluster.folder, String(number)));
        return { pages: links.pages, links: links.links };
      }),
    );
    assert.ok(own.every(({ pages }) => pages > 0));
    const whole = join(cluster.folder, 'moved');
    const indexed = await cluster.call('index', '--dir', whole);
    assert.equal(indexed.status, 0, indexed.stderr);
    const ofOne = JSON.parse((await cluster.call('rank', '--dir', whole, '--json', '--limit', '1000')).stdout);
    const ofAll = JSON.parse(ranks.stdout);
    assert.deepEqual([ofAll.pages, ofAll.links], [ofOne.pages, ofOne.links]);
    const values = ({ pageRank }: { pageRank: { name: string; value: number }[] }): Map<string, number> =>
      new Map(pageRank.map(({ name, value }) => [name, value]));
    const expected = values(ofOne);
    for (const [name, value] of values(ofAll)) assert.ok(Math.abs(value - (expected.get(name) ?? 0)) < 1e-6, name);
    const best = ofOne.pageRank[0].name;
    const inLinks = async (...where: string[]): Promise<string[]> => {
      const called = await cluster.call('links', best, '--json', '--limit', '1000', ...where);
      assert.equal(called.status, 0, called.stderr);
      return JSON.parse(called.stdout)
        .inLinks.map(({ from, text }: { from: string; text: string }) => `${from} ${text}`)
        .sort();
    };
    assert.deepEqual(await inLinks('--store', cluster.store), await inLinks('--dir', whole));
    const hidden = [0, 1].map((number) => join(cluster.folder, String(number)));
    for (const folder of hidden) renameSync(folder, `${folder}-away`);
    const missing = await cluster.call('rank', '--store', cluster.store);
    for (const folder of hidden) renameSync(`${folder}-away`, folder);
    assert.match(missing.stderr, /INDEX_MISSING.*\n.*orbweaver index --store/);
  });

  test('links that a partition has sent and nobody has taken in come along into the folder', onlyLong(), async () => {
    const folder = join(cluster.folder, 'moved-with-messages');
    const { host, href: url } = new URL('/told-of-by-another', stored[0]);
    const task = { url, host, depth: 1, redirects: 0, lane: 1, purpose: 'page' };
    const discovery = { how: 'link', via: stored[0], foundAt: systemClock.now() };
    const body = JSON.stringify({ kind: 'links', tasks: [{ ...task, discovery }] });
    await using database = new PostgresConnection({ url: cluster.store, schema: 'reading' });
    const run = (text: string) => database.run([[{ name: text.slice(0, 6), text }]]);
    await run(`INSERT INTO outbox (part, to_part, number, body) VALUES (0, 1, 1000000, '${body}')`);
    const moved = await cluster.call('migrate', '--from', cluster.store, '--to', folder);
    await run('DELETE FROM outbox');
    assert.equal(moved.status, 0, moved.stderr);
    using reader = new CrawlReader(folder);
    assert.equal((await reader.explain(url)).page?.state, 'queued');
    assert.deepEqual(readdirSync(folder).includes('moving'), false);
    assert.deepEqual((await checkFolder(folder, () => {})).problems, []);
  });

  test('damage in the archive of a node is found', onlyLong(), async () => {
    const sound = await cluster.call('check', '--json');
    assert.equal(sound.status, 0, sound.stdout + sound.stderr);
    assert.ok(JSON.parse(sound.stdout).pages >= stored.length);
    using reader = await read('urls');
    const { location } = await reader.get(stored[0]);
    const path = [0, 1]
      .map((number) => join(cluster.folder, String(number), 'archive', location.file))
      .find((file) => existsSync(file)) as string;
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.from(whole).fill(0, location.offset + 20, location.offset + 40));
    const damaged = await cluster.call('check', '--json');
    writeFileSync(path, whole);
    assert.equal(damaged.status, 8, damaged.stderr);
    const codes = JSON.parse(damaged.stdout).problems.map(({ code }: { code: string }) => code);
    assert.deepEqual(codes, ['records-damaged', 'copy-lost']);
  });

  test('commands read the database; a copy that lies elsewhere is named', async () => {
    const status = await cluster.call('status', '--json', '--store', cluster.store);
    assert.equal(JSON.parse(status.stdout).run.ended, 'finished', status.stderr);
    // From the environment, where the folder is that of a node.
    const ofNode = await cluster.call('status', '--json', '--dir', join(cluster.folder, '0'));
    assert.deepEqual(JSON.parse(ofNode.stdout).totals, JSON.parse(status.stdout).totals);
    const found = await cluster.call('get', stored[0]);
    assert.equal(found.status, 0, found.stderr);
    const hidden = [0, 1].map((number) => join(cluster.folder, String(number)));
    for (const folder of hidden) renameSync(folder, `${folder}-away`);
    const missing = await cluster.call('get', stored[0]);
    for (const folder of hidden) renameSync(`${folder}-away`, folder);
    assert.equal(missing.status, 5);
    assert.match(missing.stderr, /COPY_ELSEWHERE.*the node \S+ has it, in \S+ on the machine \S+, in \S+\.warc\.gz/);
  });

  test(
    'a host that is forgotten leaves the database and the folders of both nodes, and is not asked again',
    onlyLong(),
    async () => {
      const url = new URL(stored[stored.length - 1]);
      assert.equal((await cluster.call('forget', url.host)).status, 2, 'it was not confirmed');
      const forgotten = await cluster.call('forget', url.host, '--yes', '--json');
      assert.equal(forgotten.status, 0, forgotten.stderr);
      const ofHost = stored.filter((one) => new URL(one).host === url.host);
      const { pages, entries } = JSON.parse(forgotten.stdout);
      assert.ok(pages >= ofHost.length && entries[0].records >= ofHost.length, forgotten.stdout);
      using reader = await read('urls');
      for (const one of ofHost) assert.equal((await reader.explain(one)).page, undefined, one);
      const left = await planForgetInNodes(cluster.store, [url.host]);
      assert.deepEqual(left, { urls: [], others: 0, records: 0, bytes: 0 });
      const found = await cluster.call('search', `site:${url.hostname}`, '--json');
      assert.equal(JSON.parse(found.stdout).total, 0);
      const checked = await cluster.call('check', '--json');
      assert.equal(checked.status, 0, checked.stdout + checked.stderr);
      const asked = (): number => [...web.log].filter(({ host }) => web.web.hosts.authority(host) === url.host).length;
      const before = asked();
      assert.ok(before > 0);
      const again = await cluster.join(0).ended;
      assert.equal(again.code, 0, again.stderr);
      assert.equal(asked(), before);
      assert.match((await cluster.call('forget', '--list')).stdout, new RegExp(url.hostname));
    },
  );
});
