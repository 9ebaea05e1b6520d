import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import { type AddressGuard, createAddressGuard } from '../../../src/fetch/connect/address-guard.ts';
import { DnsCache } from '../../../src/fetch/connect/dns-cache.ts';
import { createDnsResolvers } from '../../../src/fetch/connect/dns-resolvers.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';
import { type DnsReply, serveDns } from './dns-server.ts';
import { brief, response, serveHttp, settleWithin, testFetcher, until } from './loopback.ts';

function dnsOver(server: { address: string }, clock = systemClock, family: 'ipv4' | 'auto' = 'ipv4'): DnsCache {
  return new DnsCache(
    createDnsResolvers([server.address], { timeoutMs: 120_000, tries: 1 }),
    { family, ttlMinMs: 0 },
    { clock },
  );
}

/** Remembers every address that was judged. */
function watchful(guard: AddressGuard): { guard: AddressGuard; judged: string[] } {
  const judged: string[] = [];
  return {
    judged,
    guard: {
      check(address, hostname, port) {
        judged.push(address);
        return guard.check(address, hostname, port);
      },
    },
  };
}

describe('addresses that are not public are refused', () => {
  const literals: readonly (readonly [string, string])[] = [
    ['http://127.0.0.1/', 'loopback address 127.0.0.1'],
    ['http://127.9.9.9:8080/', 'loopback address 127.9.9.9'],
    ['http://2130706433/', 'loopback address 127.0.0.1'],
    ['http://0x7f000001/', 'loopback address 127.0.0.1'],
    ['http://0177.0.0.1/', 'loopback address 127.0.0.1'],
    ['http://127.1/', 'loopback address 127.0.0.1'],
    ['http://0/', 'unspecified address 0.0.0.0'],
    ['http://0.0.0.0/', 'unspecified address 0.0.0.0'],
    ['http://10.1.2.3/', 'private address 10.1.2.3'],
    ['http://172.16.0.1/', 'private address 172.16.0.1'],
    ['http://192.168.0.1/', 'private address 192.168.0.1'],
    ['http://169.254.169.254/latest/meta-data/', 'link-local address 169.254.169.254'],
    ['http://100.64.0.1/', 'shared address 100.64.0.1'],
    ['https://[::1]/', 'loopback address ::1'],
    ['http://[::]/', 'unspecified address ::'],
    ['http://[::ffff:127.0.0.1]/', 'ipv4-mapped address ::ffff:7f00:1'],
    ['http://[::ffff:10.0.0.1]/', 'ipv4-mapped address ::ffff:a00:1'],
    ['http://[fe80::1]/', 'link-local address fe80::1'],
    ['http://[fd00::1]/', 'unique-local address fd00::1'],
    ['http://[64:ff9b::7f00:1]/', 'loopback address 64:ff9b::7f00:1'],
    ['http://localhost/', 'loopback address 127.0.0.1'],
    ['http://printer.localhost/', 'loopback address 127.0.0.1'],
  ];
  for (const [url, rule] of literals) {
    test(url, async () => {
      await using site = testFetcher({}, { guard: createAddressGuard() });
      const canonical = normalizeUrl(url, defaultUrlOptions) as string;
      assert.equal(brief(await site.fetch(canonical)), `refused address: ${rule}`);
      // Also where a caller forgot to make it canonical.
      assert.equal(brief(await site.fetch(url)), `refused address: ${rule}`);
      assert.equal(site.fetcher.counters.opened, 0);
    });
  }

  test('a name whose addresses are all private', async () => {
    await using server = await serveDns(() => ({ addresses: ['10.0.0.5', '192.168.1.1'] }));
    await using site = testFetcher({}, { dns: dnsOver(server), guard: createAddressGuard() });
    assert.equal(brief(await site.fetch('http://sneaky.test/')), 'refused address: private address 10.0.0.5');
  });

  test('a name with IPv6 addresses that are private', async () => {
    await using server = await serveDns((_, type) => ({ addresses: type === 'A' ? [] : ['fd00::5'] }));
    await using site = testFetcher({}, { dns: dnsOver(server, systemClock, 'auto'), guard: createAddressGuard() });
    assert.equal(brief(await site.fetch('http://six.test/')), 'refused address: unique-local address fd00::5');
  });

  test('of mixed answers only what may be reached is tried', async () => {
    await using web = await serveHttp((_, answer) => answer.end('outer'));
    await using server = await serveDns(() => ({ addresses: ['10.0.0.5', '127.0.0.1'] }));
    const { guard, judged } = watchful(createAddressGuard({ allowList: ['127.0.0.1'] }));
    await using site = testFetcher({}, { dns: dnsOver(server), guard });
    const result = response(await site.fetch(`http://mixed.test:${web.port}/`));
    assert.equal(result.exchange.address, '127.0.0.1');
    assert.deepEqual(judged, ['10.0.0.5', '127.0.0.1']);
  });

  test('rebinding: the address that was judged is the one connected to, and there is no second question', async () => {
    await using web = await serveHttp((_, answer) => answer.setHeader('Connection', 'close').end('outer'));
    // 127.0.0.1 stands for a public address here; 127.0.0.2 is the inner one that the name turns to at once.
    await using server = await serveDns((_name, _type, nth) => ({
      addresses: [nth === 1 ? '127.0.0.1' : '127.0.0.2'],
      ttl: 0,
    }));
    const { guard, judged } = watchful(createAddressGuard({ allowList: ['127.0.0.1'] }));
    await using site = testFetcher({}, { dns: dnsOver(server), guard });
    const url = `http://rebind.test:${web.port}/`;
    const first = response(await site.fetch(url));
    assert.equal(first.exchange.address, '127.0.0.1');
    assert.deepEqual(judged, ['127.0.0.1']);
    assert.deepEqual(server.queries, ['A rebind.test']);
    // A new connection asks anew, and is judged anew.
    await until(() => site.fetcher.openConnections === 0);
    assert.equal(brief(await site.fetch(url)), 'refused address: loopback address 127.0.0.2');
    assert.deepEqual(server.queries, ['A rebind.test', 'A rebind.test']);
    assert.equal(site.fetcher.counters.opened, 1);
  });

  test('rebinding while the name is remembered: the answer that was judged is kept', async () => {
    const clock = new VirtualClock();
    await using web = await serveHttp((_, answer) => answer.setHeader('Connection', 'close').end('outer'));
    const replies: DnsReply[] = [
      { addresses: ['127.0.0.1'], ttl: 60 },
      { addresses: ['127.0.0.2'], ttl: 60 },
    ];
    await using server = await serveDns((_name, _type, nth) => replies[Math.min(nth, 2) - 1]);
    await using site = testFetcher(
      {},
      { clock, dns: dnsOver(server, clock), guard: createAddressGuard({ allowList: ['127.0.0.1'] }) },
    );
    const url = `http://rebind.test:${web.port}/`;
    for (let i = 0; i < 3; i++) assert.equal(brief(await site.fetch(url)), 'response');
    clock.advance(60_000);
    await until(() => site.fetcher.openConnections === 0);
    assert.equal(
      brief(await settleWithin(clock, 5000, site.fetch(url))),
      'refused address: loopback address 127.0.0.2',
    );
    assert.equal(server.queries.length, 2);
  });

  test('every hop is judged: an allowed host that redirects inwards leads nowhere', async () => {
    await using inner = await serveHttp((_, answer) => answer.end('secret'));
    await using outer = await serveHttp((_, answer) =>
      answer.writeHead(302, { Location: `http://127.0.0.1:${inner.port}/` }).end(),
    );
    await using site = testFetcher({}, { guard: createAddressGuard({ allowList: [`site.test:${outer.port}`] }) });
    const hop = response(await site.fetch(`http://site.test:${outer.port}/`));
    const target = hop.head.header('location') as string;
    assert.equal(brief(await site.fetch(target)), 'refused address: loopback address 127.0.0.1');
  });

  test('an allow list for one port does not open the next', async () => {
    await using web = await serveHttp((_, answer) => answer.end());
    await using site = testFetcher({}, { guard: createAddressGuard({ allowList: [`127.0.0.1:${web.port}`] }) });
    assert.equal(brief(await site.fetch(`http://127.0.0.1:${web.port}/`)), 'response');
    assert.match(brief(await site.fetch(`http://127.0.0.1:${web.port + 1}/`)), /^refused address/);
  });
});

describe('several addresses', () => {
  test('the next is tried when one does not connect', async () => {
    await using web = await serveHttp((_, answer) => answer.end('here'));
    await using server = await serveDns((_, type) => ({ addresses: type === 'A' ? ['127.0.0.1'] : ['::1'] }));
    // The web server listens on IPv4 alone, so the preferred IPv6 address refuses.
    const dns = new DnsCache(
      createDnsResolvers([server.address], { timeoutMs: 120_000, tries: 1 }),
      { family: 'ipv6-first' },
      { clock: systemClock },
    );
    await using site = testFetcher({}, { dns });
    const result = response(await site.fetch(`http://dual.test:${web.port}/`));
    assert.equal(result.exchange.address, '127.0.0.1');
  });

  test('the failure told is that of the first', async () => {
    const dns = new DnsCache(
      [
        {
          resolve4: async () => [
            { address: '127.0.0.1', ttl: 1 },
            { address: '127.0.0.1', ttl: 1 },
          ],
          resolve6: async () => [],
        },
      ],
      {},
      { clock: systemClock },
    );
    await using site = testFetcher({}, { dns });
    // A port that was closed may be somebody's by now; that of "discard" is given to nobody.
    assert.equal(brief(await site.fetch('http://down.test:9/')), 'failed connect-refused');
  });
});
