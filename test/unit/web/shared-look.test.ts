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
