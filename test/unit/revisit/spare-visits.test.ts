import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpareVisits } from '../../../src/revisit/spare-visits.ts';

const DAY = 86_400_000;

/** The share after forty days of a budget that was used up and sixty of one that was not, with a clock that is set back between. */
function shareAfter(daysBack: number): number {
  const spare = new SpareVisits(0);
  let at = 0;
  const visit = (perDay: number) => {
    at += DAY / perDay;
    spare.visited(at, 1, 10);
  };
  for (let i = 0; i < 400; i++) visit(10);
  assert.ok(spare.share < 0.5);
  at -= daysBack * DAY;
  for (let i = 0; i < 180; i++) visit(3);
  return spare.share;
}

test('a clock that is set back does not freeze the share', () => {
  assert.ok(shareAfter(0) > 0.9);
  for (const days of [1, 365]) assert.ok(Math.abs(shareAfter(days) - shareAfter(0)) < 0.05, `${days} days`);
});
