import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../../../src/base/seeded-random.ts';
import type { ChangeRecord } from '../../../src/laboratory/replay/change-record.ts';
import { replayChanges } from '../../../src/laboratory/replay/replay-changes.ts';
import { runLaboratory } from '../../../src/laboratory/run-laboratory.ts';
import { callProgram } from '../../called-program.ts';

const DAY = 86_400_000;
const DAYS = 60;

/** A tenth of the pages changes twice a day, the others once in a hundred days, by chance. */
function record(pages: number): ChangeRecord {
  const random = seededRandom(3);
  return {
    ...{ from: 0, to: DAYS * DAY },
    pages: Array.from({ length: pages }, (_, page) => {
      const rate = page % 10 === 0 ? 2 : 0.01;
      const changes: number[] = [];
      for (
        let at = (-Math.log(1 - random()) / rate) * DAY;
        at < DAYS * DAY;
        at += (-Math.log(1 - random()) / rate) * DAY
      )
        changes.push(at);
      return { url: `http://h.test/${page % 7}/${page}`, changes };
    }),
  };
}

describe('rates of an earlier crawl', () => {
  test('with them a policy is better from the first day on, at the same cost', async () => {
    const changes = record(300);
    const source = { kind: 'change history', name: 'made up', changes: () => changes } as const;
    const options = { policies: ['freshness'], budgets: [{ visitsPerPageAndDay: 0.3 }], days: 20, seed: 1 } as const;
    const {
      revisits: [without],
    } = await runLaboratory(source, options);
    const {
      revisits: [with_],
      notes,
    } = await runLaboratory(source, { ...options, priorDays: 40 });
    const {
      revisits: [known],
    } = await runLaboratory(source, { ...options, knownRates: true });
    assert.ok(with_.freshness > without.freshness + 0.003, `${with_.freshness}, without ${without.freshness}`);
    assert.ok(known.freshness > with_.freshness, 'what was learnt is not the truth');
    assert.ok(with_.requests <= with_.requestsPerDay * 20 + 1, 'at the same cost');
    assert.match(notes.join(' '), /begin with what visits in the 40 days before have shown/);
  });

  test('pages that come in together do not fall due together: the budget is used from the first days on', () => {
    const { pages } = record(200);
    for (const policy of ['uniform', 'proportional', 'freshness', 'age'] as const) {
      const request = {
        pages: pages.map((page) => ({ ...page, created: 0 })),
        ...{ policy, visitsPerPageAndDay: 0.05, learn: true, seed: 1 },
      };
      const { histories: priors } = replayChanges({ ...request, from: 0, to: 40 * DAY });
      const { visits } = replayChanges({ ...request, from: 40 * DAY, to: 50 * DAY, priors });
      // Two hundred pages, one visit in twenty days each.
      assert.ok(visits >= 70 && visits <= 101, `${policy}: ${visits}`);
    }
  });

  test('a page goes on with its history, and one that is new to both has none', () => {
    const pages = [
      { url: 'http://h.test/old', created: 0, changes: Array.from({ length: 40 }, (_, day) => (day + 0.5) * DAY) },
      { url: 'http://h.test/new', created: 30 * DAY, changes: [] },
    ];
    const request = { pages, policy: 'uniform', visitsPerPageAndDay: 1, learn: true, seed: 1 } as const;
    const { histories: priors } = replayChanges({ ...request, from: 0, to: 20 * DAY });
    assert.deepEqual([...priors.keys()], ['http://h.test/old']);
    const { histories } = replayChanges({ ...request, from: 20 * DAY, to: 40 * DAY, priors });
    const alone = replayChanges({ ...request, from: 20 * DAY, to: 40 * DAY }).histories;
    const visits = (from: typeof histories, name: string): number => from.get(`http://h.test/${name}`)?.visits ?? 0;
    // The first visits of pages of which nothing is known are spread, which can make a difference of one.
    const more = visits(histories, 'old') - visits(alone, 'old') - visits(priors, 'old');
    assert.ok(Math.abs(more) <= 1, `${more}`);
    assert.equal(visits(histories, 'new'), visits(alone, 'new'));
  });

  test('the command refuses what cannot be had', async () => {
    const run = async (...flags: string[]) =>
      (await callProgram(['simulate', 'run', '--policy', 'uniform', ...flags])).stderr;
    assert.match(await run('--prior-days', '5', '--known-rates'), /USAGE: --prior-days and --known-rates exclude/);
    assert.match(await run('--prior-days', 'many'), /USAGE: --prior-days is "many"/);
    assert.match(await run('--prior-days', '200'), /USAGE: --prior-days 200: the history has 90 days/);
  });
});
