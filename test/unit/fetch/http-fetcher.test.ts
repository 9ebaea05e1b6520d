import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { systemClock } from '../../../src/base/clock.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import { CookieJar } from '../../../src/fetch/cookie-jar.ts';
import { registrableDomain } from '../../../src/url/public-suffix.ts';
import {
  brief,
  response,
  serveHttp,
  serveRaw,
  settleWithin,
  testFetcher,
  text,
  USER_AGENT,
  until,
} from './loopback.ts';

const PAGE = `<html>${'page '.repeat(4000)}</html>`;

describe('http fetcher', () => {
  test('a page: head, bytes, times, address, and the request as sent', async () => {
    await using server = await serveRaw((socket) => {
      socket.write(
        'HTTP/1.1 200 Fine\r\nContent-Type: text/html\r\nX-Two: a\r\nx-two: b\r\nContent-Length: 5\r\n\r\nhello',
      );
    });
    await using site = testFetcher({ from: 'me@example.org', acceptLanguage: 'en' });
    const before = Date.now();
    const result = response(await site.fetch(`http://site.test:${server.port}/a/b?c=d`));
    assert.deepEqual([result.head.status, result.head.statusText, result.head.httpVersion], [200, 'Fine', '1.1']);
    assert.deepEqual(result.head.rawHeaders.slice(2, 6), ['X-Two', 'a', 'x-two', 'b']);
    assert.equal(result.head.header('x-two'), 'a, b');
    assert.equal(text(result.body), 'hello');
    assert.equal(result.body, result.raw);
    assert.equal(result.truncated, undefined);
    assert.equal(result.exchange.address, '127.0.0.1');
    assert.equal(result.exchange.requestHead, server.requests[0]);
    assert.ok(before <= result.exchange.startedAt && result.exchange.startedAt <= result.exchange.endedAt);
    const lines = server.requests[0].split('\r\n');
    assert.equal(lines[0], 'GET /a/b?c=d HTTP/1.1');
    assert.ok(lines.includes(`host: site.test:${server.port}`));
    assert.ok(lines.includes(`User-Agent: ${USER_AGENT}`));
    assert.ok(lines.includes('From: me@example.org'));
    assert.ok(lines.includes('Accept-Encoding: gzip, deflate, br, zstd'));
  });

  test('a request that may not begin any more is not sent, though its connection stands', async () => {
    await using server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    await using site = testFetcher();
    const url = `http://site.test:${server.port}/`;
    let asked = 0;
    const isAllowed = (): boolean => {
      asked++;
      return false;
    };
    assert.equal(brief(await site.fetch(url, { isAllowed })), 'failed aborted');
    assert.ok(asked > 0);
    assert.deepEqual(server.requests, []);
    assert.equal(response(await site.fetch(url, { isAllowed: () => true })).head.status, 200);
    assert.equal(server.requests.length, 1);
  });

  test('a request that may not go on is ended, and its connection closed', async () => {
    let isAllowed = true;
    const closed = Promise.withResolvers<void>();
    await using server = await serveRaw((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok');
      isAllowed = false;
    });
    await using site = testFetcher();
    const result = await site.fetch(`http://site.test:${server.port}/`, { isAllowed: () => isAllowed });
    assert.equal(brief(result), 'failed aborted');
    await closed.promise;
    assert.equal(server.requests.length, 1);
  });

  test('connections are kept and used again, one per origin', async () => {
    await using server = await serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    await using site = testFetcher();
    for (let i = 0; i < 5; i++) response(await site.fetch(`http://site.test:${server.port}/${i}`));
    response(await site.fetch(`http://other.test:${server.port}/`));
    assert.equal(server.connections, 2);
    assert.deepEqual(site.fetcher.counters, { opened: 2, failed: 0, evicted: 0 });
  });

  test('beyond the bound the connection idle for longest is closed', async () => {
    await using server = await serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    await using site = testFetcher({ maxConnections: 2 });
    for (const host of ['site.test', 'other.test', 'site.test', 'secure.test']) {
      response(await site.fetch(`http://${host}:${server.port}/`));
    }
    await until(() => site.fetcher.openConnections === 2);
    response(await site.fetch(`http://site.test:${server.port}/`));
    assert.equal(server.connections, 3);
    assert.equal(site.fetcher.counters.evicted, 1);
  });

  test('the bound holds for connections that are opened together', async () => {
    const answer = (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    await using servers = new AsyncDisposableStack();
    const origins: string[] = [];
    for (let at = 0; at < 8; at++) {
      const { port } = servers.use(await serveRaw(answer));
      for (const host of ['site.test', 'other.test', 'secure.test']) origins.push(`http://${host}:${port}/`);
    }
    await using site = testFetcher({ maxConnections: 12 });
    for (const some of [origins.slice(0, 12), origins.slice(12)])
      for (const result of await Promise.all(some.map((url) => site.fetch(url)))) response(result);
    // Those that were idle have made room, each for one: an end that is not told yet must not count twice.
    assert.ok(site.fetcher.openConnections <= 12, `${site.fetcher.openConnections} are open`);
  });

  test('redirects are answers, not followed', async () => {
    await using server = await serveHttp((_, answer) => answer.writeHead(302, { Location: '/next' }).end());
    await using site = testFetcher();
    const result = response(await site.fetch(`http://site.test:${server.port}/`));
    assert.equal(result.head.status, 302);
    assert.equal(result.head.header('location'), '/next');
  });

  for (const [name, encode] of [
    ['gzip', gzipSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    test(`${name}: raw as received, body decoded`, async () => {
      const encoded = encode(PAGE);
      await using server = await serveHttp((_, answer) =>
        answer.writeHead(200, { 'Content-Encoding': name }).end(encoded),
      );
      await using site = testFetcher();
      const result = response(await site.fetch(`http://site.test:${server.port}/`));
      assert.ok(encoded.equals(result.raw));
      assert.equal(text(result.body), PAGE);
    });
  }

  test('bombs, broken and unknown codings have names', async () => {
    const bodies: Record<string, [string, Buffer]> = {
      '/bomb': ['gzip', gzipSync(Buffer.alloc(5_000_000))],
      '/nested': ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(5_000_000)))],
      '/broken': ['gzip', Buffer.from('not gzip at all, not at all')],
      '/unknown': ['snappy', Buffer.from('x')],
    };
    await using server = await serveHttp((request, answer) => {
      const [coding, body] = bodies[request.url as string];
      answer.writeHead(200, { 'Content-Encoding': coding }).end(body);
    });
    await using site = testFetcher();
    const results = await Promise.all(
      Object.keys(bodies).map((path) => site.fetch(`http://site.test:${server.port}${path}`)),
    );
    assert.deepEqual(results.map(brief), [
      'failed encoding-bomb',
      'failed encoding-bomb',
      'failed encoding-invalid',
      'failed encoding-invalid',
    ]);
    assert.ok(results.every((result) => result.kind === 'failed' && result.exchange !== undefined && result.bytes > 0));
  });

  test('a gzip body that ends too early is kept and marked', async () => {
    const encoded = gzipSync(PAGE);
    await using server = await serveHttp((_, answer) =>
      answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(encoded.subarray(0, encoded.length - 30)),
    );
    await using site = testFetcher();
    const result = response(await site.fetch(`http://site.test:${server.port}/`));
    assert.equal(result.truncated, 'disconnect');
    assert.ok(result.body.length > 0 && PAGE.startsWith(text(result.body)));
  });

  test('bodies are cut at the cap of their type, and the connection is dropped', async () => {
    let sent = 0;
    await using server = await serveHttp((request, answer) => {
      answer.writeHead(200, { 'Content-Type': request.url === '/pdf' ? 'application/pdf' : 'text/html' });
      answer.on('error', () => {});
      const more = (): void => {
        while (!answer.destroyed && answer.write(Buffer.alloc(16_384, 'x'))) sent += 16_384;
        if (!answer.destroyed) answer.once('drain', more);
      };
      more();
    });
    await using site = testFetcher({ maxBytes: 1000, maxBytesByType: { 'application/pdf': 100_000 } });
    const url = `http://site.test:${server.port}`;
    const html = response(await site.fetch(`${url}/html`));
    assert.deepEqual([html.raw.length, html.truncated], [1000, 'length']);
    const pdf = response(await site.fetch(`${url}/pdf`));
    assert.deepEqual([pdf.raw.length, pdf.truncated], [100_000, 'length']);
    const overridden = response(await site.fetch(`${url}/html`, { maxBytes: 5 }));
    assert.deepEqual([text(overridden.raw), overridden.truncated], ['xxxxx', 'length']);
    assert.ok(sent < 50_000_000);
    assert.equal(site.fetcher.counters.opened, 3);
  });

  test('a body of exactly the cap is whole', async () => {
    await using server = await serveHttp((_, answer) => answer.end('12345'));
    await using site = testFetcher({ maxBytes: 5 });
    assert.equal(response(await site.fetch(`http://site.test:${server.port}/`)).truncated, undefined);
  });

  test('an unwanted body is not fetched', async () => {
    await using server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 99999999\r\n\r\n');
    });
    await using site = testFetcher();
    const result = await site.fetch(`http://site.test:${server.port}/`, {
      wanted: (head) => (head.header('content-type') === 'video/mp4' ? 'media type video/mp4' : undefined),
    });
    assert.ok(result.kind === 'unwanted');
    assert.equal(result.reason, 'media type video/mp4');
    assert.equal(result.head.status, 200);
    assert.equal(result.exchange.address, '127.0.0.1');
    await until(() => site.fetcher.openConnections === 0);
  });

  test('a filter that throws fails the fetch, not the process', async () => {
    await using server = await serveHttp((_, answer) => answer.end('x'));
    await using site = testFetcher();
    const result = await site.fetch(`http://site.test:${server.port}/`, {
      wanted: () => {
        throw new Error('bug');
      },
    });
    assert.equal(brief(result), 'failed internal');
  });

  test('HEAD asks for the head alone, whatever it says of the body, and whatever follows it', async () => {
    const heads: Record<string, string> = {
      '/plain': 'HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n',
      '/coded': 'HTTP/1.1 200 OK\r\nContent-Length: 50000\r\nContent-Encoding: gzip\r\n\r\n',
      '/chunked': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
      '/bare': 'HTTP/1.1 200 OK\r\n\r\n',
      '/refused': 'HTTP/1.1 405 Not so\r\nContent-Length: 3\r\n\r\n',
      '/body': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
    };
    await using server = await serveRaw((socket, request) => socket.write(heads[request.split(' ')[1]]));
    await using site = testFetcher();
    for (const path of Object.keys(heads)) {
      const result = response(await site.fetch(`http://site.test:${server.port}${path}`, { method: 'HEAD' }));
      assert.equal(result.head.status, path === '/refused' ? 405 : 200);
      assert.deepEqual([result.raw.byteLength, result.body.byteLength, result.truncated], [0, 0, undefined]);
      assert.equal(result.exchange.requestHead.split('\r\n')[0], `HEAD ${path} HTTP/1.1`);
    }
    const page = response(await site.fetch(`http://site.test:${server.port}/body`));
    assert.equal(text(page.body), 'hello', 'nothing of the answers before is left');
  });

  test('validators ask conditionally; a 304 has no body', async () => {
    await using server = await serveHttp((request, answer) => {
      const known = request.headers['if-none-match'] === '"v1"' && request.headers['if-modified-since'] !== undefined;
      answer.writeHead(known ? 304 : 200, { ETag: '"v1"' }).end(known ? undefined : 'x');
    });
    await using site = testFetcher();
    const url = `http://site.test:${server.port}/`;
    assert.equal(response(await site.fetch(url)).head.status, 200);
    const validators = { etag: '"v1"', lastModified: 'Tue, 13 Jun 2000 12:10:00 GMT' };
    const again = response(await site.fetch(url, { validators }));
    assert.deepEqual([again.head.status, again.body.length], [304, 0]);
  });

  test('credentials and headers of an origin reach that origin alone', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await serveHttp((request, answer) => {
      seen.push(`${request.headers.host?.split(':')[0]} ${request.headers.authorization} ${request.headers['x-key']}`);
      answer.end();
    });
    const origin = `http://site.test:${server.port}`;
    await using site = testFetcher({ credentials: { [origin]: 'basic u:p' }, headers: { [origin]: ['X-Key: 1'] } });
    const { exchange } = response(await site.fetch(`${origin}/`));
    assert.match(exchange.requestHead, /\r\nX-Key: \[hidden\]\r\nAuthorization: \[hidden\]\r\n/);
    assert.match(exchange.requestHead, /\r\nUser-Agent: OrbweaverTest/);
    await site.fetch(`http://other.test:${server.port}/`);
    assert.deepEqual(seen, ['site.test Basic dTpw 1', 'other.test undefined undefined']);
  });

  test('cookies are off, unless a jar is given', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await serveHttp((request, answer) => {
      seen.push(request.headers.cookie);
      answer.writeHead(200, { 'Set-Cookie': ['a=1; Path=/', 'b=2; Path=/only'] }).end();
    });
    const url = `http://site.test:${server.port}/`;
    const cookies = new CookieJar({}, { clock: systemClock, registrableDomain });
    await using without = testFetcher();
    await using withJar = testFetcher({}, { cookies });
    for (const one of [without, without, withJar, withJar]) await one.fetch(url);
    assert.deepEqual(seen, [undefined, undefined, undefined, 'a=1']);
    assert.equal(cookies.size, 2);
  });

  test('a kept connection that the server drops fails the request, which is not sent again by itself', async () => {
    await using server = await serveRaw((socket, _, nth) => {
      // Answers once per connection, then drops the next request unanswered.
      if (nth === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    await using site = testFetcher();
    const url = `http://site.test:${server.port}/`;
    assert.equal(brief(await site.fetch(url)), 'response');
    assert.equal(brief(await site.fetch(url)), 'failed reset');
    assert.equal(server.requests.length, 2);
    assert.equal(brief(await site.fetch(url)), 'response');
    assert.deepEqual([server.requests.length, server.connections], [3, 2]);
  });

  test('what arrived before a disconnect is kept', async () => {
    const answers: Record<string, string> = {
      '/short': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this',
      '/chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\n',
      '/badchunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\nzzz\r\n',
      '/none': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n',
      '/open': 'HTTP/1.0 200 OK\r\n\r\nonly this',
    };
    await using server = await serveRaw((socket, request) => socket.end(answers[request.split(' ')[1]]));
    await using site = testFetcher();
    for (const path of ['/short', '/chunk', '/badchunk']) {
      const result = response(await site.fetch(`http://site.test:${server.port}${path}`));
      assert.deepEqual([text(result.body), result.truncated], ['only this', 'disconnect'], path);
    }
    assert.equal(brief(await site.fetch(`http://site.test:${server.port}/none`)), 'failed reset');
    const open = response(await site.fetch(`http://site.test:${server.port}/open`));
    assert.deepEqual([text(open.body), open.truncated], ['only this', undefined]);
  });

  test('failures of the network have names', async () => {
    let nothingThere: number;
    {
      await using server = await serveRaw(() => {});
      nothingThere = server.port;
    }
    await using server = await serveRaw((socket, request) => {
      if (request.includes('/reset')) socket.resetAndDestroy();
      else if (request.includes('/empty')) socket.end();
      else if (request.includes('/garbage')) socket.end('SSH-2.0-OpenSSH_9.9\r\n\r\n');
      else if (request.includes('/headers')) socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`);
      else if (request.includes('/switch')) socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n');
      else if (request.includes('/lengths'))
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx');
    });
    await using site = testFetcher({ maxHeadBytes: 65_536 });
    const at = async (path: string): Promise<string> =>
      brief(await site.fetch(`http://site.test:${server.port}${path}`));
    assert.equal(brief(await site.fetch(`http://site.test:${nothingThere}/`)), 'failed connect-refused');
    assert.equal(brief(await site.fetch('http://unheard-of.invalid/')), 'failed dns-not-found');
    assert.equal(brief(await site.fetch('http://unresolved.test/')), 'failed dns-failed');
    assert.equal(brief(await site.fetch('ftp://site.test/')), 'refused url: neither http nor https');
    assert.equal(await at('/reset'), 'failed reset');
    assert.equal(await at('/empty'), 'failed reset');
    assert.equal(await at('/garbage'), 'failed protocol');
    assert.equal(await at('/headers'), 'failed headers-too-large');
    assert.equal(await at('/switch'), 'failed protocol');
    assert.equal(await at('/lengths'), 'failed protocol');
  });

  test('interim answers are passed over; there is an end to them', async () => {
    await using server = await serveRaw((socket, request) => {
      socket.on('error', () => {});
      if (request.includes('/hints')) {
        socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n');
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        return;
      }
      const more = (): void => {
        while (!socket.destroyed && socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)));
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    });
    await using site = testFetcher();
    assert.equal(text(response(await site.fetch(`http://site.test:${server.port}/hints`)).body), 'ok');
    assert.equal(brief(await site.fetch(`http://site.test:${server.port}/endless`)), 'failed headers-too-large');
  });

  test('heads in pieces, byte by byte', async () => {
    const whole = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello';
    await using server = await serveRaw((socket) => {
      socket.setNoDelay(true);
      let at = 0;
      const next = (): void => {
        if (at < whole.length) socket.write(whole[at++], () => setImmediate(next));
      };
      next();
    });
    await using site = testFetcher();
    for (let i = 0; i < 2; i++) {
      assert.equal(text(response(await site.fetch(`http://site.test:${server.port}/`)).body), 'hello');
    }
    assert.equal(server.connections, 1);
  });

  test('an abort ends a fetch under way', async () => {
    const clock = new VirtualClock();
    await using server = await serveRaw(() => {});
    await using site = testFetcher({}, { clock });
    const abort = new AbortController();
    const result = site.fetch(`http://site.test:${server.port}/`, { signal: abort.signal });
    await until(() => server.requests.length === 1);
    abort.abort();
    assert.equal(brief(await settleWithin(clock, 1000, result)), 'failed aborted');
    assert.equal(
      brief(await site.fetch(`http://site.test:${server.port}/`, { signal: abort.signal })),
      'failed aborted',
    );
    assert.equal(server.requests.length, 1);
  });

  test('close ends everything under way and everything after', async () => {
    await using server = await serveRaw(() => {});
    const site = testFetcher();
    const result = site.fetch(`http://site.test:${server.port}/`);
    await until(() => server.requests.length === 1);
    await site.fetcher.close();
    assert.equal(brief(await result), 'failed aborted');
    assert.equal(brief(await site.fetch(`http://site.test:${server.port}/`)), 'failed aborted');
  });

  test('many hosts at once', async () => {
    await using server = await serveHttp((request, answer) => answer.end(request.url));
    await using site = testFetcher();
    const urls = Array.from({ length: 200 }, (_, i) => `http://${i % 2 ? 'site' : 'other'}.test:${server.port}/${i}`);
    const bodies = await Promise.all(urls.map(async (url) => text(response(await site.fetch(url)).body)));
    assert.deepEqual(
      bodies,
      urls.map((url) => new URL(url).pathname),
    );
  });
});
