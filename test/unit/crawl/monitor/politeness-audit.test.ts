import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostGaps } from '../../../../src/contracts/state/monitor.ts';
import { PolitenessAudit } from '../../../../src/crawl/monitor/politeness-audit.ts';

const NONE: HostGaps = { count: 0, early: 0 };
/** From `from` to `to`, as the fetcher tells it. */
const request = (from: number, to: number, dueAt: number) => ({
  host: 'a.example',
  use: { fetchMs: to - from, bytes: 1, endedAt: to + 1 },
  dueAt,
});

test('a pause is measured from the end of a request to the start of the next, beside what was owed', () => {
  const audit = new PolitenessAudit(100, () => 1);
  let gaps = audit.note(request(0, 50, 0), NONE);
  assert.deepEqual(gaps, NONE, 'the first request of a host follows none');
  gaps = audit.note(request(1050, 1100, 1050), gaps);
  assert.deepEqual(gaps, { count: 1, early: 0, tightest: { gapMs: 1000, owedMs: 1000 } });
  gaps = audit.note(request(5100, 5110, 2100), gaps);
  assert.deepEqual(gaps.tightest, { gapMs: 1000, owedMs: 1000 }, 'a longer one does not count for it');
  assert.deepEqual(audit.record, { count: 2, early: 0, classes: [0, 1, 0, 0, 1, 0, 0] });
});

test('a request that came too soon is told: before its time, or sooner than the settings allow', () => {
  const audit = new PolitenessAudit(500, () => 1);
  audit.note(request(0, 10, 0), NONE);
  const early = audit.note(request(1000, 1010, 2000), NONE);
  assert.deepEqual(early, { count: 1, early: 1, tightest: { gapMs: 990, owedMs: 1990 } });
  // The frontier itself was wrong.
  const reckoned = audit.note(request(1110, 1120, 1020), early);
  assert.deepEqual([reckoned.early, reckoned.tightest], [2, { gapMs: 990, owedMs: 1990 }]);
  assert.equal(audit.record.classes[0], 2);
});

test('with several requests at once the starts are compared; what was noted before goes on', () => {
  const audit = new PolitenessAudit(100, () => 3, { count: 7, early: 1, classes: [1, 6] });
  audit.note(request(0, 900, 0), NONE);
  const gaps = audit.note(request(100, 300, 100), NONE);
  assert.deepEqual(gaps, { count: 1, early: 0, tightest: { gapMs: 100, owedMs: 100 } });
  assert.deepEqual(audit.note(request(50, 1200, 0), gaps), gaps, 'one that began earlier ends later');
  assert.deepEqual(audit.record, { count: 8, early: 1, classes: [1, 7, 0, 0, 0, 0, 0] });
});
