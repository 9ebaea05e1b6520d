import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../../src/base/clock.ts';
import { ProxyPool } from '../../../../src/fetch/connect/proxy-pool.ts';
import { type ProxyServer, parseProxyServer } from '../../../../src/fetch/connect/proxy-server.ts';

const SERVERS = ['http://joe:hunter2@a.test:1', 'http://b.test:2', 'http://c.test:3'].map(parseProxyServer);
const HOSTS = Array.from({ length: 60 }, (_, i) => `host-${i}.test`);

function poolOf(servers: readonly ProxyServer[] = SERVERS) {
  const time = { now: 1_000_000 };
  const dead = new Set<ProxyServer>();
  const probed: ProxyServer[] = [];
  const pool = new ProxyPool(servers, {
    clock: { now: () => time.now } as Clock,
    probe: async (server) => {
      probed.push(server);
      if (dead.has(server)) throw new Error('still dead');
    },
  });
  const fail = (server: ProxyServer) => {
    pool.failed(server, 'connect-refused');
    pool.failed(server, 'connect-refused');
  };
  return { pool, time, dead, probed, fail };
}

test('every host has a proxy and keeps it; every proxy has hosts', () => {
  const { pool } = poolOf();
  const before = HOSTS.map((host) => pool.choose(host));
  assert.deepEqual(
    HOSTS.map((host) => pool.choose(host)),
    before,
  );
  for (const server of SERVERS) assert.ok(before.includes(server));
});

test('one failure says nothing; after two in a row the hosts of a proxy move, and no others', () => {
  const { pool, fail } = poolOf();
  const before = HOSTS.map((host) => pool.choose(host));
  pool.failed(SERVERS[0], 'connect-timeout');
  assert.deepEqual(
    HOSTS.map((host) => pool.choose(host)),
    before,
  );
  pool.worked(SERVERS[0]);
  fail(SERVERS[0]);
  for (const [i, host] of HOSTS.entries()) {
    const now = pool.choose(host);
    if (before[i] === SERVERS[0]) assert.notEqual(now, SERVERS[0]);
    else assert.equal(now, before[i]);
  }
});

test('a proxy that rested is probed without a request; hosts that moved stay where they are', async () => {
  const { pool, time, probed, fail } = poolOf();
  const host = HOSTS.find((one) => pool.choose(one) === SERVERS[0])!;
  const unseen = HOSTS.findLast((one) => pool.choose(one) === SERVERS[0])!;
  fail(SERVERS[0]);
  const moved = pool.choose(host);
  time.now += 9_999;
  pool.choose(host);
  assert.deepEqual(probed, []);
  time.now += 1;
  assert.equal(pool.choose(host), moved);
  pool.choose(host);
  assert.deepEqual(probed, [SERVERS[0]], 'once');
  await setImmediate();
  assert.equal(pool.choose(host), moved);
  assert.equal(pool.choose(unseen), SERVERS[0], 'a host that was not asked meanwhile has its own again');
});

test('a proxy that stays dead rests twice as long each time, and ten minutes at most', async () => {
  const { pool, time, dead, probed, fail } = poolOf();
  dead.add(SERVERS[0]);
  fail(SERVERS[0]);
  for (const rest of [10, 20, 40, 80, 160, 320, 600, 600]) {
    const before = probed.length;
    time.now += rest * 1000 - 1;
    pool.choose('x.test');
    assert.equal(probed.length, before, `before ${rest} s are over`);
    time.now += 1;
    pool.choose('x.test');
    assert.equal(probed.length, before + 1, `after ${rest} s`);
    await setImmediate();
  }
});

test('with none left there is none, the trouble is told without passwords, and a request is the next probe', () => {
  const { pool, time, fail } = poolOf(SERVERS.slice(0, 2));
  fail(SERVERS[0]);
  fail(SERVERS[1]);
  assert.equal(pool.choose('x.test'), undefined);
  assert.equal(pool.trouble(), 'no proxy works (a.test:1: connect-refused; b.test:2: connect-refused)');
  time.now += 10_000;
  const chosen = pool.choose('x.test')!;
  assert.ok(SERVERS.includes(chosen));
  pool.worked(chosen);
  assert.equal(pool.choose('x.test'), chosen);
});
