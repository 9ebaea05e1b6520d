import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CrawlProgress } from '../../../../src/contracts/events.ts';
import type { NodeFrontier } from '../../../../src/crawl/nodes/node-frontier.ts';
import { NodeMembership, type NodeMembershipParts } from '../../../../src/crawl/nodes/node-membership.ts';
import { task } from '../../../conformance/opened-frontier.ts';

const LEASE_MS = 30_000;

test('a node waits for a database that comes back, and ends where it stays away, also with nothing to write', async () => {
  const clock = new VirtualClock();
  let isAway = false;
  const state = {
    nodes: {
      beat: async () => {
        if (isAway) throw new OrbweaverError('STORE_UNREACHABLE', 'away');
        return { nodes: [], partitions: [] };
      },
    },
    partitions: { count: 1, renew: async () => [], acquire: async () => [], release: async () => {} },
    notes: { read: async () => undefined, write: async () => true },
  } as unknown as NodeMembershipParts['state'];
  const membership = new NodeMembership({
    ...{ state, name: 'n', weight: 1, leaseMs: LEASE_MS, handoverMs: 1000, clock },
    home: { machine: 'n', folder: 'n' },
    seedTask: (url) => task(url),
  });
  const frontier = { counts: async () => ({ queued: 0, parked: 0 }) } as unknown as NodeFrontier;
  let noticed = 0;
  await membership.start(frontier, {
    progress: async () =>
      ({ pages: 0, bytes: 0, pagesPerSecond: 0, inFlight: 0, frontier: {} }) as unknown as CrawlProgress,
    notice: () => void noticed++,
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at++) {
      clock.advance(1000);
      await new Promise(setImmediate);
    }
  };
  isAway = true;
  await pass(55);
  isAway = false;
  await pass(5);
  isAway = true;
  await pass(55);
  membership.check();
  const before = noticed;
  await pass(10);
  assert.throws(() => membership.check(), { code: 'STORE_UNREACHABLE' });
  assert.ok(noticed > before, 'the run hears of it');
});
