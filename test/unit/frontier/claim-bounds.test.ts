import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostKey } from '../../../src/contracts/url.ts';
import { ClaimBounds } from '../../../src/frontier/claim-bounds.ts';
import { FILES_HOST } from '../../../src/url/host-key.ts';

test('hosts of which no page has answered are asked a few at a time, the files of this machine as many as wanted', () => {
  const bounds = new ClaimBounds({ paceNewHosts: true }, (host) => host);
  const begun = (host: HostKey): number => {
    let leases = 0;
    const turn = { host, isNew: true };
    while (leases < 20 && bounds.reasonToWait(turn, 0) === undefined) bounds.begin(++leases, turn);
    for (let lease = 1; lease <= leases; lease++) bounds.end(lease);
    return leases;
  };
  assert.equal(begun('a.test' as HostKey), 3);
  assert.equal(begun(FILES_HOST), 20);
});
