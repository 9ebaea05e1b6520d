import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { RobotsRecord } from '../../../../src/contracts/content/robots.ts';
import type { Fetcher } from '../../../../src/contracts/fetcher.ts';
import type { Origin } from '../../../../src/contracts/url.ts';
import { RobotsGate } from '../../../../src/crawl/visit/robots-gate.ts';

const DAY = 86_400_000;
const ORIGIN = 'http://a.test' as Origin;

/** Whether a file that was read so long ago is still good, and one that moved then still awaited. */
async function goodAfter(ms: number): Promise<boolean[]> {
  const clock = new VirtualClock();
  const readAt = clock.now() - ms;
  const record = (state: RobotsRecord['state']): RobotsRecord => ({
    ...{ origin: ORIGIN, state, why: 'read', fetchedAt: readAt, redirects: 0 },
    expiresAt: readAt + DAY,
    body: 'User-agent: *\nAllow: /',
  });
  const gateOf = (state: RobotsRecord['state']): RobotsGate =>
    new RobotsGate({} as Fetcher, { robots: async () => record(state) }, clock, {
      agent: 'orb',
      maxAgeMs: 2 * DAY,
      tdmrep: false,
    });
  return [(await gateOf('rules').judgeOf(ORIGIN)) !== undefined, await gateOf('moved').awaited(ORIGIN)];
}

test('a robots.txt is good for a day, and not for longer because the clock was ahead when it was read', async () => {
  assert.deepEqual(await goodAfter(DAY / 2), [true, true]);
  assert.deepEqual(await goodAfter(2 * DAY), [false, false]);
  assert.deepEqual(await goodAfter(-30_000), [true, true], 'clocks are never quite the same');
  assert.deepEqual(await goodAfter(-40 * DAY), [false, false]);
});
