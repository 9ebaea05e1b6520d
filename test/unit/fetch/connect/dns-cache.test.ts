import assert from 'node:assert/strict';
import { getServers, type promises, setServers } from 'node:dns';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import { DnsCache, type DnsCacheOptions } from '../../../../src/fetch/connect/dns-cache.ts';
import { createDnsResolvers, type DnsResolver } from '../../../../src/fetch/connect/dns-resolvers.ts';
import { HostsFile, parseHosts } from '../../../../src/fetch/connect/hosts-file.ts';
import { NO_DATA, NXDOMAIN, SERVFAIL, serveDns } from '../dns-server.ts';
import { until } from '../loopback.ts';

/** Long enough for a loaded machine; only a resolver that is meant to stay silent gets less. */
const PATIENT = { timeoutMs: 120_000, tries: 1 };

function cacheOver(
  servers: readonly { address: string }[],
  options: DnsCacheOptions = {},
  clock = new VirtualClock(),
): { cache: DnsCache; clock: VirtualClock } {
  const resolvers = createDnsResolvers(
    servers.map((server) => server.address),
    PATIENT,
  );
  return { cache: new DnsCache(resolvers, { family: 'ipv4', ...options }, { clock }), clock };
}

async function addresses(cache: DnsCache, name: string): Promise<string> {
  const answer = await cache.resolve(name);
  if (answer.kind !== 'found') return `${answer.kind} ${answer.detail}`;
  await answer.rest;
  return answer.addresses.join(' ');
}

describe('DnsCache', () => {
  test('asks once, and again when the time to live is over', async () => {
    await using server = await serveDns((_name, _type, nth) => ({ addresses: [`93.184.216.${nth}`], ttl: 120 }));
    const { cache, clock } = cacheOver([server]);
    assert.equal(await addresses(cache, 'a.test'), '93.184.216.1');
    clock.advance(95_999);
    assert.equal(await addresses(cache, 'A.Test.'), '93.184.216.1');
    clock.advance(24_001);
    assert.equal(await addresses(cache, 'a.test'), '93.184.216.2');
    assert.deepEqual(server.queries, ['A a.test', 'A a.test']);
    assert.deepEqual([cache.counters.hits, cache.counters.misses], [1, 2]);
  });

  test('the time to live is kept within floor and ceiling', async () => {
    await using server = await serveDns((name, _type, nth) => ({
      addresses: [`93.184.216.${nth}`],
      ttl: name === 'short.test' ? 0 : 999_999,
    }));
    const { cache, clock } = cacheOver([server], { ttlMinMs: 10_000, ttlMaxMs: 50_000 });
    await addresses(cache, 'short.test');
    await addresses(cache, 'long.test');
    clock.advance(9999);
    assert.equal(await addresses(cache, 'short.test'), '93.184.216.1');
    clock.advance(1);
    assert.equal(await addresses(cache, 'short.test'), '93.184.216.2');
    clock.advance(40_000);
    assert.equal(await addresses(cache, 'long.test'), '93.184.216.2');
  });

  test('callers at the same time share one query', async () => {
    await using server = await serveDns(() => ({ addresses: ['93.184.216.34'] }));
    const { cache } = cacheOver([server]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => addresses(cache, 'a.test')));
    assert.equal(new Set(answers).size, 1);
    assert.equal(server.queries.length, 1);
    assert.equal(cache.counters.coalesced, 19);
  });

  test('a name that does not exist is remembered longer than a server that is sick', async () => {
    await using server = await serveDns((name) => (name === 'sick.test' ? SERVFAIL : NXDOMAIN));
    const { cache, clock } = cacheOver([server], { notFoundMs: 300_000, failedMs: 30_000 });
    assert.equal(await addresses(cache, 'gone.test'), 'not-found ENOTFOUND');
    assert.equal(await addresses(cache, 'sick.test'), 'failed ESERVFAIL');
    const asked = server.queries.length;
    clock.advance(29_999);
    await addresses(cache, 'gone.test');
    await addresses(cache, 'sick.test');
    assert.equal(server.queries.length, asked);
    clock.advance(1);
    await addresses(cache, 'gone.test');
    await addresses(cache, 'sick.test');
    assert.deepEqual(new Set(server.queries.slice(asked)), new Set(['A sick.test']));
    assert.deepEqual([cache.counters.notFound, cache.counters.failed], [1, 2]);
  });

  test('a name without addresses is not found', async () => {
    await using server = await serveDns(() => NO_DATA);
    const { cache } = cacheOver([server], { family: 'auto' });
    assert.match(await addresses(cache, 'mail-only.test'), /^not-found/);
    assert.deepEqual(server.queries.toSorted(), ['A mail-only.test', 'AAAA mail-only.test']);
  });

  test('both families, in the order wished for', async () => {
    await using server = await serveDns((_name, type) => ({
      addresses: type === 'A' ? ['93.184.216.34'] : ['2606:2800:220:1::1'],
    }));
    assert.equal(
      await addresses(cacheOver([server], { family: 'auto' }).cache, 'a.test'),
      '93.184.216.34 2606:2800:220:1::1',
    );
    assert.equal(
      await addresses(cacheOver([server], { family: 'ipv6-first' }).cache, 'a.test'),
      '2606:2800:220:1::1 93.184.216.34',
    );
    assert.equal(await addresses(cacheOver([server], { family: 'ipv6' }).cache, 'a.test'), '2606:2800:220:1::1');
  });

  test('a family that is never answered holds nothing up', async () => {
    await using server = await serveDns((_name, type) => (type === 'A' ? { addresses: ['93.184.216.34'] } : 'silence'));
    const { cache } = cacheOver([server], { family: 'auto' });
    const answer = await cache.resolve('a.test');
    assert.ok(answer.kind === 'found');
    assert.deepEqual(answer.addresses, ['93.184.216.34']);
    cache.close();
  });

  test('the second family serves where the first has nothing', async () => {
    await using server = await serveDns((_name, type) =>
      type === 'AAAA' ? { addresses: ['2606:2800:220:1::1'] } : NO_DATA,
    );
    assert.equal(await addresses(cacheOver([server], { family: 'auto' }).cache, 'six.test'), '2606:2800:220:1::1');
  });

  test('the next resolver takes over, is preferred for a while, and the first comes back', async () => {
    let healthy = false;
    await using first = await serveDns(() => (healthy ? { addresses: ['93.184.216.1'] } : SERVFAIL));
    await using second = await serveDns(() => ({ addresses: ['93.184.216.2'] }));
    const { cache, clock } = cacheOver([first, second], { failbackMs: 60_000 });
    assert.equal(await addresses(cache, 'a.test'), '93.184.216.2');
    assert.equal(await addresses(cache, 'b.test'), '93.184.216.2');
    assert.ok(!first.queries.includes('A b.test'), 'the sick one is left alone');
    healthy = true;
    clock.advance(60_000);
    assert.equal(await addresses(cache, 'c.test'), '93.184.216.1');
  });

  test('each name server of the system is one of its own, so that the next takes over there too', () => {
    const before = getServers();
    try {
      setServers(['192.0.2.1', '192.0.2.2']);
      const servers = createDnsResolvers([]).map((resolver) => (resolver as promises.Resolver).getServers());
      assert.deepEqual(servers, [['192.0.2.1'], ['192.0.2.2']]);
    } finally {
      setServers(before);
    }
  });

  test('a silent resolver is passed over', async () => {
    await using silent = await serveDns(() => 'silence');
    await using answering = await serveDns(() => ({ addresses: ['93.184.216.2'] }));
    const resolvers = [
      ...createDnsResolvers([silent.address], { timeoutMs: 20, tries: 1 }),
      ...createDnsResolvers([answering.address], PATIENT),
    ];
    const cache = new DnsCache(resolvers, { family: 'ipv4' }, { clock: new VirtualClock() });
    assert.equal(await addresses(cache, 'a.test'), '93.184.216.2');
  });

  test('a resolver that is down holds nobody up: the next is asked beside it, and first from then on', async () => {
    await using silent = await serveDns(() => 'silence');
    await using answering = await serveDns(() => ({ addresses: ['93.184.216.2'] }));
    // The patience of the resolver itself is longer than any test.
    const resolvers = createDnsResolvers([silent.address, answering.address], { timeoutMs: 600_000, tries: 1 });
    const clock = new VirtualClock();
    const cache = new DnsCache(resolvers, { family: 'ipv4' }, { clock });
    try {
      const first = addresses(cache, 'a.test');
      await until(() => silent.queries.length === 1);
      clock.advance(500);
      assert.equal(await first, '93.184.216.2');
      assert.equal(await addresses(cache, 'b.test'), '93.184.216.2');
      assert.deepEqual(silent.queries, ['A a.test']);
    } finally {
      cache.close();
    }
  });

  test('where no resolver answers, a query ends long before they give up', async () => {
    await using silent = await serveDns(() => 'silence');
    await using sick = await serveDns(() => SERVFAIL);
    const resolvers = createDnsResolvers([silent.address, sick.address], { timeoutMs: 600_000, tries: 1 });
    const clock = new VirtualClock();
    const cache = new DnsCache(resolvers, { family: 'ipv4' }, { clock });
    try {
      const first = addresses(cache, 'a.test');
      await until(() => silent.queries.length === 1);
      clock.advance(500);
      await until(() => sick.queries.length === 1);
      clock.advance(15_000);
      assert.match(await first, /^failed /);
    } finally {
      cache.close();
    }
  });

  test('that a name does not exist is an answer: the next resolver is not asked', async () => {
    await using first = await serveDns(() => NXDOMAIN);
    await using second = await serveDns(() => ({ addresses: ['93.184.216.2'] }));
    assert.equal(await addresses(cacheOver([first, second]).cache, 'a.test'), 'not-found ENOTFOUND');
    assert.equal(second.queries.length, 0);
  });

  test('a name looked up ahead is asked for once, and anew before its answer runs out', async () => {
    await using server = await serveDns(() => ({ addresses: ['93.184.216.34'] }));
    const { cache, clock } = cacheOver([server], { ttlMinMs: 1000, ttlMaxMs: 1000 });
    await Promise.all([cache.lookAhead('a.test'), cache.lookAhead('A.test.')]);
    await cache.resolve('a.test');
    assert.equal(server.queries.length, 1);
    assert.equal(cache.counters.waitMs, 0);
    clock.advance(900);
    assert.equal(await addresses(cache, 'a.test'), '93.184.216.34');
    await until(() => server.queries.length === 2);
    await cache.lookAhead('a.test');
    clock.advance(900);
    await cache.resolve('a.test');
    assert.equal(cache.counters.hits, 3, 'nobody had to wait');
  });

  test('a refresh that fails takes nothing back', async () => {
    let works = true;
    const resolver: DnsResolver = {
      async resolve4() {
        if (works) return [{ address: '93.184.216.34', ttl: 100 }];
        throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
      },
      async resolve6() {
        throw Object.assign(new Error('no answer'), { code: works ? 'ENODATA' : 'ETIMEOUT' });
      },
    };
    const clock = new VirtualClock();
    const cache = new DnsCache([resolver], {}, { clock });
    await cache.resolve('a.test');
    works = false;
    clock.advance(85_000);
    await cache.lookAhead('a.test');
    assert.equal(await addresses(cache, 'a.test'), '93.184.216.34');
  });

  test('the number of names is bounded', async () => {
    await using server = await serveDns(() => ({ addresses: ['93.184.216.34'] }));
    const { cache } = cacheOver([server], { maxEntries: 2 });
    for (const name of ['a.test', 'b.test', 'c.test', 'a.test']) await cache.resolve(name);
    assert.equal(server.queries.length, 4);
  });

  test('localhost and names outside the DNS are never asked for', async () => {
    await using server = await serveDns(() => ({ addresses: ['93.184.216.34'] }));
    const { cache } = cacheOver([server], { family: 'auto' });
    assert.equal(await addresses(cache, 'localhost'), '127.0.0.1 ::1');
    assert.equal(await addresses(cache, 'www.localhost'), '127.0.0.1 ::1');
    assert.match(await addresses(cache, 'abc.onion'), /^not-found/);
    assert.equal(server.queries.length, 0);
  });

  test('fixed hosts are answered from the settings; names of Object.prototype are no hosts', async () => {
    await using server = await serveDns(() => NXDOMAIN);
    const { cache } = cacheOver([server], { hosts: { 'intranet.test': '10.0.0.7' } });
    assert.equal(await addresses(cache, 'intranet.test'), '10.0.0.7');
    assert.match(await addresses(cache, 'constructor'), /^not-found/);
  });

  test('with no resolver at all it says so', async () => {
    const cache = new DnsCache([], {}, { clock: new VirtualClock() });
    assert.equal(await addresses(cache, 'a.test'), 'failed no resolver');
  });

  test('waits are counted', async () => {
    const clock = new VirtualClock();
    const slow: DnsResolver = {
      async resolve4() {
        clock.advance(25);
        return [{ address: '93.184.216.34', ttl: 60 }];
      },
      resolve6: async () => [],
    };
    const cache = new DnsCache([slow], { family: 'ipv4' }, { clock });
    await cache.resolve('a.test');
    assert.equal(cache.counters.waitMs, 25);
  });
});

describe('hosts file', () => {
  test('names, aliases, comments, several addresses', () => {
    const table = parseHosts(
      '127.0.0.1 localhost\n# 9.9.9.9 no\n10.0.0.1\tIntra.test wiki # x\r\n::1 localhost\nbroken line\n',
    );
    assert.deepEqual(Object.fromEntries(table), {
      localhost: ['127.0.0.1', '::1'],
      'intra.test': ['10.0.0.1'],
      wiki: ['10.0.0.1'],
    });
  });

  test('is read again when it changes, and looked at only so often', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-hosts-'));
    try {
      const path = join(folder, 'hosts');
      const clock = new VirtualClock();
      const file = new HostsFile(path, clock, 5000);
      assert.equal(await file.lookup('a.test'), undefined);
      await writeFile(path, '10.0.0.1 a.test\n');
      await utimes(path, 1, 1);
      assert.equal(await file.lookup('a.test'), undefined);
      clock.advance(5000);
      assert.deepEqual(await file.lookup('a.test'), ['10.0.0.1']);
      await writeFile(path, '10.0.0.2 a.test\n');
      await utimes(path, 2, 2);
      assert.deepEqual(await file.lookup('a.test'), ['10.0.0.1']);
      clock.advance(5000);
      assert.deepEqual(await Promise.all([file.lookup('a.test'), file.lookup('a.test')]), [['10.0.0.2'], ['10.0.0.2']]);
      await rm(path);
      clock.advance(5000);
      assert.equal(await file.lookup('a.test'), undefined);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('its entries win over the DNS', async () => {
    await using server = await serveDns(() => ({ addresses: ['93.184.216.34'] }));
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-hosts-'));
    try {
      await writeFile(join(folder, 'hosts'), '10.0.0.1 a.test\nfd00::1 a.test\n');
      const clock = new VirtualClock();
      const hostsFile = new HostsFile(join(folder, 'hosts'), clock);
      const cache = new DnsCache(
        createDnsResolvers([server.address], PATIENT),
        { family: 'ipv6-first' },
        { clock, hostsFile },
      );
      assert.equal(await addresses(cache, 'a.test'), 'fd00::1 10.0.0.1');
      assert.equal(server.queries.length, 0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
