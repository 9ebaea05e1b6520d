import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDays, formatPace } from '../../../src/revisit/visit-reasons.ts';

const DAY_SECONDS = 86_400;

test('times from seconds to years, as precise as a reader wants them', () => {
  for (const [seconds, words] of [
    [0.5, '0.5 seconds'],
    [1, '1 second'],
    [2.44, '2.4 seconds'],
    [89, '89 seconds'],
    [120, '2 minutes'],
    [5400, '1.5 hours'],
    [9.3 * DAY_SECONDS, '9.3 days'],
    [1100 * DAY_SECONDS, '3 years'],
  ] as const)
    assert.equal(formatDays(seconds / DAY_SECONDS), words);
  assert.equal(formatDays(Number.POSITIVE_INFINITY), 'ages');
});

test('a page that is visited every two seconds is not visited once in 0 minutes', () => {
  const history = { visits: 5, changes: 2, rate: DAY_SECONDS / 2 } as Parameters<typeof formatPace>[0];
  assert.equal(
    formatPace(history, 'as often as allowed', 2 / DAY_SECONDS),
    'changes about every 2 seconds (2 of 4 looks found a change); visited as often as allowed, once in 2 seconds',
  );
});
