import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ChangeRecord, DAY_MS } from '../../../src/laboratory/replay/change-record.ts';
import { revisitJobs, visitsOf } from '../../../src/laboratory/revisit-jobs.ts';
import { RevisitWorkers, runRevisitJobs } from '../../../src/laboratory/revisit-workers.ts';

const RECORD: ChangeRecord = {
  from: 0,
  to: 20 * DAY_MS,
  pages: Array.from({ length: 12 }, (_, page) => ({
    url: `http://a.test/${page}`,
    changes: Array.from({ length: page }, (_, change) => ((change + 0.5) * 20 * DAY_MS) / page),
  })),
};
const COMPARISON = { policies: ['uniform', 'freshness'], seed: 7 } as const;
const BUDGETS = [{ visitsPerPageAndDay: 0.2 }, { requestsPerDay: 12 }];

describe('replays on threads', () => {
  test('the same measures in the same order as on one, with all that is told on the way', async () => {
    const told: string[] = [];
    const onDone = (what: string): void => {
      told.push(what);
    };
    const jobs = revisitJobs(BUDGETS, 0.6, COMPARISON);
    const alone = await runRevisitJobs(RECORD, jobs, { ...COMPARISON, onDone }, 1);
    const toldAlone = told.splice(0);
    const results = await new RevisitWorkers(RECORD, jobs, { ...COMPARISON, onDone }).run(2);
    assert.deepEqual(
      results.flatMap(({ revisits }) => revisits),
      alone.revisits,
    );
    assert.deepEqual(
      results.flatMap(({ goals }) => goals),
      alone.goals,
    );
    assert.deepEqual(told.toSorted(), toldAlone.toSorted());
    assert.deepEqual(
      alone.revisits.map(({ policy, requestsPerDay }) => [policy, Number(requestsPerDay.toFixed(6))]),
      [
        ['uniform', 2.4],
        ['freshness', 2.4],
        ['uniform', 12],
        ['freshness', 12],
      ],
    );
  });

  test('a fault in a thread ends all of them, and is told', async () => {
    const jobs = revisitJobs(BUDGETS, undefined, COMPARISON);
    const broken = { ...RECORD, pages: [...RECORD.pages, undefined as unknown as ChangeRecord['pages'][number]] };
    await assert.rejects(new RevisitWorkers(broken, jobs, COMPARISON).run(2), TypeError);
  });

  test('how much there is to replay', () => {
    assert.equal(visitsOf(RECORD, revisitJobs(BUDGETS, undefined, COMPARISON)), 2 * 20 * (2.4 + 12));
    assert.ok(visitsOf(RECORD, revisitJobs([], 0.9, COMPARISON)) > 100);
  });
});
