import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callProgram } from '../called-program.ts';
import { OpenSearchServer } from '../opensearch-server.ts';
import { onlyLong } from '../property-runs.ts';
import { temporaryFolder } from './crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));
const KEY = 'bmV2ZXItd3JpdGUtdGhpcw==';
const env = { ORBWEAVER_OPENSEARCH_KEY: KEY };

function page(words: string, ...links: readonly string[]): string {
  return `<html lang=en><title>${words}</title><h1>${words}</h1><p>All about ${words}.</p>${links.map((to) => `<a href=${to}>${to}</a> `).join('')}`;
}

describe('documents sent to OpenSearch', () => {
  let pages: Record<string, string> = {};
  const web = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html');
    if (pages[url] === undefined) response.writeHead(url === '/robots.txt' ? 404 : 410).end();
    else response.end(pages[url]);
  });
  let origin = '';
  before(async () => {
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  });
  after(() => {
    web.closeAllConnections();
    web.close();
  });
  beforeEach(() => {
    pages = { '/': page('home', '/bees', '/wasps', '/private/ants') };
    for (const name of ['/bees', '/wasps', '/private/ants']) pages[name] = page(name.replace(/.*\//, ''));
  });

  const settings = ['--allow-private', '--delay', '0', '--sitemaps', 'off', '--workers', '0', '--quiet', '--no-index'];
  const call = (dir: string, ...words: string[]) => callProgram([...words, '--dir', dir], { env });
  const crawl = async (dir: string, server: OpenSearchServer, ...more: string[]) => {
    const ended = await call(dir, 'crawl', `${origin}/`, ...settings, '--opensearch', server.url, ...more);
    assert.equal(ended.status, 0, ended.stderr);
    return ended;
  };
  const paths = (server: OpenSearchServer): string[] => server.urls.map((url) => new URL(url).pathname);
  const start = () => OpenSearchServer.start({ index: 'pages', authorization: `ApiKey ${KEY}` });

  test('pages arrive with the crawl; what is gone, excluded or forgotten leaves, and what returns comes back', async () => {
    await using server = await start();
    using folder = temporaryFolder();
    await crawl(folder.path, server);
    assert.deepEqual(paths(server), ['/', '/bees', '/private/ants', '/wasps']);
    const bees = server.documents.get(`${origin}/bees`)?.source;
    assert.equal(bees?.title, 'bees');
    assert.match(String(bees?.body), /All about bees/);
    assert.equal(bees?.language, 'en');
    const first = server.documents.get(`${origin}/bees`)?.version ?? 0;

    delete pages['/wasps'];
    pages['/bees'] = page('bumblebees');
    await crawl(folder.path, server, '--again', '--exclude', '*/private/*');
    assert.deepEqual(paths(server), ['/', '/bees']);
    assert.equal(server.documents.get(`${origin}/bees`)?.source.title, 'bumblebees');
    assert.ok((server.documents.get(`${origin}/bees`)?.version ?? 0) > first);

    pages['/wasps'] = page('wasps, back again');
    await crawl(folder.path, server, '--again');
    assert.deepEqual(paths(server), ['/', '/bees', '/private/ants', '/wasps']);

    const forgotten = await call(folder.path, 'forget', `${origin}/private/ants`, '--yes');
    assert.equal(forgotten.status, 0, forgotten.stderr);
    assert.deepEqual(paths(server), ['/', '/bees', '/wasps']);
    for (const one of readdirSync(folder.path, { recursive: true, withFileTypes: true }))
      if (one.isFile())
        assert.ok(!readFileSync(join(one.parentPath, one.name), 'latin1').includes(KEY), `the key is in ${one.name}`);
  });

  test('a server that is away holds up no crawl; the command makes up for it, and an index that was deleted is filled again', async () => {
    using folder = temporaryFolder();
    await using server = await start();
    server.fault = () => ({ status: 401 });
    const { stderr } = await crawl(folder.path, server);
    assert.match(stderr, /not complete:.*does not let us write \(HTTP 401\).*orbweaver opensearch --dir/s);
    assert.ok(!stderr.includes(KEY));
    server.fault = () => undefined;
    const sent = async () => {
      const ended = await call(folder.path, 'opensearch', '--json');
      assert.equal(ended.status, 0, ended.stderr);
      return JSON.parse(ended.stdout);
    };
    assert.equal((await sent()).indexed, 4);
    assert.equal((await sent()).indexed, 0);
    server.deleteIndex();
    assert.equal((await sent()).indexed, 4);
    assert.equal(server.documents.size, 4);
  });

  test('two crawls in one index do not delete the documents of each other', async () => {
    await using server = await start();
    using one = temporaryFolder();
    using other = temporaryFolder();
    await crawl(one.path, server, '--exclude', '*/bees');
    await crawl(other.path, server, '--exclude', '*/wasps', '--exclude', '*/private/*');
    const ended = await call(one.path, 'opensearch');
    assert.equal(ended.status, 0, ended.stderr);
    assert.deepEqual(paths(server), ['/', '/bees', '/private/ants', '/wasps']);
  });

  test(
    'killed again and again, beside a server that fails in every way: at the end exactly the last state',
    onlyLong(),
    async () => {
      await using server = await start();
      using folder = temporaryFolder();
      const names = Array.from({ length: 120 }, (_, number) => `/page-${number}`);
      pages = Object.fromEntries(names.map((name, at) => [name, page(`page ${at}`)]));
      pages['/'] = page('home', ...names);
      const crawled = await call(folder.path, 'crawl', `${origin}/`, ...settings);
      assert.equal(crawled.status, 0, crawled.stderr);
      let requests = 0;
      const faults = [
        undefined,
        { reset: 'after' },
        { status: 429 },
        { reset: 'before' },
        undefined,
        { lateMs: 50 },
      ] as const;
      server.fault = ({ path }) => (path === '/_bulk' ? faults[requests++ % faults.length] : undefined);
      for (let kills = 0; kills < 4; kills++) {
        const seen = server.requests.length + 4 + kills;
        const child = spawn(
          process.execPath,
          [LAUNCHER, 'opensearch', '--dir', folder.path, '--opensearch', server.url, '--quiet', '--again'],
          { stdio: 'ignore', env: { ...process.env, ...env } },
        );
        const closed = once(child, 'close');
        while (server.requests.length < seen && child.exitCode === null) await wait(1);
        child.kill('SIGKILL');
        await closed;
        if (kills === 1) {
          for (const name of names.slice(0, 20)) delete pages[name];
          pages[names[50]] = page('another page');
          const again = await call(folder.path, 'crawl', '--again', ...settings);
          assert.equal(again.status, 0, again.stderr);
        }
      }
      server.fault = () => undefined;
      // What was on its way when somebody was killed has arrived.
      await wait(100);
      const ended = await call(folder.path, 'opensearch', '--opensearch', server.url);
      assert.equal(ended.status, 0, ended.stderr);
      assert.deepEqual(paths(server), ['/', ...names.slice(20)].sort());
      assert.equal(server.documents.get(`${origin}${names[50]}`)?.source.title, 'another page');
    },
  );

  test('addresses with a password, or without an index, are refused', async () => {
    using folder = temporaryFolder();
    for (const address of ['http://me:pass-word-1@127.0.0.1:9200/pages', 'http://127.0.0.1:9200/', 'ftp://a/b']) {
      const { status, stderr } = await call(folder.path, 'crawl', `${origin}/`, '--opensearch', address);
      assert.equal(status, 2);
      assert.match(stderr, /SETTING_INVALID.*https:\/\/search\.example\.org:9200\/pages/s);
      assert.ok(!stderr.includes('pass-word-1'), stderr);
    }
    const none = await call(folder.path, 'opensearch');
    assert.equal(none.status, 3);
  });
});
