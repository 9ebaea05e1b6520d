import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenDuration } from '../../../../src/cli/output/written-amount.ts';

test('durations: no time that passes is written as none', () => {
  for (const [ms, written] of [
    [0, '0.0 s'],
    [0.02, '< 1 ms'],
    [1, '1 ms'],
    [12.4, '12 ms'],
    [94.9, '95 ms'],
    [95, '0.1 s'],
    [1500, '1.5 s'],
    [45_000, '45 s'],
    [600_000, '10 min'],
    [7_200_000, '2.0 h'],
    [864_000_000, '10 days'],
  ] as const)
    assert.equal(writtenDuration(ms), written);
});
