import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { defaultPoliteness } from '../../../../src/frontier/politeness.ts';
import { openedState, page, temporaryFolder } from './state-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DELAY = 10_000;
const RIGHT = 1_800_000_000_000;
const OPTIONS = { politeness: { ...defaultPoliteness, minimumDelayMs: DELAY, delayFactor: 0 }, movable: true } as const;
const [PLAIN, BUSY, FAILED] = ['http://plain.test/', 'http://busy.test/', 'http://failed.test/'] as CanonicalUrl[];

/** Visits of hosts that answered, asked for two hours, and broke off. */
async function asked(folder: string, clock: VirtualClock): Promise<void> {
  using state = openedState(folder, clock, OPTIONS);
  const { frontier } = state;
  await frontier.add([PLAIN, `${PLAIN}2`, BUSY, FAILED].map((url) => page(url)));
  for (const claim of await frontier.claim(9)) {
    const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() };
    const { url } = claim.task;
    const busy = { pushback: { kind: 'busy', why: 'HTTP 503', retryAfterMs: 2 * HOUR } } as const;
    if (url === PLAIN) await frontier.settle([{ claim, outcome: { kind: 'stored' }, use }]);
    else {
      const outcome = { kind: 'failed', code: 'reset' } as const;
      const nextVisit = clock.now() + (url === BUSY ? 0 : 60_000);
      await frontier.settle([{ claim, outcome, use: url === BUSY ? { ...use, ...busy } : use, nextVisit }]);
    }
  }
}

async function whenClaimed(folder: string, clock: VirtualClock): Promise<Map<string, number>> {
  using state = openedState(folder, clock, OPTIONS);
  const found = new Map<string, number>();
  const began = clock.now();
  for (let turn = 0; found.size < 3 && turn < 20; turn++) {
    for (const claim of await state.frontier.claim(9)) {
      found.set(claim.task.url, clock.now() - began);
      const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() };
      await state.frontier.settle([{ claim, outcome: { kind: 'stored' }, use }]);
    }
    clock.advanceTo((await state.frontier.nextDue()) ?? clock.now());
  }
  return found;
}

test('hosts wait no longer than they were to, though the clock was ahead when they were asked', async (t) => {
  const folder = temporaryFolder(t);
  await asked(folder, new VirtualClock(RIGHT + 40 * DAY));
  const waits = await whenClaimed(folder, new VirtualClock(RIGHT));
  assert.deepEqual(
    [`${PLAIN}2`, BUSY, FAILED].map((url) => waits.get(url)),
    [DELAY, 2 * HOUR, DELAY],
  );
});

test('with a clock that is right, no wait is shortened', async (t) => {
  const folder = temporaryFolder(t);
  const clock = new VirtualClock(RIGHT);
  await asked(folder, clock);
  clock.advance(1000);
  const waits = await whenClaimed(folder, clock);
  assert.deepEqual(
    [PLAIN, `${PLAIN}2`, BUSY, FAILED].map((url) => waits.get(url)),
    [undefined, DELAY - 1000, 2 * HOUR - 1000, 59_000],
  );
});

test('a clock that is set back while hosts rest does not keep them resting', async (t) => {
  const folder = temporaryFolder(t);
  const ahead = new VirtualClock(RIGHT + 40 * DAY);
  let now = (): number => ahead.now();
  const clock = new (class extends VirtualClock {
    override now(): number {
      return now();
    }
  })();
  using state = openedState(folder, clock, { ...OPTIONS, byDomain: true });
  await state.frontier.add([page('http://a.plain.test/'), page('http://b.plain.test/')]);
  const [claim] = await state.frontier.claim(9);
  const use = { fetchMs: 1, bytes: 10, endedAt: now() };
  await state.frontier.settle([{ claim, outcome: { kind: 'stored' }, use }]);
  now = () => RIGHT;
  assert.deepEqual(await state.frontier.claim(9), []);
  assert.equal(await state.frontier.nextDue(), RIGHT + DELAY);
  now = () => RIGHT + DELAY;
  assert.equal((await state.frontier.claim(9)).length, 1);
});
