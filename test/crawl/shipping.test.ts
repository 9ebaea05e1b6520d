import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { openSearchPage } from '../../src/cli/commands/search-page.ts';
import { checkFolder } from '../../src/crawl/check/check-folder.ts';
import { openStoreCrawl } from '../../src/crawl/nodes/store-crawl.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { openStateReader } from '../../src/engines/open-reader.ts';
import { PostgresConnection } from '../../src/engines/postgres/connection.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { callProgram } from '../called-program.ts';
import { ClusterOfNodes } from '../cluster-of-nodes.ts';
import { Gate } from '../gate.ts';
import { findPostgres, startPostgres } from '../postgres-server.ts';
import { onlyLong } from '../property-runs.ts';
import { S3Server } from '../s3-server.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));
const KEYS = { accessKeyId: 'AKSHIPPINGTEST', secretAccessKey: 'never+to/be-written-down' };
const env = { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
const SMALL = {
  ...{ hosts: 4, pagesPerHost: 8, crawlDelaySeconds: 0, retryAfterSeconds: 0, slowRobotsMs: 10, robots: { broken: 0 } },
  pageBytes: [2_000, 6_000],
} as const;

const programs = findPostgres();

function settledFiles(folder: string): Map<string, { readonly fileEnd: number }> {
  using state = openStateReader(folder);
  return state.archiveFiles();
}

function crawl(web: WebServer, store: string, folder: string, flags: readonly string[] = []) {
  const child = spawn(
    process.execPath,
    [
      ...[LAUNCHER, 'crawl', ...web.origins, '--dir', folder, '--scope', 'any', '--allow-private', '--no-index'],
      ...['--delay', '20ms', '--delay-factor', '0', '--workers', '1', '--archive-file-size', '20kb', '--json'],
      ...['--archive-store', store, ...flags],
      ...Object.entries(web.hostsMap()).flatMap(([name, address]) => ['--hosts', `${name}=${address}`]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  return { child, ended: once(child, 'close').then(([code, signal]) => ({ code, signal, said })) };
}

function assertNoSecrets(folder: string, ...said: readonly string[]): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const texts = files.map((one) => readFileSync(join(one.parentPath, one.name), 'latin1'));
  for (const text of [...texts, ...said])
    for (const secret of Object.values(KEYS)) assert.ok(!text.includes(secret), `${secret} in ${text.slice(0, 200)}`);
}

// A crawl waits half a minute for a store that refuses: others run meanwhile.
describe('archive files in a store', { concurrency: 2 }, () => {
  before(() => Object.assign(process.env, env));
  after(() => {
    for (const name of Object.keys(env)) delete process.env[name];
  });

  test('a crawl that is killed between an upload and its note ships everything once, deletes it, and is read from the store', async () => {
    await using web = await startSyntheticWeb({ ...SMALL, seed: 5 });
    await using server = await S3Server.start({ ...KEYS, bucket: 'archive' });
    using folder = temporaryFolder();
    const store = server.address('crawls');
    const first = crawl(web, store, folder.path, ['--archive-local', 'delete']);
    server.fault = ({ method, key }) => {
      if (method !== 'PUT' || !key.endsWith('.cdxj')) return undefined;
      first.child.kill('SIGKILL');
      return { reset: 'after-storing' };
    };
    const killed = await first.ended;
    assert.equal(killed.signal, 'SIGKILL', killed.said);
    server.fault = () => undefined;
    const second = await crawl(web, store, folder.path, ['--archive-local', 'delete']).ended;
    assert.equal(second.code, 0, second.said);

    const settled = settledFiles(folder.path);
    assert.ok(settled.size > 3, `${settled.size} files`);
    for (const [file, { fileEnd }] of settled) {
      const [key] = server.files.filter((one) => one.endsWith(`/${file}`));
      assert.match(key, /^crawls\/crawl-[a-z0-9]{16}\/orbweaver-/);
      assert.equal(server.objects.get(key)?.bytes.length, fileEnd);
      assert.ok(!existsSync(join(folder.path, 'archive', file)));
    }
    // What was there when the process was killed was not sent again.
    const sent = server.requests
      .filter(({ method, status }) => method === 'PUT' && status === 200)
      .map(({ key }) => key);
    assert.equal(new Set(sent).size, sent.length);
    const urls = storedPages(folder.path);
    using reader = new CrawlReader(folder.path);
    for (const url of [urls[0], urls[urls.length - 1]]) assert.equal((await reader.get(url)).url, url);
    const { problems } = await checkFolder(folder.path, () => {});
    assert.deepEqual(problems, []);
    assertNoSecrets(folder.path, killed.said, second.said);

    // Deleted pages leave the store as well, with the file that held them; what else was in it is shipped again.
    const target = new URL(urls[0]).host;
    const others = urls.filter((url) => new URL(url).host !== target);
    const forgotten = await callProgram(['forget', target, '--yes', '--dir', folder.path]);
    assert.equal(forgotten.status, 0, forgotten.stderr);
    const holds = (text: string): boolean =>
      [...server.objects].some(([key, { bytes }]) => key.endsWith('.cdxj') && bytes.includes(text));
    assert.ok(!holds(`"${urls[0]}"`));
    const third = await crawl(web, store, folder.path).ended;
    assert.equal(third.code, 0, third.said);
    assert.ok(!holds(`"${urls[0]}"`) && holds(`"${others[0]}"`));
  });

  test(
    'a store that refuses: the crawl goes on, what is left is said, and the same command ships it',
    onlyLong(),
    async () => {
      await using web = await startSyntheticWeb({ ...SMALL, hosts: 2, seed: 6 });
      await using server = await S3Server.start({ ...KEYS, bucket: 'archive' });
      using folder = temporaryFolder();
      server.fault = () => ({ status: 403 });
      const { code, said } = await crawl(web, server.address(''), folder.path).ended;
      assert.equal(code, 0, said);
      assert.match(
        said,
        /not shipped to s3:\/\/archive\/\?endpoint=\S+ at the moment: it answers 403: the keys are wrong/,
      );
      assert.match(
        said,
        /archive files are not shipped to the archive store yet \(it answers 403.*orbweaver crawl --dir/,
      );
      assert.equal(server.files.length, 0);
      server.fault = () => undefined;
      const again = await crawl(web, server.address(''), folder.path).ended;
      assert.equal(again.code, 0, again.said);
      assert.equal(server.files.length, settledFiles(folder.path).size);
      assertNoSecrets(folder.path, said, again.said);
    },
  );

  test('without keys, and with an address that holds some, nothing begins', async () => {
    using folder = temporaryFolder();
    const words = ['crawl', 'http://127.0.0.1:9/', '--dir', folder.path, '--archive-store'];
    const none = { AWS_ACCESS_KEY_ID: '', AWS_SHARED_CREDENTIALS_FILE: join(folder.path, 'none') };
    const keyless = await callProgram([...words, 's3://bucket/x'], { env: none });
    assert.match(keyless.stderr, /SETTING_INVALID.*needs keys/);
    const told = await callProgram([...words, 's3://bucket/x?endpoint=http://user:secret@host']);
    assert.equal(told.status, 2);
    assert.match(told.stderr, /archive-store/);
  });

  test(
    'pages of nodes are read from any machine',
    onlyLong(typeof programs === 'string' ? programs : undefined),
    async () => {
      if (typeof programs === 'string') return;
      await using server = await S3Server.start({ ...KEYS, bucket: 'archive' });
      await using postgres = await startPostgres(programs);
      await using web = await startSyntheticWeb({ ...SMALL, seed: 7 });
      await using gate = await Gate.start();
      const settings = { archiveStore: server.address('nodes'), archiveFileSize: 20_000 };
      await using cluster = new ClusterOfNodes({
        ...{ web, url: postgres.url, schema: 'shipping', partitions: 4, leaseMs: 60_000, delayMs: 20, settings },
        ...{ seeds: [gate.first], index: true },
      });
      await cluster.create();
      const nodes = [cluster.join(0), cluster.join(1)];
      await cluster.until('two nodes that share', ({ partitions }) =>
        [...Map.groupBy(partitions, ({ node }) => node).values()].every(({ length }) => length === 2),
      );
      gate.open(web.origins);
      while (web.log.length === 0) await turn(20);
      gate.end();
      const ends = await Promise.all(nodes.map(({ ended }) => ended));
      for (const { code, stderr } of ends) assert.equal(code, 0, stderr);
      const urls = [...(await cluster.pages()).keys()].sort();
      const here = await Promise.all(urls.slice(0, 3).map((url) => cluster.call('get', url)));
      const folders = [0, 1].map((number) => join(cluster.folder, String(number)));
      for (const folder of folders) assertNoSecrets(folder, ...ends.flatMap(({ stdout, stderr }) => [stdout, stderr]));
      for (const folder of folders) if (existsSync(folder)) renameSync(folder, `${folder}-away`);
      for (const [at, url] of urls.slice(0, 3).entries()) {
        const found = await cluster.call('get', url);
        assert.equal(found.status, 0, found.stderr);
        assert.equal(found.stdout, here[at].stdout);
      }
      const versions = await cluster.call('versions', urls[0], '--json');
      assert.equal(versions.status, 0, versions.stderr);
      assert.match(versions.stdout, /warc\.gz|"status":200|200/);
      {
        // Of two nodes one has its folder here: pages of the other are shown all the same. The port is part of a host, so that which
        // node has which pages is another in each run.
        using reader = await openStoreCrawl({ store: cluster.store, wanted: 'urls', clock: systemClock });
        const file = (await reader.explain(urls[0])).page?.facts?.location?.file;
        assert.ok(file !== undefined);
        const other = folders.find((folder) => !existsSync(join(`${folder}-away`, 'archive', file)));
        assert.ok(other !== undefined, 'one of them has it');
        renameSync(`${other}-away`, other);
        const dir = join(cluster.folder, 'none');
        await using page = await openSearchPage({ dir, store: cluster.store, port: '0', host: '127.0.0.1' });
        const cached = await fetch(new URL(`/cached?url=${encodeURIComponent(urls[0])}`, page.url));
        assert.equal(cached.status, 200);
        renameSync(other, `${other}-away`);
      }
      const ranges = server.requests.filter(({ method }) => method === 'GET');
      assert.ok(ranges.length > 0 && ranges.every(({ range }) => range !== undefined));
      const moved = join(cluster.folder, 'moved');
      const migrated = await cluster.call('migrate', '--from', cluster.store, '--to', moved);
      assert.equal(migrated.status, 0, migrated.stderr);
      assert.deepEqual((await checkFolder(moved, () => {})).problems, []);
      await using database = new PostgresConnection({ url: cluster.store, schema: 'shipping' });
      const [rows] = await database.run([[{ name: 'notes', text: 'SELECT value FROM note' }]]);
      assert.ok(!JSON.stringify(rows).includes(KEYS.secretAccessKey));
      // Nothing of what was shipped is there any more.
      server.fault = () => ({ status: 503 });
      const away = await cluster.call('get', urls[0]);
      assert.match(away.stderr, /ARCHIVE_STORE_FAILED.*503/);
    },
  );
});
