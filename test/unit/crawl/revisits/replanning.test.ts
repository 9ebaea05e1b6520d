import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../src/base/clock.ts';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import type { Settings } from '../../../../src/base/settings/schema.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { openRevisitScheduler } from '../../../../src/crawl/revisits/open-revisit-scheduler.ts';
import { frontierOptionsOf } from '../../../../src/crawl/settings-to-parts.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { factsOf, openedPartition, page } from '../../engines/sqlite/state-folder.ts';

const DAY = 86_400_000;
const COUNT = 1200;
const URLS = Array.from({ length: COUNT }, (_, i) => `http://h${i % 40}.test/${i}` as CanonicalUrl);
const WEEKLY = { revisitMin: DAY / 24, revisitMax: 60 * DAY } as const;

/** Time as the test sets it. */
class SetClock implements Clock {
  time = Date.UTC(2026, 10, 1);
  now(): number {
    return this.time;
  }
  async sleep(): Promise<void> {}
}

async function opened(folder: string, clock: Clock, extra: Partial<Settings>) {
  const overrides = { continuous: true, delay: 0, delayFactor: 0, ...extra };
  const { settings } = resolveSettings({ overrides });
  const options = { ...frontierOptionsOf(settings, clock.now()), addressFirst: false };
  const state = openedPartition(folder, clock, options);
  const { scheduler, rule, begin } = openRevisitScheduler({
    settings,
    state,
    clock,
    random: Math.random,
    weightOf: () => ({}),
  });
  await begin();
  return {
    state,
    scheduler,
    rule,
    plans: async () => Promise.all(URLS.map(async (url) => (await state.pages.page(url))?.nextVisit ?? 0)),
    [Symbol.dispose]: () => {
      scheduler.save();
      state[Symbol.dispose]();
    },
  };
}

/** All pages are visited once; those with odd numbers are there no more. */
async function visited(folder: string, clock: SetClock, extra: Partial<Settings>): Promise<number[]> {
  using run = await opened(folder, clock, extra);
  const { frontier } = run.state;
  await frontier.add(URLS.map((url) => page(url)));
  for (let claims = await frontier.claim(100); claims.length > 0; claims = await frontier.claim(100)) {
    const settlements = claims.map((claim) => {
      const isGone = Number(claim.task.url.split('/').at(-1)) % 2 === 1;
      const outcome = isGone ? ({ kind: 'gone', status: 404 } as const) : ({ kind: 'stored' } as const);
      const facts = factsOf(claim.task.url, { requestedAt: clock.now() });
      const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() };
      return { claim, outcome, use, page: facts, ...run.rule.after({ claim, outcome, facts, now: clock.now() }) };
    });
    await frontier.settle(settlements);
    clock.time++;
  }
  return run.plans();
}

const share = (plans: readonly number[], fits: (at: number) => boolean): number => plans.filter(fits).length / COUNT;

test('with the same settings no plan is touched; with others all are made anew', async () => {
  using folder = temporaryFolder();
  const clock = new SetClock();
  const first = await visited(folder.path, clock, WEEKLY);
  assert.ok(share(first, (at) => at > clock.time) === 1);
  clock.time += 60_000;
  {
    using same = await opened(folder.path, clock, WEEKLY);
    assert.deepEqual(await same.plans(), first);
  }
  const often = { revisitMin: 1000, revisitMax: DAY / 24, requestsPerDay: 1_000_000 };
  {
    using run = await opened(folder.path, clock, often);
    const plans = await run.plans();
    assert.equal(
      share(plans, (at) => at >= clock.time && at <= clock.time + DAY / 24),
      1,
    );
    assert.ok(new Set(plans).size > COUNT / 2, 'not all at once');
    const record = await run.state.pages.page(URLS[0]);
    assert.equal(record?.nextVisit, plans[0]);
    assert.equal((await run.state.frontier.counts()).planned, COUNT);
    const due = (await run.state.frontier.nextDue()) ?? Number.POSITIVE_INFINITY;
    // The budget begins empty, so that it may be a moment later.
    assert.ok(due >= Math.min(...plans) && due <= Math.min(...plans) + 1000, 'in the calendar too');
  }
  using seldom = await opened(folder.path, clock, { ...WEEKLY, requestsPerDay: 10 });
  assert.ok(share(await seldom.plans(), (at) => at > clock.time + DAY) > 0.4, 'and later where the budget is smaller');
});

for (const [name, saves] of [
  ['was saved', true],
  ['was not', false],
] as const) {
  test(`plans of a clock that was ahead are made anew, whether its time ${name}`, async () => {
    using folder = temporaryFolder();
    const clock = new SetClock();
    const right = clock.time;
    clock.time += 400 * DAY;
    await visited(folder.path, clock, WEEKLY);
    clock.time = right;
    if (!saves) {
      // As if the run had been cut off before it could.
      using state = openedPartition(folder.path, clock, {
        ...frontierOptionsOf(resolveSettings({ overrides: { continuous: true } }).settings, right),
      });
      state.write('upkeep', { ...state.read<object>('upkeep'), savedAt: right });
    }
    using run = await opened(folder.path, clock, WEEKLY);
    assert.equal(
      share(await run.plans(), (at) => at >= right && at <= right + 71 * DAY),
      1,
    );
  });
}

test('a clock that is set back while the crawl runs has all planned anew, one that is set right by a little has not', async () => {
  using folder = temporaryFolder();
  const clock = new SetClock();
  await visited(folder.path, clock, WEEKLY);
  using run = await opened(folder.path, clock, WEEKLY);
  const before = await run.plans();
  clock.time -= 5000;
  await run.scheduler.maintain();
  assert.equal(run.scheduler.isReplanning, false);
  assert.deepEqual(await run.plans(), before);
  clock.time -= 400 * DAY;
  for (let turn = 0; turn === 0 || run.scheduler.isReplanning; turn++) await run.scheduler.maintain();
  assert.equal(
    share(await run.plans(), (at) => at >= clock.time && at <= clock.time + 71 * DAY),
    1,
  );
});
