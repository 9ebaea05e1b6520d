import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SharedLook } from '../../../src/web/dashboard/shared-look.ts';
import { HandClock } from '../archive/archive-fixture.ts';

test('a look is shared until it is old; longer where it cost much, not where it had to wait', async () => {
  const clock = new HandClock();
  let looks = 0;
  let costs: () => unknown = () => {};
  const shared = new SharedLook(clock, 100, async () => {
    await costs();
    return ++looks;
  });
  assert.deepEqual(await Promise.all([shared.take(), shared.take()]), [1, 1], 'one look for all');
  clock.time += 5000;
  costs = () => pause(300);
  assert.equal(await shared.take(), 2);
  // Far less than twenty times what it waited, and more than waiting costs.
  clock.time += 3000;
  costs = () => {
    const begun = process.threadCpuUsage();
    while (process.threadCpuUsage(begun).user < 200_000);
  };
  assert.equal(await shared.take(), 3, 'waiting costs nothing');
  clock.time += 3500;
  assert.equal(await shared.take(), 3, 'what was costly is kept');
  clock.time += 60_000;
  costs = () => Promise.reject(new Error('gone'));
  await assert.rejects(shared.take(), /gone/);
  costs = () => {};
  assert.equal(await shared.take(), 4, 'one that failed is not kept');
});

test('what may cost a larger share of a processor is looked at more often', async () => {
  const clock = new HandClock();
  const looks = [0, 0];
  const [seldom, often] = [0.01, 1].map(
    (share, at) =>
      new SharedLook(
        clock,
        100,
        async () => {
          const begun = process.threadCpuUsage();
          while (process.threadCpuUsage(begun).user < 20_000);
          looks[at]++;
        },
        share,
      ),
  );
  const lookAtBoth = () => Promise.all([seldom.take(), often.take()]);
  await lookAtBoth();
  clock.time += 100;
  await lookAtBoth();
  assert.deepEqual(looks, [2, 2], 'what the first costs says little');
  // Less than the least for which the one is shared, and more than the other is on any machine.
  clock.time += 1999;
  await lookAtBoth();
  assert.deepEqual(looks, [2, 3]);
});
