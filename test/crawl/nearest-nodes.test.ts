import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ClusterOfNodes } from '../cluster-of-nodes.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';
import { onlyLong } from '../property-runs.ts';
import { temporaryFolder } from './crawl-web.ts';

const programs = process.platform === 'linux' ? findPostgres() : 'only Linux has 127.0.0.2 without being told';
const HOSTS = 8;
const PAGES = 150;
/** Ms that a host on the other side of the world takes. */
const FAR_MS = 120;

/** A process whose connections come from another address: the server knows it by that. */
const FROM_ELSEWHERE = `const net = require('node:net');
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  for (const one of args.flat()) if (one?.port && one.host !== undefined) one.localAddress = '127.0.0.2';
  return connect.apply(this, args);
};`;

describe('nodes on two continents', onlyLong(typeof programs === 'string' ? programs : undefined), () => {
  let postgres: PostgresServer;
  before(async () => {
    if (typeof programs !== 'string') postgres = await startPostgres(programs);
  });
  after(() => postgres?.[Symbol.asyncDispose]());

  test('each comes to have the hosts that answer it fastest; every page is fetched once', async () => {
    const asked: { readonly url: string; readonly isNear: boolean }[] = [];
    const server = createServer((request, response) => {
      const host = Number(/^h(\d+)/.exec(request.headers.host ?? '')?.[1]);
      const isNear = (host % 2 === 0) === (request.socket.remoteAddress === '127.0.0.1');
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      asked.push({ url: `${request.headers.host}${request.url}`, isNear });
      const links = Array.from({ length: PAGES }, (_, at) => `<a href="/${at}">page ${at} of host ${host}</a>`).join(
        ' ',
      );
      setTimeout(
        () =>
          response.setHeader('content-type', 'text/html').end(request.url === '/' ? links : `${host} ${request.url}`),
        isNear ? 0 : FAR_MS,
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    using folder = temporaryFolder();
    const preload = join(folder.path, 'from-elsewhere.cjs');
    writeFileSync(preload, FROM_ELSEWHERE);
    const names = Array.from({ length: HOSTS }, (_, at) => `h${at}.test`);
    const web = {
      origins: names.map((name) => `http://${name}:${port}/`),
      hostsMap: () => Object.fromEntries(names.map((name) => [name, '127.0.0.1'])),
    };
    await using cluster = new ClusterOfNodes({
      ...{ web, url: postgres.url, schema: 'nearest', partitions: 16, leaseMs: 6000, delayMs: 20 },
      settings: { assignment: 'nearest', softNotFound: false, nearDuplicates: false, trapLearning: false },
      environmentOf: (number): Record<string, string> => (number === 1 ? { NODE_OPTIONS: `--require=${preload}` } : {}),
    });
    await cluster.create();
    const ends = await Promise.all([cluster.join(0), cluster.join(1)].map(({ ended }) => ended));
    for (const { code, stderr } of ends) assert.equal(code, 0, stderr);
    server.close();
    const pages = asked.map(({ url }) => url);
    assert.equal(new Set(pages).size, HOSTS * (PAGES + 1));
    assert.equal(pages.length, new Set(pages).size, 'each once');
    const nearShare = (some: typeof asked): number => some.filter(({ isNear }) => isNear).length / some.length;
    const third = Math.floor(asked.length / 3);
    const [early, late] = [nearShare(asked.slice(0, third)), nearShare(asked.slice(-third))];
    assert.ok(
      late > 0.8 && late > early,
      `near: ${early.toFixed(2)} of the first third, ${late.toFixed(2)} of the last`,
    );
  });
});
