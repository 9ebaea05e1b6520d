import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HostKey } from '../../../src/contracts/url.ts';
import { type HostSpread, partitionOf } from '../../../src/frontier/partition-of.ts';

const SITE: HostSpread = { count: 1009, byDomain: false, by: 'site' };

function of(host: string, spread: Partial<HostSpread> = {}): number {
  return partitionOf(host as HostKey, { ...SITE, ...spread });
}

describe('the partition of a host', () => {
  test('by site: each host by itself, or the hosts of a domain together', () => {
    assert.notEqual(of('a.example.org'), of('b.example.org'));
    assert.equal(of('a.example.org', { byDomain: true }), of('b.example.org:8080', { byDomain: true }));
    assert.notEqual(of('example.org', { byDomain: true }), of('example.net', { byDomain: true }));
  });

  test('by hierarchy: all hosts below a label together, and so the hosts of a domain; addresses by themselves', () => {
    const by = 'hierarchy';
    assert.equal(of('a.example.org', { by }), of('other.org:8080', { by }));
    assert.notEqual(of('example.org', { by }), of('example.net', { by }));
    assert.notEqual(of('192.0.2.1', { by }), of('198.51.100.1', { by }));
    assert.notEqual(of('[2001:db8::1]', { by }), of('[2001:db8::2]', { by }));
  });

  test('is the only one where there is one', () => {
    assert.equal(of('example.org', { count: 1 }), 0);
  });
});
