import assert from 'node:assert/strict';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { http2Cases } from '../../hostile/http2-cases.ts';
import { brief, listening, response, serveRaw, testFetcher, text, tlsFixture, until } from './loopback.ts';

const ca = tlsFixture('ca.pem');
const identity = { key: tlsFixture('server-key.pem'), cert: tlsFixture('server.pem') };

describe('TLS', () => {
  test('a valid certificate, HTTP/1.1', async () => {
    const names: (string | false | null)[] = [];
    const secure = createServer(identity, (_, answer) => answer.end('over TLS'));
    secure.on('secureConnection', (socket) =>
      names.push((socket as { servername?: string | false }).servername ?? null),
    );
    await using server = await listening(secure);
    await using site = testFetcher({ ca, allowH2: false });
    for (let i = 0; i < 2; i++) {
      const result = response(await site.fetch(`https://secure.test:${server.port}/`));
      assert.equal(text(result.body), 'over TLS');
      assert.equal(result.head.httpVersion, '1.1');
      assert.equal(result.exchange.address, '127.0.0.1');
    }
    assert.deepEqual(names, ['secure.test']);
  });

  test('a literal address is compared with the certificate too', async () => {
    await using server = await listening(createServer(identity, (_, answer) => answer.end('ok')));
    await using site = testFetcher({ ca });
    assert.equal(brief(await site.fetch(`https://127.0.0.1:${server.port}/`)), 'response');
  });

  test('certificates that do not hold are refused: unknown authority, other name', async () => {
    await using server = await listening(createServer(identity, (_, answer) => answer.end('ok')));
    await using distrusting = testFetcher();
    await using trusting = testFetcher({ ca });
    await using careless = testFetcher({ rejectUnauthorized: false });
    assert.equal(brief(await distrusting.fetch(`https://secure.test:${server.port}/`)), 'failed tls-invalid');
    assert.equal(brief(await trusting.fetch(`https://wrong.test:${server.port}/`)), 'failed tls-invalid');
    assert.equal(brief(await careless.fetch(`https://wrong.test:${server.port}/`)), 'response');
  });

  test('a server that speaks no TLS, or hangs up in the handshake', async () => {
    await using plain = await serveRaw(() => {});
    await using site = testFetcher({ ca });
    const result = site.fetch(`https://secure.test:${plain.port}/`);
    await until(() => plain.connections === 1);
    await plain[Symbol.asyncDispose]();
    assert.equal(brief(await result), 'failed tls-failed');
  });

  test('sessions are resumed', async () => {
    const reused: boolean[] = [];
    const secure = createServer(identity, (_, answer) => answer.setHeader('Connection', 'close').end('ok'));
    secure.on('secureConnection', (socket) => reused.push(socket.isSessionReused()));
    await using server = await listening(secure);
    await using site = testFetcher({ ca, allowH2: false });
    for (let i = 0; i < 3; i++) {
      response(await site.fetch(`https://secure.test:${server.port}/`));
      await until(() => site.fetcher.openConnections === 0);
    }
    assert.equal(reused[0], false);
    assert.ok(reused.slice(1).some((one) => one));
  });
});

describe('HTTP/2', () => {
  function serveH2(
    answer: (
      path: string,
      headers: Record<string, unknown>,
    ) => { headers?: Record<string, string | string[]>; body?: Buffer } | 'reset',
  ) {
    const server = createSecureServer({ ...identity, allowHTTP1: true });
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      const reply = answer(headers[':path'] as string, headers);
      if (reply === 'reset') return stream.close(2);
      stream.respond({ ':status': 200, ...reply.headers });
      stream.end(reply.body);
    });
    return listening(server as never);
  }

  test('is used where the server offers it, over one connection', async () => {
    const seen: unknown[] = [];
    await using server = await serveH2((path, headers) => {
      seen.push(headers['user-agent']);
      return {
        headers: { 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'] },
        body: gzipSync(`page ${path}`),
      };
    });
    await using site = testFetcher({ ca });
    for (let i = 0; i < 3; i++) {
      const result = response(await site.fetch(`https://secure.test:${server.port}/${i}`));
      assert.equal(text(result.body), `page /${i}`);
      assert.equal(result.head.httpVersion, '2');
      assert.equal(result.exchange.address, '127.0.0.1');
      const raw = result.head.rawHeaders;
      assert.deepEqual(
        raw.filter((_, at) => raw[at - 1] === 'set-cookie'),
        ['a=1', 'b=2'],
      );
      assert.match(
        result.exchange.requestHead,
        /^GET \/\d HTTP\/2\r\nhost: secure\.test:\d+\r\nuser-agent: [^\r]+\r\n/,
      );
    }
    assert.equal(site.fetcher.counters.opened, 1);
    assert.equal(seen.length, 3);
  });

  test('unwanted bodies and resets end one stream, not the connection; a body beyond the cap ends both', async () => {
    await using server = await serveH2((path) => (path === '/reset' ? 'reset' : { body: Buffer.alloc(200_000, 'x') }));
    await using site = testFetcher({ ca, maxBytes: 1000 });
    const url = `https://secure.test:${server.port}`;
    assert.equal(brief(await site.fetch(`${url}/large`, { wanted: () => 'no' })), 'unwanted');
    assert.match(brief(await site.fetch(`${url}/reset`)), /^failed (protocol|reset)$/);
    for (let opened = 1; opened <= 2; opened++) {
      const cut = response(await site.fetch(`${url}/large`));
      assert.deepEqual([cut.body.length, cut.truncated], [1000, 'length']);
      assert.equal(site.fetcher.counters.opened, opened);
      await until(() => site.fetcher.openConnections === 0);
    }
  });

  for (const [end, options] of [
    ['is cut', {}],
    ['is not wanted', { wanted: () => 'no' }],
  ] as const)
    test(`a server that goes on sending when its body ${end} loses the connection`, async () => {
      const endless = http2Cases(identity).find(({ name }) => name === 'h2-endless-body');
      const open = new Set<Socket>();
      const server = createTcpServer((socket) => {
        open.add(socket);
        socket.on('close', () => open.delete(socket));
        endless?.connect?.(socket);
      });
      await using secure = await listening(server as never);
      await using site = testFetcher({ ca, maxBytes: 100_000 });
      const url = `https://secure.test:${secure.port}/`;
      assert.equal(response(await site.fetch(url)).head.status, 404);
      assert.equal(brief(await site.fetch(url, options)), 'wanted' in options ? 'unwanted' : 'response');
      await until(() => open.size === 0);
    });

  test('is not used where it is turned off', async () => {
    const server = createSecureServer({ ...identity, allowHTTP1: true }, (request, answer) =>
      answer.end(request.httpVersion),
    );
    await using secure = await listening(server as never);
    await using site = testFetcher({ ca, allowH2: false });
    assert.equal(text(response(await site.fetch(`https://secure.test:${secure.port}/`)).body), '1.1');
  });
});
