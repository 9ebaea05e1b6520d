import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostKey } from '../../../src/contracts/url.ts';
import { HostSchedule } from '../../../src/frontier/host-schedule.ts';
import { HostTable } from '../../../src/frontier/host-table.ts';

/** A crowd of hosts that cannot be asked much, and ten others; how often the others are asked in a minute. */
function othersAsked(crowd: number, byDomain: boolean, crowdHeldUntil: number): number {
  const hosts = new HostTable();
  const policy = { lanes: 8, choice: 'strict', addressFirst: true, byAddress: false, byDomain } as const;
  const schedule = new HostSchedule(hosts, policy, () => 0.5);
  for (let i = 0; i < crowd + 10; i++) {
    const host = hosts.append(`h${i}` as HostKey);
    hosts.queued[host] = 5;
    if (byDomain) schedule.join(host, 'domain', i < crowd ? 'crowd.example' : `other${i}.example`);
    if (i < crowd) hosts.holdUntil[host] = crowdHeldUntil;
    schedule.place(host);
  }
  let asked = 0;
  for (let now = 1; now < 60_000; now += 500) {
    for (const host of schedule.unresolved(1000, now)) schedule.placed(host);
    for (let host = schedule.take(now); host >= 0; host = schedule.take(now)) {
      if (host >= crowd) asked++;
      hosts.dueAt[host] = now + 1000;
      schedule.release(host, true);
    }
  }
  return asked;
}

test('hosts that must wait do not use up the look-ups ahead', () => {
  const alone = othersAsked(0, true, 0);
  assert.ok(alone > 500, `${alone} requests`);
  // The names of a crowd that came first are found first, which takes a few rounds.
  assert.ok(othersAsked(5000, true, 0) >= 0.95 * alone, 'beside five thousand hosts of one domain');
  assert.equal(othersAsked(5000, false, 3_600_000), alone, 'beside five thousand hosts on hold');
});
