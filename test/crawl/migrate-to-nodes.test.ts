import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import type { HostKey } from '../../src/contracts/url.ts';
import { checkFolder } from '../../src/crawl/check/check-folder.ts';
import { migrateToFolder } from '../../src/crawl/nodes/migrate-crawl.ts';
import { migrateToNodes } from '../../src/crawl/nodes/migrate-to-nodes.ts';
import { openStoreView } from '../../src/engines/open-store.ts';
import { PostgresConnection } from '../../src/engines/postgres/connection.ts';
import { TABLES } from '../../src/engines/postgres/tables.ts';
import { SEEN_ENTRY_BYTES } from '../../src/engines/sqlite/rows/seen-rows.ts';
import { partitionOf } from '../../src/frontier/partition-of.ts';
import { audit } from '../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../src/simulate/audit/format-audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { callProgram } from '../called-program.ts';
import { ClusterOfNodes } from '../cluster-of-nodes.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';
import { onlyLong, quickOrLong } from '../property-runs.ts';
import { crawlWeb, temporaryFolder } from './crawl-web.ts';

const SMALL = {
  ...{ hosts: 9, pagesPerHost: 10, crawlDelaySeconds: 0.1, retryAfterSeconds: 1, slowRobotsMs: 20 },
  pageBytes: [1_000, 4_000],
} as const;
const SPREAD = { count: 4, by: 'site', byDomain: false } as const;

const programs = findPostgres();

type Row = Record<string, unknown>;

/** The rows of a state with names in place of numbers that each state gives by itself, in an order of their own. */
function namedRows(folder: string): Record<string, string[]> {
  using db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
  const all = (sql: string): Row[] => {
    const select = db.prepare(sql);
    select.setReadBigInts(true);
    return select.all() as Row[];
  };
  const hosts = new Map(all('SELECT id, key FROM host').map(({ id, key }) => [Number(id), String(key)]));
  const pageOf = new Map(all('SELECT document, page FROM likeness').map(({ document, page }) => [document, page]));
  const written = (row: Row): string =>
    JSON.stringify(row, (_, value) =>
      typeof value === 'bigint'
        ? String(value)
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('hex')
          : value,
    );
  const named = (name: string, row: Row): Row[] => {
    if (name === 'seen') return seenEntries(row.entries as Uint8Array, hosts);
    if (name === 'meta') {
      if (row.name !== 'counters') return [];
      const { savedAt: _s, uptime: _u, batch: _b, ...counters } = JSON.parse(String(row.value));
      return [Object.fromEntries(Object.entries(counters).map(([key, sum]) => [key, inOrder(sum)]))];
    }
    // How long its queue is, a folder counts by its log; the queue itself is compared.
    const { id: _id, as_of: _as, queued: _q, number: _n, ...others } = row;
    if (name === 'host') return [{ ...others, lane: 0 }];
    if (name === 'likeness') return [{ ...others, document: 0, near_to: pageOf.get(row.near_to) ?? null }];
    return ['host' in row ? { ...others, host: hosts.get(Number(row.host)) } : others];
  };
  return Object.fromEntries(
    TABLES.filter(({ name }) => name !== 'learning').map(({ name }) => [
      name,
      all(`SELECT * FROM ${name}`)
        .flatMap((row) => named(name, row))
        .map((row) => written(inOrder(row) as Row))
        .sort(),
    ]),
  );
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function seenEntries(entries: Uint8Array, hosts: ReadonlyMap<number, string>): Row[] {
  const bytes = Buffer.from(entries);
  return Array.from({ length: bytes.length / SEEN_ENTRY_BYTES }, (_, at) => {
    const start = at * SEEN_ENTRY_BYTES;
    return {
      fp: bytes.readBigUInt64LE(start),
      host: hosts.get(bytes.readUInt32LE(start + 8)),
      lane: bytes[start + 12],
    };
  });
}

describe('a folder that is moved into several partitions', {
  skip: typeof programs === 'string' ? programs : false,
}, () => {
  let server: PostgresServer;
  before(async () => {
    if (typeof programs !== 'string') server = await startPostgres(programs);
  });
  after(() => server?.[Symbol.asyncDispose]());
  const storeOf = (schema: string): string => `${server.url}&schema=${schema}`;
  const moveOf = (store: string, folder: string) => ({
    ...{ store, folder, clock: systemClock, random: Math.random, onProgress: () => {} },
  });

  test('there and back: the same rows, though it was killed on the way; half a crawl is crawled by nobody', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, seed: 71 });
    using folder = temporaryFolder();
    await crawlWeb(web, folder.path, { maxPages: 35 });
    const rows = namedRows(folder.path);
    for (const name of ['host', 'queue', 'seen', 'page', 'robots', 'digest', 'archive_file', 'likeness'])
      assert.ok(rows[name].length > 0, name);
    const store = storeOf('there');
    const script = fileURLToPath(new URL('./migrate-and-die.ts', import.meta.url));
    for (const step of quickOrLong([4], [1, 4, 9])) {
      const killed = spawnSync(process.execPath, [script, folder.path, store, '4', String(step)]);
      assert.equal(killed.signal, 'SIGKILL', `${step}: ${killed.stderr}`);
      assert.ok(isDeepStrictEqual(namedRows(folder.path), rows), 'the folder is as it was');
    }
    using another = temporaryFolder();
    await assert.rejects(crawlWeb(web, another.path, { store, partitions: 4 }), {
      code: 'SETTING_INVALID',
      message: /not moved into this database completely/,
    });
    const otherwise = { ...moveOf(store, folder.path), spread: { ...SPREAD, count: 8 } };
    await assert.rejects(migrateToNodes(otherwise), {
      code: 'SETTING_INVALID',
      message: /in another way: 4 partitions/,
    });
    const moved = await migrateToNodes({ ...moveOf(store, folder.path), spread: SPREAD });
    assert.ok(moved > 0);
    assert.deepEqual(readdirSync(folder.path).includes('moving'), false);

    await using database = new PostgresConnection({ url: server.url, schema: 'there' });
    // Killed when the folder was that of a node, and the database did not know yet.
    const noted = (text: string) => database.run([[{ name: '', text }]]);
    await noted(`UPDATE note SET value = '{"from":"here","counters":""}' WHERE name = 'move'`);
    assert.equal(await migrateToNodes({ ...moveOf(store, folder.path), spread: SPREAD }), 0, 'done already');
    const [[{ value }]] = await noted("SELECT value FROM note WHERE name = 'move'");
    assert.equal(value, 'null');
    const [hosts] = await database.run([[{ name: '', text: 'SELECT part, id, key FROM host ORDER BY part, id' }]]);
    const parts = Map.groupBy(hosts, ({ part }) => Number(part));
    assert.ok(parts.size > 1, 'spread');
    for (const [part, some] of parts) {
      for (const { key } of some) assert.equal(partitionOf(String(key) as HostKey, SPREAD), part);
      assert.deepEqual(
        some.map(({ id }) => Number(id)),
        [...some.keys()],
      );
    }
    await using view = await openStoreView(store);
    const { nodes } = await view.nodes.view();
    assert.deepEqual(
      nodes.map(({ isAlive, home }) => [isAlive, home?.folder]),
      [[false, folder.path]],
    );

    using back = temporaryFolder();
    await migrateToFolder(moveOf(store, back.path));
    const returned = namedRows(back.path);
    for (const { name } of TABLES) assert.deepEqual(returned[name], rows[name], name);
    assert.deepEqual((await checkFolder(back.path, () => {})).problems, []);
    await crawlWeb(web, back.path);
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    const report = audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 });
    assert.ok(report.passed, formatAudit(report));
  });

  test(
    'two nodes finish the crawl: the same pages, none fetched twice; what the folder held is read and searched',
    onlyLong(),
    async () => {
      const delayMs = 100;
      await using web = await startSyntheticWeb({ ...SMALL, seed: 72 });
      await using cluster = new ClusterOfNodes({
        ...{ web, url: server.url, schema: 'finished', partitions: 4, leaseMs: 60_000, delayMs, index: true },
      });
      const first = join(cluster.folder, '0');
      await crawlWeb(web, first, { maxPages: 30, delay: delayMs, backoffStart: 100 });
      const indexed = await callProgram(['index', '--dir', first]);
      assert.equal(indexed.status, 0, indexed.stderr);
      const early = namedRows(first).archive_file.length;
      const moved = await cluster.call('migrate', '--from', first, '--to', cluster.store, '--partitions', '4');
      assert.equal(moved.status, 0, moved.stderr);
      assert.match(moved.stdout, /4 partitions.*\n.*orbweaver crawl --store … --partitions 4 --dir/);
      const oldPages = [...(await cluster.pages()).keys()];
      assert.ok(oldPages.length >= 30 && early > 0);
      const found = await cluster.call('get', oldPages[0]);
      assert.equal(found.status, 0, found.stderr);
      // Settings and seeds are there for both.
      await cluster.create();
      const running = [cluster.begin(), cluster.join(1)];
      for (const { code, stderr } of await Promise.all(running.map(({ ended }) => ended)))
        assert.equal(code, 0, stderr);
      const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
      const pages = await cluster.pages();
      assert.ok(isDeepStrictEqual([...pages.keys()].sort(), expected.urls('stored').sort()), 'the same set of pages');
      assert.deepEqual(
        [...pages].filter(([, times]) => times !== 1),
        [],
        'each settled once',
      );
      const report = audit(web.log, expected, { minGapMs: delayMs, toleranceMs: 0 });
      assert.ok(report.passed, formatAudit(report));
      const checked = await cluster.call('check', '--json');
      assert.equal(checked.status, 0, checked.stdout + checked.stderr);
      // Which pages came first is a matter of chance, and some of them want to be in no index.
      const indexedOf = async (urls: readonly string[]): Promise<string> => {
        for (const url of urls) {
          const { stdout } = await cluster.call('explain', url, '--json');
          if (!/"noindex":true/.test(stdout)) return url;
        }
        throw new Error('no page wants to be found');
      };
      const newPages = [...pages.keys()].filter((url) => !oldPages.includes(url));
      for (const url of [await indexedOf(oldPages), await indexedOf(newPages)]) {
        const copy = await cluster.call('get', url);
        assert.equal(copy.status, 0, copy.stderr);
        const hits = await cluster.call(
          'search',
          `site:${new URL(url).hostname}`,
          '--json',
          '--per-page',
          '100',
          '--unfolded',
        );
        assert.ok(hits.stdout.includes(JSON.stringify(url)), `${url}: ${hits.stdout}${hits.stderr}`);
      }
    },
  );

  test('what cannot be is refused, with what to do', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, hosts: 2, pagesPerHost: 3, seed: 73 });
    using folder = temporaryFolder();
    await crawlWeb(web, folder.path);
    const migrate = (...words: string[]) => callProgram(['migrate', ...words]);
    const back = await migrate('--from', storeOf('refused'), '--to', folder.path, '--partitions', '4');
    assert.match(back.stderr, /USAGE.*one partition/);
    const many = await migrate('--from', folder.path, '--to', storeOf('refused'), '--partitions', '99999');
    assert.match(many.stderr, /SETTING_INVALID.*partitions/);
    using copy = temporaryFolder();
    cpSync(folder.path, copy.path, { recursive: true });
    await migrateToNodes({ ...moveOf(storeOf('refused'), folder.path), spread: SPREAD });
    await assert.rejects(migrateToNodes({ ...moveOf(storeOf('refused'), copy.path), spread: SPREAD }), {
      code: 'SETTING_INVALID',
      message: /holds a crawl already/,
    });
    await assert.rejects(migrateToNodes({ ...moveOf(storeOf('elsewhere'), folder.path), spread: SPREAD }), {
      code: 'SETTING_INVALID',
      message: /folder of a node/,
    });
    await assert.rejects(crawlWeb(web, folder.path), { code: 'SETTING_INVALID', message: /is the folder of/ });
  });
});
