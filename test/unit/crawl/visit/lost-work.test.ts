import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import { lostWork } from '../../../../src/crawl/visit/page-work.ts';

const claim = { claimedAt: 1000 } as Claim;

test('a visit that was cut off may have taken as long as it was under way', () => {
  assert.deepEqual(lostWork({ claim }, 'stopped', 3500), {
    ...{ kind: 'lost', why: 'stopped', use: { fetchMs: 2500, bytes: 0, endedAt: 3500 } },
  });
});

test('of a visit that was done, but not settled, it is known what the host was asked', () => {
  const use = { fetchMs: 1244, bytes: 10, endedAt: 2300 };
  const work = { kind: 'failed', code: 'reset', detail: '', use } as const;
  assert.deepEqual(lostWork({ claim, work }, 'stopped', 9000), { kind: 'lost', why: 'stopped', use });
});
