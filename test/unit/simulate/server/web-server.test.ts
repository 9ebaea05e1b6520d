import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { auditLogFile } from '../../../../src/simulate/audit/audit-log-file.ts';
import type { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { webFromDescription } from '../../../../src/simulate/model/web-from-description.ts';
import { PLAIN_SHARES, type WebSpecOverrides } from '../../../../src/simulate/model/web-spec.ts';
import { readRequestLog } from '../../../../src/simulate/server/request-log-file.ts';
import {
  type SyntheticWebOptions,
  startSyntheticWeb,
  type WebServer,
} from '../../../../src/simulate/server/web-server.ts';

const SMALL: WebSpecOverrides = { hosts: 4, pagesPerHost: 40, linksPerPage: 6, pageBytes: [600, 2000] };

async function serve(
  t: TestContext,
  spec: WebSpecOverrides = {},
  options: SyntheticWebOptions = {},
): Promise<WebServer<SyntheticWeb>> {
  const server = await startSyntheticWeb({ ...SMALL, ...spec }, options);
  t.after(() => server.close());
  return server;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask(
  port: number,
  host: string,
  path: string,
  options: { agent?: Agent; method?: string; address?: string } = {},
): Promise<Answer> {
  const { agent = false, method = 'GET', address = '127.0.0.1' } = options;
  return new Promise((resolve, reject) => {
    const headers = { Host: host, 'User-Agent': 'tester/1' };
    request({ host: address, port, path, method, headers, agent }, (response) => {
      let body = '';
      response.setEncoding('latin1');
      response.on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

/** Sends bytes as they are and gives back everything until the server closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      received += part;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('WebServer', () => {
  test('sends over HTTP what the model says, for every page of the web', async (t) => {
    const server = await serve(t, { pages: { tooManyRequests: 0, unavailable: 0 } });
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    t.after(() => agent.destroy());
    const { web } = server;
    const pages = Array.from({ length: web.pageCount }, (_, page) => page);
    await Promise.all(
      pages.map(async (page) => {
        const host = web.hostOfPage(page);
        const said = web.page(host, web.target(page));
        const sent = await ask(server.port, web.hosts.authority(host), web.target(page), { agent });
        assert.equal(sent.status, said.status);
        assert.equal(sent.body, said.body);
        for (let i = 0; i < said.headers.length; i += 2) {
          assert.equal(sent.headers[said.headers[i].toLowerCase()], said.headers[i + 1]);
        }
      }),
    );
    assert.equal(server.log.length, web.pageCount);
    assert.ok(new Set([...server.log].map((entry) => entry.connection)).size <= 4 * web.hosts.count);
  });

  test('remembers every request as it came', async (t) => {
    const server = await serve(t);
    const host = server.web.hosts.authority(1);
    await ask(server.port, host.toUpperCase(), '/?utm_source=x');
    await ask(server.port, host, '/robots.txt');
    await ask(server.port, host, '/nothing', { method: 'HEAD' });
    const [first, second, third] = server.log;
    assert.equal(first.target, '/?utm_source=x');
    assert.deepEqual(first.located, { kind: 'page', id: server.web.spec.pagesPerHost });
    assert.equal(first.host, 1);
    assert.equal(first.agent, 'tester/1');
    assert.ok(first.bytes > 500 && first.complete && first.done >= first.arrive);
    assert.equal(second.located.kind, 'robots');
    assert.deepEqual([third.method, third.status, third.bytes], ['HEAD', 404, 0]);
    assert.ok(Math.abs(first.arrive - Date.now()) < 60_000);
  });

  test('answers 429 on the first request only', async (t) => {
    const server = await serve(t, { pages: { ...PLAIN_SHARES.pages, tooManyRequests: 1 } });
    const host = server.web.hosts.authority(0);
    const path = server.web.target(5);
    const first = await ask(server.port, host, path);
    assert.equal(first.status, 429);
    assert.ok(first.headers['retry-after']);
    assert.equal((await ask(server.port, host, path)).status, 200);
  });

  test('speaks HTTP/1.1: pipelining, HEAD, close, proxy form, wrong hosts, methods and lines', async (t) => {
    const server = await serve(t);
    const host = server.web.hosts.authority(0);
    const line = (text: string, rest = ''): string => `${text} HTTP/1.1\r\nHost: ${host}\r\n${rest}\r\n`;
    const pipelined = await raw(
      server.port,
      line('GET /robots.txt') + line('GET /phantom/x') + line('GET /', 'Connection: close\r\n'),
    );
    assert.deepEqual(
      [...pipelined.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]),
      ['200', '404', '200'],
    );
    assert.match(pipelined, /Connection: close/);
    const head = await raw(server.port, line('HEAD /', 'Connection: close\r\n'));
    assert.match(head, /Content-Length: \d{3,}\r\n[^<]*\r\n\r\n$/);
    const proxied = await raw(server.port, `GET http://${host}/robots.txt HTTP/1.0\r\n\r\n`);
    assert.match(proxied, /^HTTP\/1\.1 200/);
    assert.match(await raw(server.port, 'GET / HTTP/1.0\r\nHost: elsewhere.test\r\n\r\n'), /^HTTP\/1\.1 421/);
    assert.match(await raw(server.port, line('POST /', 'Connection: close\r\n')), /^HTTP\/1\.1 405/);
    assert.match(await raw(server.port, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400/);
  });

  test('waits out the latency of a host and keeps answers of one connection in order', async (t) => {
    const server = await serve(t, { latencyMs: [20, 20] });
    const host = server.web.hosts.authority(0);
    const line = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const text = await raw(server.port, `${line('/robots.txt')}GET /phantom/y HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]),
      ['200', '404'],
    );
    for (const { arrive, done } of server.log) assert.ok(done - arrive >= 19);
  });

  test('a client that leaves before the answer is logged as broken off', async (t) => {
    const server = await serve(t, { latencyMs: [30, 30] });
    // On a busy machine the time of the answer may be there before the server has seen that the client has left.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.end(`GET / HTTP/1.1\r\nHost: ${server.web.hosts.authority(0)}\r\n\r\n`);
      });
      // With that the server has ended its side, too.
      socket.resume().on('close', () => resolve());
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(server.log.length, 0, 'it has not answered');
    t.mock.timers.runAll();
    while (server.log.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(server.log.at(0).complete, false);
  });

  test('stands on many loopback addresses', {
    skip: process.platform === 'linux' ? false : 'needs all of 127.0.0.0/8',
  }, async (t) => {
    const server = await serve(t, {}, { mode: 'addresses' });
    for (const origin of server.origins) {
      const { hostname, host } = new URL(origin);
      const answer = await ask(server.port, host, '/', { address: hostname });
      assert.equal(answer.status, 200);
    }
    assert.deepEqual(Object.keys(server.hostsMap()), Object.values(server.hostsMap()));
  });

  test('fails on a port in use, or takes another where that is allowed', async (t) => {
    const server = await serve(t);
    await assert.rejects(startSyntheticWeb(SMALL, { port: server.port }), { code: 'EADDRINUSE' });
    const other = await serve(t, {}, { port: server.port, fallbackPort: true });
    assert.notEqual(other.port, server.port);
  });

  test('writes a log file that outlives the server and can be audited alone', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-log-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const logFile = join(folder, 'requests.jsonl');
    const first = await startSyntheticWeb(SMALL, { logFile });
    const { port, web } = first;
    await ask(port, web.hosts.authority(0), '/robots.txt');
    await first.close();
    writeFileSync(logFile, '{"t_arrive":16', { flag: 'a' });
    const second = await serve(t, {}, { logFile, port });
    await ask(port, web.hosts.authority(0), '/');
    await ask(port, web.hosts.authority(0), '/phantom/oops.html');
    const inMemory = [...second.log];
    await second.close();
    writeFileSync(logFile, `${readFileSync(logFile, 'utf8')}{"t_arrive":17`);

    const log = readRequestLog(logFile, webFromDescription);
    assert.deepEqual(
      [...log].map((entry) => entry.target),
      ['/robots.txt', '/', '/phantom/oops.html'],
    );
    assert.notEqual(log.at(0).connection, log.at(1).connection);
    assert.ok(Math.abs(log.at(1).arrive - inMemory[0].arrive) < 0.01);
    const report = auditLogFile(logFile, {}, { complete: false });
    assert.deepEqual(report.failures, ['phantom']);
    assert.equal(report.requests, 3);
    const isNone = { code: 'INPUT_INVALID', remedy: /simulate serve/ };
    assert.throws(() => readRequestLog(join(import.meta.dirname, 'web-server.test.ts'), webFromDescription), isNone);
    const described = readFileSync(logFile, 'utf8').split('\n')[0];
    for (const lines of ['', '{"web":{"kind":"synthetic"}}', '{"web":{"kind":"another"}}', `${described}\n{"t":{}}`]) {
      writeFileSync(logFile, lines);
      assert.throws(() => readRequestLog(logFile, webFromDescription), isNone, lines);
    }
    writeFileSync(logFile, `${described}\n${described.replace(`${port}`, '1')}`);
    assert.throws(() => readRequestLog(logFile, webFromDescription), { code: 'INPUT_INVALID', remedy: /--port/ });
  });

  test('answers while a connection is idle, and closes with connections open', async () => {
    const server = await startSyntheticWeb(SMALL);
    const agent = new Agent({ keepAlive: true });
    await ask(server.port, server.web.hosts.authority(0), '/', { agent });
    await server.close();
    agent.destroy();
    const [refused] = await once(get({ host: '127.0.0.1', port: server.port }), 'error');
    assert.equal(refused.code, 'ECONNREFUSED');
  });
});
