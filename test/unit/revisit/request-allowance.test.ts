import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestAllowance } from '../../../src/revisit/request-allowance.ts';

const HOUR = 3_600_000;

/** Requests of runs that follow each other, each of which makes what it may every half hour. */
function requestsOf(runs: number, hours: number, perDay: number, pause = 0): number {
  let now = 0;
  let made = 0;
  let kept: unknown;
  for (let run = 0; run < runs; run++) {
    const allowance = new RequestAllowance(() => perDay, now);
    allowance.resume(kept, now);
    for (const end = now + hours * HOUR; now < end; now += HOUR / 2) {
      const available = allowance.available(now);
      allowance.spend(available);
      made += available;
    }
    kept = JSON.parse(JSON.stringify(allowance));
    now += pause * HOUR;
  }
  return made;
}

test('restarts make neither fewer nor more requests than the budget has', () => {
  assert.equal(requestsOf(1, 240, 1), 9);
  assert.equal(requestsOf(12, 20, 1), 9);
  assert.equal(requestsOf(480, 0.5, 1), 9);
  assert.equal(requestsOf(10, 24, 240), requestsOf(1, 240, 240));
});

test('time between runs fills no more than a run may save', () => {
  assert.equal(requestsOf(2, 0.5, 240, 1000), 10);
  assert.equal(requestsOf(3, 0.5, 1, 1000), 2);
});

test('a clock that was ahead, and whatever else was kept, do no harm', () => {
  for (const kept of [null, 7, {}, { saved: 'x', at: 1 }, { saved: null, at: 0 }]) {
    const allowance = new RequestAllowance(() => 24, 0);
    allowance.resume(kept, 0);
    assert.equal(allowance.available(HOUR), 1);
  }
  const allowance = new RequestAllowance(() => 24, 0);
  allowance.resume({ saved: 1e9, at: 1e15 }, 0);
  assert.equal(allowance.available(0), 1);
});
