import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { StepRunner } from '../../../../src/engines/postgres/connection.ts';
import { clockShift } from '../../../../src/engines/postgres/move/hold-partitions.ts';

/** A store whose clock is `ahead`, and whose answer comes so long after its time was read. */
function storeOf(clock: VirtualClock, ahead: number, { before = 0, after = 0 } = {}): StepRunner {
  const run = async () => {
    clock.advance(before);
    const now = clock.now() + ahead;
    clock.advance(after);
    return [[{ now }]];
  };
  return { run } as unknown as StepRunner;
}

test('clocks that agree have no shift, however long the answer takes', async () => {
  const clock = new VirtualClock();
  assert.equal(await clockShift(storeOf(clock, 0), clock), 0);
  assert.equal(await clockShift(storeOf(clock, 0, { after: 213 }), clock), 0);
  assert.equal(await clockShift(storeOf(clock, 0, { before: 5000, after: 3000 }), clock), 0);
});

test('a clock that is set otherwise is told within the time of the answer', async () => {
  const clock = new VirtualClock();
  assert.equal(await clockShift(storeOf(clock, 60_000), clock), 60_000);
  assert.equal(await clockShift(storeOf(clock, -60_000, { before: 10, after: 10 }), clock), -60_000);
  const late = await clockShift(storeOf(clock, 60_000, { after: 400 }), clock);
  assert.ok(Math.abs(late - 60_000) <= 200, String(late));
});
