import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { createAddressGuard } from '../../../src/fetch/connect/address-guard.ts';
import { brief, listening, type RawServer, response, serveRaw, testFetcher, text, tlsFixture } from './loopback.ts';

/** A proxy that answers plain requests itself and tunnels CONNECT to the given port, whatever the name. */
function serveProxy(tunnelTo: number, refuse = false): Promise<RawServer> {
  return serveRaw((socket, request) => {
    if (!request.startsWith('CONNECT ')) {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nby proxy!');
      return;
    }
    if (refuse) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    socket.removeAllListeners('data');
    const upstream = connect(tunnelTo, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
}

const guard = createAddressGuard();

describe('proxy', () => {
  test('plain requests carry the whole URL; the proxy itself need not be public', async () => {
    await using proxy = await serveProxy(0);
    await using site = testFetcher({ proxies: [`http://user:p%40ss@127.0.0.1:${proxy.port}`] }, { guard });
    const result = response(await site.fetch('http://far-away.example/x?y'));
    assert.equal(text(result.body), 'by proxy!');
    assert.equal(result.exchange.address, '127.0.0.1');
    assert.match(result.exchange.requestHead, /\r\nProxy-Authorization: \[hidden\]\r\n/);
    assert.match(proxy.requests[0], /^GET http:\/\/far-away\.example\/x\?y HTTP\/1\.1\r\nhost: far-away\.example\r\n/);
    assert.ok(
      proxy.requests[0].includes(`Proxy-Authorization: Basic ${Buffer.from('user:p@ss').toString('base64')}\r\n`),
    );
  });

  test('TLS goes through a tunnel, end to end', async () => {
    const seen: (string | undefined)[] = [];
    await using secure = await listening(
      createServer({ key: tlsFixture('server-key.pem'), cert: tlsFixture('server.pem') }, (request, answer) => {
        seen.push(request.headers['proxy-authorization']);
        answer.end('end to end');
      }),
    );
    await using proxy = await serveProxy(secure.port);
    await using site = testFetcher(
      { proxies: [`http://u:p@127.0.0.1:${proxy.port}`], ca: tlsFixture('ca.pem') },
      { guard },
    );
    for (let i = 0; i < 2; i++)
      assert.equal(text(response(await site.fetch('https://secure.test/')).body), 'end to end');
    assert.equal(proxy.requests.length, 1);
    assert.match(proxy.requests[0], /^CONNECT secure\.test:443 HTTP\/1\.1\r\nHost: secure\.test:443\r\n/);
    assert.match(proxy.requests[0], /\r\nProxy-Authorization: Basic dTpw\r\n/);
    assert.deepEqual(seen, [undefined, undefined], 'the credentials of the proxy stay with the proxy');
  });

  test('inner addresses that can be told without resolving are refused all the same', async () => {
    await using proxy = await serveProxy(0);
    await using site = testFetcher({ proxies: [`http://127.0.0.1:${proxy.port}`] }, { guard });
    for (const url of [
      'http://10.0.0.1/',
      'https://[::1]/',
      'http://localhost/',
      'https://x.localhost/',
      'http://169.254.169.254/',
    ]) {
      assert.match(brief(await site.fetch(url)), /^refused address/, url);
    }
    assert.equal(proxy.connections, 0);
  });

  test('a proxy that refuses or is not there', async () => {
    await using proxy = await serveProxy(0, true);
    await using site = testFetcher({ proxies: [`http://127.0.0.1:${proxy.port}`] }, { guard });
    assert.equal(brief(await site.fetch('https://secure.test/')), 'failed connect-failed');
    // A port that was closed may be somebody's by now; that of "discard" is given to nobody.
    await using lost = testFetcher({ proxies: ['http://127.0.0.1:9'] }, { guard });
    assert.equal(brief(await lost.fetch('http://far-away.example/')), 'failed proxy-failed');
  });

  test('a proxy that wants to know who asks is left for another; none is told by its password', async () => {
    await using closed = await serveRaw((socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    });
    await using site = testFetcher({ proxies: [`http://joe:hunter2@127.0.0.1:${closed.port}`] }, { guard });
    const result = await site.fetch('https://secure.test/');
    assert.equal(brief(result), 'failed proxy-failed');
    assert.match(JSON.stringify(result), new RegExp(`127\\.0\\.0\\.1:${closed.port}: answered 407`));
    assert.doesNotMatch(JSON.stringify(result), /hunter2|joe/);
  });

  test('each host keeps its proxy; where one dies, its hosts go through the other, and none goes without', async () => {
    await using first = await serveProxy(0);
    await using second = await serveProxy(0);
    const proxies = [first, second].map(({ port }) => `http://127.0.0.1:${port}`);
    await using site = testFetcher({ proxies }, { guard });
    const hosts = Array.from({ length: 12 }, (_, i) => `host-${i}.example`);
    const askAll = async (): Promise<void> => {
      for (const host of hosts)
        assert.equal(text(response(await site.fetch(`http://${host}/`)).body), 'by proxy!', host);
    };
    await askAll();
    await askAll();
    const hostsOf = (server: RawServer): string[] =>
      server.requests.map((request) => new URL(request.split(' ')[1]).host);
    assert.ok(hostsOf(first).length > 0 && hostsOf(second).length > 0, 'both are used');
    assert.ok(!hostsOf(first).some((host) => hostsOf(second).includes(host)), 'sticky');
    await first[Symbol.asyncDispose]();
    // Of each kept connection the first request may be lost; that is for the frontier to repeat.
    for (const host of hosts) await site.fetch(`http://${host}/`);
    await askAll();
    await second[Symbol.asyncDispose]();
    for (const host of hosts) await site.fetch(`http://${host}/`);
    const result = await site.fetch('http://host-0.example/');
    assert.equal(brief(result), 'failed proxy-failed');
    assert.match(JSON.stringify(result), /no proxy works \(127\.0\.0\.1:\d+: .*; 127\.0\.0\.1:\d+: /);
  });

  test('a proxy that is no URL is a mistake in the settings', () => {
    assert.throws(() => testFetcher({ proxies: ['socks5://x'] }), { code: 'SETTING_INVALID' });
  });
});
