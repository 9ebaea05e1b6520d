import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createAddressGuard, notPublic } from '../../../../src/fetch/connect/address-guard.ts';
import { parseIp, parseSubnet, subnetHolds } from '../../../../src/fetch/connect/ip-address.ts';

const CASES: readonly (readonly [string, string | undefined])[] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['10.0.0.1', 'private'],
  ['100.63.255.255', undefined],
  ['100.64.0.1', 'shared'],
  ['100.127.255.255', 'shared'],
  ['100.128.0.0', undefined],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['172.15.0.1', undefined],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', undefined],
  ['192.0.0.8', 'reserved'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', 'reserved'],
  ['192.168.1.1', 'private'],
  ['198.17.255.255', undefined],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.9', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['8.8.8.8', undefined],
  ['93.184.216.34', undefined],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'ipv4-mapped'],
  ['::ffff:7f00:1', 'ipv4-mapped'],
  ['::ffff:8.8.8.8', 'ipv4-mapped'],
  ['::127.0.0.1', 'ipv4-compatible'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::8.8.8.8', undefined],
  ['64:ff9b:1::8.8.8.8', 'nat64-local'],
  ['100::1', 'discard'],
  ['2001:0:0808:0808::f5ff:fffe', 'private'],
  ['2001:0:0a00:0001::f7f7:f7f7', 'private'],
  ['2001:0:0808:0808::f7f7:f7f7', undefined],
  ['2001:2::1', 'benchmarking'],
  ['2001:20::1', 'reserved'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', 'loopback'],
  ['2002:a9fe:a9fe::1', 'link-local'],
  ['2002:0808:0808::1', undefined],
  ['2606:2800:220:1:248:1893:25c8:1946', undefined],
  ['3fff::1', 'documentation'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'reserved'],
  ['fc00::1', 'unique-local'],
  ['fd12:3456::1', 'unique-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['localhost', 'not-an-address'],
  ['2130706433', 'not-an-address'],
  ['0177.0.0.1', 'not-an-address'],
  ['', 'not-an-address'],
];

describe('address guard', () => {
  for (const [address, why] of CASES) {
    test(`${address === '' ? '(nothing)' : address} is ${why ?? 'public'}`, () => {
      assert.equal(notPublic(address), why);
    });
  }

  test('refuses by default, and says why', () => {
    assert.deepEqual(createAddressGuard().check('10.1.2.3', 'a.test', 80), { allowed: false, why: 'private' });
    assert.deepEqual(createAddressGuard().check('8.8.8.8', 'a.test', 80), { allowed: true });
  });

  test('allowPrivate lets every address through, but nothing that is none', () => {
    const guard = createAddressGuard({ allowPrivate: true });
    for (const [address, why] of CASES) {
      assert.equal(guard.check(address, 'a.test', 80).allowed, why !== 'not-an-address', address);
    }
  });

  test('the allow list takes blocks, addresses, hosts and ports', () => {
    const guard = createAddressGuard({
      allowList: ['10.1.0.0/16', '127.0.0.1:8080', '[::1]:8080', 'fd00::/8', 'intranet.test', '*.corp.test:443'],
    });
    const allowed = (address: string, host: string, port: number): boolean => guard.check(address, host, port).allowed;
    assert.ok(allowed('10.1.255.1', 'x.test', 80));
    assert.ok(!allowed('10.2.0.1', 'x.test', 80));
    assert.ok(allowed('127.0.0.1', 'x.test', 8080));
    assert.ok(!allowed('127.0.0.1', 'x.test', 80));
    assert.ok(allowed('::1', '::1', 8080));
    assert.ok(!allowed('::1', '::1', 8081));
    assert.ok(allowed('fd00::7', 'x.test', 80));
    assert.ok(allowed('192.168.0.9', 'intranet.test', 8888));
    assert.ok(!allowed('192.168.0.9', 'not-intranet.test', 8888));
    assert.ok(allowed('172.16.0.1', 'wiki.corp.test', 443));
    assert.ok(!allowed('172.16.0.1', 'wiki.corp.test', 80));
    assert.ok(!allowed('172.16.0.1', 'corp.test', 443));
  });

  test('an entry that means nothing is a mistake, not an opening', () => {
    for (const entry of ['10.0.0.0/33', 'a b', 'http://x/', '10.0.0.0/', '']) {
      assert.throws(() => createAddressGuard({ allowList: [entry] }), { code: 'SETTING_INVALID' }, entry);
    }
  });
});

describe('ip addresses', () => {
  test('every IPv4 address read back is itself', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.equal([...(parseIp(address) as Uint8Array)].join('.'), address);
      }),
    );
  });

  test('every spelling of an IPv6 address has the octets that the platform finds', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const octets = parseIp(address) as Uint8Array;
        const groups = Array.from({ length: 8 }, (_, i) => ((octets[2 * i] << 8) | octets[2 * i + 1]).toString(16));
        assert.equal(new URL(`http://[${groups.join(':')}]/`).host, new URL(`http://[${address}]/`).host);
      }),
    );
  });

  test('a subnet holds exactly the addresses that share its bits', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(0xffffffff), fc.integer({ min: 0, max: 32 }), (a, b, bits) => {
        const dotted = (n: number): string => [24, 16, 8, 0].map((shift) => (n >>> shift) & 0xff).join('.');
        const subnet = parseSubnet(`${dotted(a)}/${bits}`);
        const same = bits === 0 || a >>> (32 - bits) === b >>> (32 - bits);
        assert.ok(subnet !== undefined);
        assert.equal(subnetHolds(subnet, parseIp(dotted(b)) as Uint8Array), same);
      }),
    );
  });
});
