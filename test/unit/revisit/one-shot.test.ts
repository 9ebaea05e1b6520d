import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../../src/contracts/crawl-task.ts';
import { oneShot } from '../../../src/revisit/one-shot.ts';

test('a one-shot crawl never comes back', () => {
  const endings: Outcome[] = [
    { kind: 'stored' },
    { kind: 'unchanged' },
    { kind: 'gone', status: 410 },
    { kind: 'failed', code: 'deadline' },
  ];
  for (const outcome of endings) assert.equal(oneShot.nextVisit(outcome, 1_000, 0), undefined);
});
