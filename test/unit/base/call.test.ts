import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Call, systemClock } from '../../../src/base/clock.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';

const LONG_MS = 3_600_000;

for (const [name, clock] of [
  ['the system clock', systemClock],
  ['virtual time', new VirtualClock()],
] as const)
  test(`a call ends every sleep that hears it, and those that begin later: ${name}`, async () => {
    const called = new Call();
    const sleeps = [clock.sleep(LONG_MS, called), clock.sleep(LONG_MS, called)];
    assert.equal(called.aborted, false);
    called.call();
    called.call();
    assert.equal(called.aborted, true);
    await Promise.all([...sleeps, clock.sleep(LONG_MS, called)]);
  });

test('a sleep that has ended by itself hears no call', async () => {
  const called = new Call();
  let heard = 0;
  const listener = (): void => void heard++;
  called.addEventListener('abort', listener);
  called.removeEventListener('abort', listener);
  await systemClock.sleep(1, called);
  called.call();
  assert.equal(heard, 0);
});
