import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { checkFolder } from '../../src/crawl/check/check-folder.ts';
import { migrateToFolder } from '../../src/crawl/nodes/migrate-crawl.ts';
import { moveFolderToStore } from '../../src/engines/open-store.ts';
import { PostgresConnection } from '../../src/engines/postgres/connection.ts';
import { TABLES } from '../../src/engines/postgres/tables.ts';
import { createCrawl } from '../../src/index.ts';
import { audit } from '../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../src/simulate/audit/format-audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';
import { crawlWeb, storedPages, temporaryFolder } from './crawl-web.ts';

const SMALL = {
  ...{ hosts: 5, pagesPerHost: 15, crawlDelaySeconds: 0.1, retryAfterSeconds: 1, slowRobotsMs: 50 },
  pageBytes: [1_000, 8_000],
} as const;

const programs = findPostgres();

/** Every row of a state by its table, but for what each process notes of itself. */
function stateRows(folder: string): Record<string, unknown[]> {
  using db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
  return Object.fromEntries(
    TABLES.map(({ name, key }) => {
      const select = db.prepare(`SELECT * FROM ${name} ORDER BY ${key.map((column) => column.name).join(', ')}`);
      select.setReadBigInts(true);
      return [name, select.all().map((row) => ownNotes(name, row as Record<string, unknown>))];
    }),
  );
}

function ownNotes(table: string, row: Record<string, unknown>): Record<string, unknown> {
  if (table !== 'meta' || row.name !== 'counters') return { ...row };
  return { ...row, value: { ...JSON.parse(String(row.value)), savedAt: 0, uptime: 0 } };
}

describe('a crawl with its state in PostgreSQL', { skip: typeof programs === 'string' ? programs : false }, () => {
  let server: PostgresServer;
  before(async () => {
    if (typeof programs !== 'string') server = await startPostgres(programs);
  });
  after(() => server?.[Symbol.asyncDispose]());
  const storeOf = (schema: string): string => `${server.url}&schema=${schema}`;

  test('fetches exactly the reachable, allowed set, politely; threads read the working copy', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, seed: 3 });
    using folder = temporaryFolder();
    const summary = await crawlWeb(web, folder.path, { store: storeOf('whole'), workers: 2 });
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
    assert.equal(summary.distinctDocuments, expected.distinctDocuments);
    const report = audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 });
    assert.ok(report.passed, formatAudit(report));
  });

  test('the next run goes on from the database: the working copy may be gone', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, seed: 4 });
    using folder = temporaryFolder();
    const store = storeOf('resumed');
    const first = await crawlWeb(web, folder.path, { store, maxPages: 15 });
    assert.match(first.ended, /max-pages/);
    for (const part of ['', '-wal', '-shm']) rmSync(join(folder.path, `state.db${part}`), { force: true });
    await crawlWeb(web, folder.path, { store });
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
    const report = audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 });
    assert.ok(report.passed, formatAudit(report));
  });

  test('no state takes the place of another unseen', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, hosts: 1, pagesPerHost: 3, seed: 5 });
    using local = temporaryFolder();
    using stored = temporaryFolder();
    await crawlWeb(web, local.path);
    await crawlWeb(web, stored.path, { store: storeOf('one') });
    const invalid = { code: 'SETTING_INVALID' };
    await assert.rejects(crawlWeb(web, local.path, { store: storeOf('two') }), invalid, 'the folder has its own state');
    await assert.rejects(crawlWeb(web, stored.path), invalid, 'the state is in a database');
    await assert.rejects(crawlWeb(web, stored.path, { store: storeOf('two') }), invalid, 'in another one');
    writeFileSync(join(stored.path, 'state.db'), 'damaged '.repeat(1000));
    const damaged = { code: 'FOLDER_CORRUPT', remedy: /delete state\.db/ };
    await assert.rejects(crawlWeb(web, stored.path, { store: storeOf('one') }), damaged, 'whose it was is not known');
    for (const part of ['', '-wal', '-shm']) rmSync(join(stored.path, `state.db${part}`), { force: true });
    using another = temporaryFolder();
    const elsewhere = { code: 'FOLDER_CORRUPT', remedy: /the folder that this crawl began in/ };
    await assert.rejects(crawlWeb(web, another.path, { store: storeOf('one') }), elsewhere, 'without its archive');
    await crawlWeb(web, stored.path, { store: storeOf('one') });
  });

  test('a crawl that is moved there and back, cut off on the way, is the same, and goes on in either place', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, seed: 8 });
    using folder = temporaryFolder();
    await crawlWeb(web, folder.path, { maxPages: 15 });
    const before = stateRows(folder.path);
    assert.ok(before.queue.length > 0 && before.page.length > 0);
    const url = storeOf('moved');
    const move = (onProgress: (rows: number) => void) =>
      moveFolderToStore({ url, folder: folder.path, clock: systemClock, random: Math.random, onProgress });
    let batches = 0;
    const cutOff = move(() => {
      if (++batches === 4) throw new Error('cut off');
    });
    await assert.rejects(cutOff, /cut off/);
    using another = temporaryFolder();
    const unfinished = { code: 'SETTING_INVALID', message: /not moved into this database completely/ };
    await assert.rejects(crawlWeb(web, another.path, { store: url }), unfinished);
    assert.ok(isDeepStrictEqual(stateRows(folder.path), before), 'the folder is as it was');
    assert.ok((await move(() => {})) > 0);
    assert.equal(await move(() => {}), 0, 'done already');
    const back = (to: string) =>
      migrateToFolder({ store: url, folder: to, clock: systemClock, random: Math.random, onProgress: () => {} });
    using empty = temporaryFolder();
    await assert.rejects(back(empty.path), { code: 'COPY_ELSEWHERE' });
    await assert.rejects(crawlWeb(web, folder.path), { code: 'SETTING_INVALID' }, 'it is a working copy now');
    await crawlWeb(web, folder.path, { store: url, maxPages: 30 });
    await back(folder.path);
    const copied = stateRows(folder.path);
    assert.ok(copied.page.length > before.page.length);
    // Back without a crawl in between: the same rows.
    await moveFolderToStore({
      ...{ url: storeOf('moved_again'), folder: folder.path, clock: systemClock, random: Math.random },
      onProgress: () => {},
    });
    await migrateToFolder({
      ...{ store: storeOf('moved_again'), folder: folder.path, clock: systemClock, random: Math.random },
      onProgress: () => {},
    });
    assert.ok(isDeepStrictEqual(stateRows(folder.path), copied), 'there and back');
    assert.deepEqual((await checkFolder(folder.path, () => {})).problems, []);
    await crawlWeb(web, folder.path);
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
    assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
    const report = audit(web.log, expected, { minGapMs: 20, toleranceMs: 0 });
    assert.ok(report.passed, formatAudit(report));
  });

  test('a crawl that another node takes over ends, and nothing more of it is written', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, seed: 7 });
    using folder = temporaryFolder();
    const schema = 'taken';
    await using connection = new PostgresConnection({ url: server.url, schema });
    const ask = (text: string) => connection.run([[{ name: '', text }]]);
    await using crawl = await createCrawl({
      ...{ folder: folder.path, seeds: web.origins, scope: 'any', delay: 20, workers: 0, sitemaps: 'off' },
      ...{ allowPrivate: true, hosts: web.hostsMap(), store: storeOf(schema) },
    });
    const take = "UPDATE owner SET epoch = epoch + 1, writer = epoch + 1, node = 'another', lease_until = 'Infinity'";
    let settled = 0;
    let taken: Promise<unknown> | undefined;
    using _listening = crawl.on('settled', () => {
      if (++settled === 5) taken = ask(take);
    });
    await assert.rejects(crawl.run(), { code: 'PARTITION_LOST' });
    await taken;
    const [[owner]] = await ask('SELECT node FROM owner');
    assert.equal(owner.node, 'another');
  });

  test('a database that cannot be reached is told as such', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, hosts: 1, pagesPerHost: 1, seed: 6 });
    using folder = temporaryFolder();
    const store = 'postgres://nobody@localhost/none?host=/nowhere';
    await assert.rejects(crawlWeb(web, folder.path, { store }), { code: 'STORE_UNREACHABLE' });
  });

  test('who is not let in is told so, with what to do, and leaves no connection behind', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, hosts: 1, pagesPerHost: 1, seed: 6 });
    using folder = temporaryFolder();
    await using connection = new PostgresConnection({ url: server.url, schema: 'public' });
    const ask = (text: string) => connection.run([[{ name: '', text }]]);
    await ask("CREATE ROLE careful LOGIN PASSWORD 'right'");
    const [[{ hba_file: rules }]] = await ask('SHOW hba_file');
    await ask(`COPY (VALUES ('local all careful scram-sha-256'), ('local all all trust')) TO '${rules}'`);
    // Sessions hear of it after the server has begun to read the rules, and it lets nobody in before it has read them.
    const [[{ loaded }]] = await ask('SELECT pg_conf_load_time()::text AS loaded, pg_reload_conf()');
    const isLoaded = 'SELECT pg_conf_load_time()::text <> $1 AS yes';
    while ((await connection.run([[{ name: '', text: isLoaded }, String(loaded)]]))[0][0].yes !== true);
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = sockets();
    for (const user of ['careful', 'careful:wrong']) {
      const store = server.url.replace('orbweaver@', `${user}@`);
      const refused = { code: 'STORE_FAILED', remedy: /PGPASSWORD/ };
      await assert.rejects(crawlWeb(web, folder.path, { store }), refused);
    }
    const nowhere = server.url.replace('/postgres?', '/missing?');
    await assert.rejects(crawlWeb(web, folder.path, { store: nowhere }), { code: 'STORE_FAILED', remedy: /Create/ });
    while (sockets() > before) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
