import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostKey } from '../../../src/contracts/url.ts';
import { ClaimBounds } from '../../../src/frontier/claim-bounds.ts';

/** Leases of these hosts, in turn, that may be open at once. */
function atOnce(bounds: ClaimBounds, hosts: readonly string[]): number {
  let leases = 0;
  for (const host of hosts) {
    const turn = { host: host as HostKey, isNew: true };
    if (bounds.reasonToWait(turn, 0) === undefined) bounds.begin(++leases, turn);
  }
  for (let lease = 1; lease <= leases; lease++) bounds.end(lease);
  return leases;
}

test('of a domain a few new hosts are asked at once, and of each as much as it may be asked', () => {
  const bounds = new ClaimBounds({ paceNewHosts: true }, () => 'test');
  const names = Array.from({ length: 20 }, (_, at) => `h${at}.test`);
  assert.equal(atOnce(bounds, names), 3);
  // Many requests to one host are no sign of made-up hosts: a folder of pictures is one that never gives a page.
  assert.equal(atOnce(bounds, Array<string>(20).fill('one.test')), 20);
  assert.equal(atOnce(bounds, names), 3, 'nothing is left counted');
});

test('hosts that have given a page make room for others, also with requests under way', () => {
  const bounds = new ClaimBounds({ paceNewHosts: true }, () => 'test');
  const turn = { host: 'a.test' as HostKey, isNew: true };
  for (const lease of [101, 102, 103]) bounds.begin(lease, turn);
  bounds.end(101, true);
  bounds.end(102, true);
  bounds.end(103, false);
  assert.equal(atOnce(bounds, ['b.test', 'c.test', 'd.test', 'e.test', 'f.test']), 4);
});
