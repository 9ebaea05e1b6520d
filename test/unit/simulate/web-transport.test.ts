import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { Agent, get as httpsGet } from 'node:https';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { audit } from '../../../src/simulate/audit/audit.ts';
import { truth } from '../../../src/simulate/model/truth.ts';
import { PLAIN_SHARES, type WebSpecOverrides } from '../../../src/simulate/model/web-spec.ts';
import { answerQuery, NameServer } from '../../../src/simulate/server/name-server.ts';
import { startSyntheticWeb } from '../../../src/simulate/server/web-server.ts';

const SMALL: WebSpecOverrides = {
  ...PLAIN_SHARES,
  hosts: 3,
  pagesPerHost: 30,
  linksPerPage: 6,
  pageBytes: [3000, 6000],
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function ask(port: number, host: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, path, headers: { Host: host, ...headers }, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    })
      .on('error', reject)
      .end();
  });
}

describe('how the synthetic web is sent', () => {
  test('gzip for those who take it, with the same text inside', async () => {
    await using server = await startSyntheticWeb({ ...SMALL, gzipShare: 1, charsetShare: 0.3 });
    const host = server.web.hosts.authority(1);
    let zipped = 0;
    for (let page = 30; page < 60; page++) {
      const path = server.web.target(page);
      const plain = await ask(server.port, host, path);
      const packed = await ask(server.port, host, path, { 'Accept-Encoding': 'br, gzip' });
      assert.equal(plain.headers['content-encoding'], undefined);
      if (packed.headers['content-encoding'] === undefined) {
        assert.match(server.web.charset(page)?.charset ?? '', /utf-16/);
        continue;
      }
      zipped++;
      assert.ok(packed.body.length < plain.body.length);
      assert.deepEqual(gunzipSync(packed.body), plain.body);
    }
    assert.ok(zipped > 20);
  });

  test('304 while a page is as it was, by tag or by date; the clock of the server makes it change', async () => {
    let now = Date.UTC(2025, 3, 1);
    await using server = await startSyntheticWeb(
      { ...SMALL, hosts: 8, sites: { ...PLAIN_SHARES.sites, validators: 1 }, changingShare: 1, changesPerDay: [1, 1] },
      { now: () => now },
    );
    const forms = new Set<string>();
    for (let page = 0; page < server.web.pageCount; page += 15) {
      const host = server.web.hosts.authority(server.web.hostOfPage(page));
      const path = server.web.target(page);
      const { headers } = await ask(server.port, host, path);
      forms.add([headers.etag?.slice(0, 1), headers['last-modified'] === undefined ? '' : 'date'].join());
      const conditions = {
        ...(headers.etag === undefined ? {} : { 'If-None-Match': `"other", ${headers.etag}` }),
        ...(headers['last-modified'] === undefined ? {} : { 'If-Modified-Since': headers['last-modified'] }),
      };
      const unchanged = await ask(server.port, host, path, conditions);
      assert.equal(unchanged.status, 304);
      assert.equal(unchanged.body.length, 0);
      now = server.web.changedAt(page, server.web.versionAt(page, now) + 1) + 2000;
      const changed = await ask(server.port, host, path, conditions);
      assert.equal(changed.status, 200);
      assert.notEqual(
        changed.headers.etag ?? changed.headers['last-modified'],
        headers.etag ?? headers['last-modified'],
      );
    }
    assert.deepEqual(
      [...forms].sort(),
      ['",', '",date', ',date', 'W,', 'W,date'].filter((form) => forms.has(form)),
    );
    assert.ok(forms.size >= 3);
    const report = audit(server.log, truth(server.web, { seeds: [server.web.url(0)] }), { complete: false });
    assert.equal(report.conditional.requests, 2 * Math.ceil(server.web.pageCount / 15));
    assert.equal(report.conditional.notModified, Math.ceil(server.web.pageCount / 15));
    assert.equal(report.wasted.count, 0, 'a page that has changed is not wasted');
    assert.equal(report.repeated.count, 0);
  });

  test('a slow line sends no faster than it can, and a client that leaves is noticed at once', async () => {
    await using server = await startSyntheticWeb({ ...SMALL, bytesPerSecond: [40_000, 40_000] });
    const host = server.web.hosts.authority(0);
    const before = performance.now();
    const { body } = await ask(server.port, host, '/');
    const seconds = (performance.now() - before) / 1000;
    assert.ok(body.length / seconds < 50_000, `${body.length} bytes in ${seconds} s`);
    assert.equal(body.toString('latin1'), server.web.page(0, '/').body);
    await using tarpit = await startSyntheticWeb({ ...SMALL, traps: { ...PLAIN_SHARES.traps, tarpit: 1 } });
    const pitHost = tarpit.web.hosts.authority(0);
    await new Promise<void>((resolve) => {
      const socket = connect(tarpit.port, '127.0.0.1', () => {
        socket.write(`GET /pit/a.html HTTP/1.1\r\nHost: ${pitHost}\r\n\r\n`);
      });
      socket.on('data', () => socket.destroy());
      socket.on('close', () => resolve());
    });
    while (tarpit.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const { complete, located } = tarpit.log.at(0);
    assert.equal(complete, false);
    assert.equal(located.kind, 'trap');
  });

  test('https with a certificate of its own, over HTTP/1.1 and HTTP/2, logged by protocol', async () => {
    await using server = await startSyntheticWeb({ ...SMALL, latencyMs: [10, 10] }, { tls: true });
    const { web, port, certificate } = server;
    const host = web.hosts.authority(1);
    assert.equal(server.origins[1], `https://${host}/`);
    const servername = host.split(':')[0];
    const agent = new Agent({ ca: certificate, servername, ALPNProtocols: ['http/1.1'] });
    const status = await new Promise<number>((resolve, reject) => {
      httpsGet({ host: '127.0.0.1', port, path: '/', headers: { Host: host }, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      }).on('error', reject);
    });
    agent.destroy();
    assert.equal(status, 200);

    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: certificate, servername });
    const paths = [...Array.from({ length: 30 }, (_, index) => web.target(30 + index)), '/robots.txt', '/nothing'];
    const bodies = await Promise.all(
      paths.map(
        (path) =>
          new Promise<string>((resolve, reject) => {
            const stream = session.request({ ':path': path, ':authority': host, 'user-agent': 'two' });
            let body = '';
            stream.setEncoding('latin1');
            stream.on('data', (text: string) => {
              body += text;
            });
            stream.on('end', () => resolve(body));
            stream.on('error', reject);
          }),
      ),
    );
    for (const [at, path] of paths.entries()) assert.equal(bodies[at], web.page(1, path).body);
    await new Promise<void>((resolve) => session.close(() => resolve()));
    const logged = [...server.log];
    assert.deepEqual([...new Set(logged.map((entry) => entry.protocol))], ['http/1.1', 'h2']);
    assert.ok(logged.every((entry) => entry.complete));
    assert.equal(new Set(logged.slice(1).map((entry) => entry.connection)).size, 1);
    const report = audit(server.log, truth(web, { seeds: [web.url(30)] }), { complete: false, obeyCrawlDelay: false });
    assert.deepEqual(report.protocols, { 'http/1.1': 1, h2: 32 });
    assert.ok(report.parallelRequests.max > 1 && report.parallelConnections.max === 1);
  });

  test('a name server knows the hosts and their endless subdomains', async () => {
    await using server = await startSyntheticWeb(
      { ...SMALL, traps: { ...PLAIN_SHARES.traps, endlessSubdomains: 1 } },
      { hostsPerAddress: process.platform === 'linux' ? 1 : 0 },
    );
    await using names = await NameServer.start(server.web.hosts);
    const resolver = new Resolver({ timeout: 60_000, tries: 1 });
    resolver.setServers([names.address]);
    assert.deepEqual(await resolver.resolve4('h002.synthetic.test'), [server.web.hosts.address(2)]);
    assert.deepEqual(await resolver.resolve4('x9.x1.h001.synthetic.test'), [server.web.hosts.address(1)]);
    await assert.rejects(resolver.resolve4('elsewhere.test'), { code: 'ENOTFOUND' });
    await assert.rejects(resolver.resolve6('h002.synthetic.test'), { code: 'ENODATA' });
    assert.equal(names.queries, 4);
    assert.equal(
      answerQuery(Buffer.from('nonsense'), () => undefined),
      undefined,
    );
    assert.equal(
      answerQuery(Buffer.alloc(20, 0xff), () => undefined),
      undefined,
    );
  });
});
