import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { CrawlReader } from '../../src/index.ts';
import { callProgram } from '../called-program.ts';
import { tlsFixture } from '../unit/fetch/loopback.ts';
import { temporaryFolder } from './crawl-web.ts';

const QUICK = ['--allow-private', '--delay', '0', '--sitemaps', 'off', '--workers', '0', '--no-index', '--quiet'];
const PAGE = '<title>Home</title><p>Gardens and tools.</p>';

describe('seeds without a scheme', () => {
  let handshakes = 0;
  const plain = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  // A TLS hello is no HTTP request.
  plain.on('clientError', (_, socket) => {
    handshakes++;
    socket.destroy();
  });
  const secure = createSecureServer(
    { key: tlsFixture('server-key.pem'), cert: tlsFixture('server.pem') },
    (_, response) => response.setHeader('content-type', 'text/html').end(PAGE),
  );
  const hosts: Record<string, string> = {};
  before(async () => {
    for (const [name, server] of Object.entries({ plain, secure })) hosts[name] = `127.0.0.1:${await listen(server)}`;
    const closed = createServer();
    hosts.closed = `127.0.0.1:${await listen(closed)}`;
    closed.close();
  });
  after(() => {
    for (const server of [plain, secure]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const crawl = (folder: string, ...args: string[]) => callProgram([...['crawl', ...args, '--dir', folder], ...QUICK]);
  const seedsOf = async (folder: string): Promise<readonly string[]> => {
    using reader = new CrawlReader(folder);
    return (await reader.status(0)).run?.seeds ?? [];
  };

  test('http where TLS fails; the next run does not ask again', async () => {
    using folder = temporaryFolder();
    const first = await crawl(folder.path, `${hosts.plain}/x`);
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stderr, new RegExp(`${hosts.plain}: http is taken, as https fails \\(`));
    assert.deepEqual(await seedsOf(folder.path), [`http://${hosts.plain}/x`]);
    assert.equal(handshakes, 1);
    const second = await crawl(folder.path, `${hosts.plain}/x`);
    assert.doesNotMatch(second.stderr, /taken/);
    assert.deepEqual(await seedsOf(folder.path), [`http://${hosts.plain}/x`]);
    assert.equal(handshakes, 1);
  });

  test('https where it is served, also on this machine', async () => {
    using folder = temporaryFolder();
    const { status, stderr } = await crawl(folder.path, hosts.secure, '--no-tls-verify');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /https is taken\.\n/);
    assert.deepEqual(await seedsOf(folder.path), [`https://${hosts.secure}/`]);
  });

  test('https where the certificate is not valid, and a word about it', async () => {
    using folder = temporaryFolder();
    const { stderr } = await crawl(folder.path, hosts.secure, '--retries', '0');
    assert.match(stderr, /https is taken, but its certificate is not valid, .*http:\/\/ .*--no-tls-verify/);
    assert.deepEqual(await seedsOf(folder.path), [`https://${hosts.secure}/`]);
  });

  test('http where the connection is refused', async () => {
    using folder = temporaryFolder();
    const { stderr } = await crawl(folder.path, hosts.closed, '--retries', '0');
    assert.match(stderr, /http is taken, as https fails \(connect-refused\)/);
  });

  test('a scheme that was written holds, and so does the guess where nothing can be found out', async () => {
    using folder = temporaryFolder();
    const asked = handshakes;
    await crawl(folder.path, `http://${hosts.plain}/`);
    assert.equal(handshakes, asked);
    using other = temporaryFolder();
    const args = [
      'crawl',
      `localhost:${hosts.plain.split(':')[1]}`,
      '--dir',
      other.path,
      '--retries',
      '0',
      '--workers',
      '0',
      '--no-index',
      '--quiet',
    ];
    // Not even a handshake with an address that may not be asked.
    assert.match((await callProgram(args)).stderr, /NOTHING_STORED/);
    assert.equal(handshakes, asked);
    assert.deepEqual(await seedsOf(other.path), [`http://localhost:${hosts.plain.split(':')[1]}/`]);
  });
});

async function listen(server: Pick<Server, 'listen' | 'address' | 'once'>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server as Server, 'listening');
  return (server.address() as AddressInfo).port;
}
