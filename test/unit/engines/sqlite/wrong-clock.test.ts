import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Clock } from '../../../../src/base/clock.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { defaultPoliteness } from '../../../../src/frontier/politeness.ts';
import { SettableMachine, START_MS } from '../../base/settable-machine.ts';
import { openedState, page, temporaryFolder } from './state-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DELAY = 10_000;
const RIGHT = 1_800_000_000_000;
const OPTIONS = { politeness: { ...defaultPoliteness, minimumDelayMs: DELAY, delayFactor: 0 }, movable: true } as const;
const [PLAIN, BUSY, FAILED] = ['http://plain.test/', 'http://busy.test/', 'http://failed.test/'] as CanonicalUrl[];

/** Visits of hosts that answered, asked for two hours, and broke off. */
async function asked(folder: string, clock: Clock): Promise<void> {
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

test('a clock that was set back by hours, too, keeps no retry waiting', async (t) => {
  const folder = temporaryFolder(t);
  await asked(folder, new VirtualClock(RIGHT + 3 * HOUR));
  const waits = await whenClaimed(folder, new VirtualClock(RIGHT));
  assert.deepEqual(
    [`${PLAIN}2`, BUSY, FAILED].map((url) => waits.get(url)),
    [DELAY, 2 * HOUR, DELAY],
  );
});

/** What waits after a restart, in ms from then on, by host; the machine was used so in between. */
async function owedAfter(t: TestContext, between: (machine: SettableMachine) => unknown): Promise<Map<string, number>> {
  const folder = temporaryFolder(t);
  const machine = new SettableMachine();
  await asked(folder, machine.start());
  between(machine);
  const clock = machine.start();
  using state = openedState(folder, clock, OPTIONS);
  const found = new Map<string, number>();
  const began = machine.real;
  while (!found.has('plain.test') || !found.has('busy.test')) {
    for (const { task } of await state.frontier.claim(9))
      if (!found.has(task.host)) found.set(task.host, machine.real - began);
    machine.pass(Math.max(1, ((await state.frontier.nextDue()) ?? 0) - clock.now()));
  }
  return found;
}

test('what hosts owe counts in time that has surely passed, wherever the clock was set while nothing ran', async (t) => {
  const cases: readonly [name: string, between: (machine: SettableMachine) => unknown, plain: number, busy: number][] =
    [
      ['nothing', () => {}, DELAY, 2 * HOUR],
      ['time passed', (m) => m.pass(3000), DELAY - 3000, 2 * HOUR - 3000],
      ['a day passed', (m) => m.pass(DAY), 0, 0],
      ['set forward', (m) => m.set(25 * HOUR), DELAY, 2 * HOUR],
      ['set forward by years', (m) => m.set(2000 * DAY), DELAY, 2 * HOUR],
      ['set back', (m) => m.set(-25 * HOUR), DELAY, 2 * HOUR],
      ['set back by years', (m) => m.set(-2000 * DAY), DELAY, 2 * HOUR],
      ['slept', (m) => m.sleep(HOUR), 0, HOUR],
      // The clock alone knows how long the machine was off. A rest is short enough not to believe it.
      ['restarted after a day', (m) => m.reboot(DAY), DELAY - START_MS, DELAY - START_MS],
      ['restarted, clock back', (m) => [m.reboot(DAY), m.set(-3 * DAY)], DELAY, 2 * HOUR],
    ];
  for (const [name, between, plain, busy] of cases) {
    const owed = await owedAfter(t, between);
    assert.deepEqual([owed.get('plain.test'), owed.get('busy.test')], [plain, busy], name);
  }
});

test('a sleep of the machine that is noticed late shortens no rest', async (t) => {
  const machine = new SettableMachine();
  const clock = machine.start();
  using state = openedState(temporaryFolder(t), clock, OPTIONS);
  await state.frontier.add([page(PLAIN), page(`${PLAIN}2`)]);
  const [claim] = await state.frontier.claim(9);
  machine.sleep(8 * HOUR);
  machine.pass(100);
  // The clock has not noticed yet: the request seems to have ended before the sleep.
  const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() };
  machine.pass(2000);
  await state.frontier.settle([{ claim, outcome: { kind: 'stored' }, use }]);
  const settledAt = machine.real;
  assert.deepEqual(await state.frontier.claim(9), []);
  machine.pass(DELAY - 1);
  assert.deepEqual(await state.frontier.claim(9), [], `asked again ${machine.real - settledAt} ms after the end`);
  machine.pass(1);
  assert.equal((await state.frontier.claim(9)).length, 1);
});

test('a sleep of the machine that nobody has noticed when the process dies shortens no rest', async (t) => {
  const machine = new SettableMachine();
  const folder = temporaryFolder(t);
  const clock = machine.start();
  const state = openedState(folder, clock, OPTIONS);
  await state.frontier.add([page(PLAIN), page(`${PLAIN}2`)]);
  machine.sleep(8 * HOUR);
  const [claim] = await state.frontier.claim(9);
  const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() };
  await state.frontier.settle([{ claim, outcome: { kind: 'stored' }, use }]);
  state[Symbol.dispose]();
  machine.pass(10);
  using again = openedState(folder, machine.start(), OPTIONS);
  assert.deepEqual(await again.frontier.claim(9), []);
  machine.pass(DELAY);
  assert.equal((await again.frontier.claim(9)).length, 1);
});

test('the log of changes has the dates of the system clock, though waits do not follow it', async (t) => {
  const machine = new SettableMachine();
  const clock = machine.start();
  using state = openedState(temporaryFolder(t), clock, OPTIONS);
  const dates: number[] = [];
  for (const [at, jump] of [0, 25 * HOUR, -25 * HOUR].entries()) {
    machine.set(jump);
    machine.pass(2 * DELAY);
    await state.frontier.add([page(`${PLAIN}${at}`)]);
    const [claim] = await state.frontier.claim(9);
    const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() };
    await state.frontier.settle([{ claim, outcome: { kind: 'stored' }, use, change: { kind: 'new' } }]);
    dates.push(machine.date);
  }
  assert.deepEqual(
    [...state.changes.changes({})].map(({ at }) => at),
    dates,
  );
});

/** Whatever happens to a machine and its clock in the course of a crawl. */
type Step =
  | { readonly kind: 'pass' | 'set' | 'sleep' | 'reboot' | 'crash'; readonly ms: number }
  | { readonly kind: 'claim' | 'settle' };

const jump = fc.integer({ min: -30 * DAY, max: 30 * DAY });

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Step>({ kind: 'claim' }, { kind: 'settle' }) },
    { weight: 5, arbitrary: fc.nat(1.5 * DELAY).map((ms): Step => ({ kind: 'pass', ms })) },
    { weight: 2, arbitrary: jump.map((ms): Step => ({ kind: 'set', ms })) },
    { weight: 1, arbitrary: fc.nat(DAY).map((ms): Step => ({ kind: 'sleep', ms })) },
    { weight: 1, arbitrary: fc.nat(DAY).map((ms): Step => ({ kind: 'reboot', ms })) },
    { weight: 1, arbitrary: jump.map((ms): Step => ({ kind: 'crash', ms })) },
  ),
  { minLength: 10, maxLength: 50 },
);

test('wherever clocks jump, no host is asked too soon, and none waits longer than it owes', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const folder = temporaryFolder(t);
      const machine = new SettableMachine();
      const endedAt = new Map<string, number>();
      let clock = machine.start();
      let state = openedState(folder, clock, OPTIONS);
      const open: Claim[] = [];
      let pages = 0;
      const claim = async (): Promise<void> => {
        for (const one of await state.frontier.claim(9)) {
          const gap = machine.real - (endedAt.get(one.task.host) ?? Number.NEGATIVE_INFINITY);
          assert.ok(gap >= DELAY, `${one.task.host} was asked ${gap} ms after its last request`);
          open.push(one);
        }
      };
      const settle = async (): Promise<void> => {
        const done = open.splice(0).map((one) => {
          endedAt.set(one.task.host, machine.real);
          const link = page(`${one.task.url.replace(/\d*$/, '')}${++pages}`);
          const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() + 1 };
          return { claim: one, outcome: { kind: 'stored' }, use, links: [link] } as const;
        });
        await state.frontier.settle(done);
      };
      const crash = (): void => {
        state[Symbol.dispose]();
        // Whoever is killed may have asked up to that moment.
        for (const { task } of open.splice(0)) endedAt.set(task.host, machine.real);
      };
      const reopen = (): void => {
        clock = machine.start();
        state = openedState(folder, clock, OPTIONS);
      };
      await state.frontier.add([PLAIN, BUSY, FAILED].map((url) => page(url)));
      for (const step of history) {
        if (step.kind === 'claim') await claim();
        else if (!('ms' in step)) await settle();
        else if (step.kind === 'pass') machine.pass(step.ms);
        else if (step.kind === 'sleep') machine.sleep(step.ms);
        else if (step.kind === 'set') machine.set(step.ms);
        else {
          crash();
          if (step.kind === 'reboot') machine.reboot(step.ms);
          else machine.set(step.ms);
          reopen();
        }
      }
      await claim();
      await settle();
      machine.pass(DELAY + 2);
      await claim();
      assert.equal(open.length, 3, 'every host is rested again after a delay');
      state[Symbol.dispose]();
    }),
    { numRuns: 25 },
  );
});
