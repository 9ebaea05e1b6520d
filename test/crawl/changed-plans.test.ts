import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../src/base/clock.ts';
import { crawlUntil, DAY, largeSite, serveSite } from './changing-site.ts';
import { temporaryFolder } from './crawl-web.ts';
import { StepClock } from './step-clock.ts';

const PAGES = 12;
const OFTEN = { revisitMin: DAY / 2, revisitMax: 5 * DAY, requestsPerDay: 100 } as const;
/** Longer than the test would wait. */
const AGES = 3000 * DAY;

async function site() {
  const served = await serveSite(largeSite(PAGES - 1, 100));
  const paths = ['/', ...Array.from({ length: PAGES - 1 }, (_, i) => `/p${i}`)];
  return {
    ...served,
    seed: `${served.origin}/`,
    each: (least: number) => paths.every((path) => served.times('GET', path) >= least),
    most: () => Math.max(...paths.map((path) => served.times('GET', path))),
  };
}

/** A clock that is wrong by so much. */
function shifted(clock: Clock): Clock & { by: number } {
  return {
    by: 0,
    now() {
      return clock.now() + this.by;
    },
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

test('other settings hold for pages whose visits were planned before', async () => {
  using folder = temporaryFolder();
  using pages = await site();
  const clock = new StepClock();
  const seldom = { revisitMin: AGES, revisitMax: 10 * AGES } as const;
  await crawlUntil(folder.path, pages.seed, () => pages.each(1), seldom, clock);
  assert.equal(pages.most(), 1);
  await crawlUntil(folder.path, pages.seed, () => pages.each(3), OFTEN, clock);
  assert.ok(pages.each(3));

  const asked = pages.asked.length;
  const end = clock.now() + 10 * OFTEN.revisitMax;
  await crawlUntil(folder.path, pages.seed, () => clock.now() > end, seldom, clock);
  assert.ok(pages.asked.length <= asked + PAGES, 'what was due is visited; all else has time again');
});

test('a run with a clock that was ahead silences none that follows', async () => {
  using folder = temporaryFolder();
  using pages = await site();
  const clock = shifted(new StepClock());
  clock.by = AGES;
  await crawlUntil(folder.path, pages.seed, () => pages.each(2), OFTEN, clock);
  clock.by = 0;
  const before = pages.most();
  await crawlUntil(folder.path, pages.seed, () => pages.each(before + 2), OFTEN, clock);
  assert.ok(pages.each(before + 2));
});

// A system clock that is set back never reaches a crawl while it runs: see clock-jumps.test.ts.
test('a clock that is far ahead all at once does not stop a crawl', async () => {
  using folder = temporaryFolder();
  using pages = await site();
  const clock = shifted(new StepClock());
  let before = Number.POSITIVE_INFINITY;
  const isTrue = (): boolean => {
    if (before === Number.POSITIVE_INFINITY && pages.each(2)) {
      before = pages.most();
      clock.by = AGES;
    }
    return pages.each(before + 2);
  };
  await crawlUntil(folder.path, pages.seed, isTrue, { ...OFTEN, delay: DAY / 50 }, clock);
  assert.ok(pages.each(before + 2));
});
