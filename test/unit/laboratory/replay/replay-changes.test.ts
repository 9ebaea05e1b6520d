import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  type PageChangeRecord,
  type ReplayRequest,
  replayChanges,
} from '../../../../src/laboratory/replay/replay-changes.ts';
import { freshnessOf } from '../../../../src/revisit/freshness-and-age.ts';
import { partOf, readSite } from '../../../../tools/score-revisits.ts';
import { corpus } from '../../../corpora.ts';

const DAY = 86_400_000;
const folder = corpus('page-changes');
const noCorpus = folder === undefined ? 'the data set page-changes is not beside the checkout' : false;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Pages that change at random, at rates that spread over two orders of magnitude. */
function randomPages(count: number, days: number, seed = 7): PageChangeRecord[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, page) => {
    const rate = 0.002 * 100 ** random();
    const changes: number[] = [];
    const pause = (): number => -Math.log(random()) / rate;
    for (let at = pause(); at < days; at += pause()) changes.push(at * DAY);
    return { url: `http://site.test/${page}`, created: 0, changes };
  });
}

function replayed(pages: readonly PageChangeRecord[], more: Partial<ReplayRequest> = {}) {
  return replayChanges({
    ...{ pages, from: 0, to: 400 * DAY, policy: 'freshness', visitsPerPageAndDay: 0.05, learn: true, seed: 1 },
    ...more,
  });
}

describe('replay of changes', () => {
  it('measures freshness and age exactly', () => {
    // Visited once a day and changed in the middle of a day, by a feed's word at once or not at all.
    const page = { url: 'http://site.test/', created: 0, changes: [2.5 * DAY] };
    const { freshness, ageDays, visits, useful, byDay } = replayed([page], {
      ...{ policy: 'uniform', visitsPerPageAndDay: 1, to: 10 * DAY },
    });
    const stale = (1 - freshness) * 10;
    assert.ok(stale > 0 && stale <= 1);
    assert.ok(Math.abs(ageDays * 10 - (stale * stale) / 2) < 1e-6);
    assert.ok(visits === 9 || visits === 10);
    assert.equal(useful, 1);
    assert.equal(byDay.length, 10);
    assert.ok(Math.abs(byDay.reduce((sum, day) => sum + (1 - day.freshness), 0) - stale) < 1e-9);
  });

  it('never exceeds the budget', () => {
    const pages = randomPages(150, 400);
    for (const policy of ['uniform', 'proportional', 'freshness', 'age'] as const) {
      const { busiestDay, visits, byDay } = replayed(pages, { policy });
      assert.ok(visits <= 0.05 * 150 * 400 + 1, policy);
      assert.ok(busiestDay.visits <= Math.ceil(0.05 * 150) + 1, `${policy} ${busiestDay.visits}`);
      assert.equal(
        byDay.reduce((sum, day) => sum + day.visits, 0),
        visits,
      );
      assert.ok(visits > 0.9 * 0.05 * 150 * 400, `${policy} leaves its budget unused: ${visits}`);
    }
  });

  it('finds by even visits what the formula says', () => {
    const pages = randomPages(400, 400);
    const { freshness } = replayed(pages, { policy: 'uniform' });
    const random = seeded(7);
    let expected = 0;
    for (const { changes } of pages) {
      expected += freshnessOf(0.002 * 100 ** random(), 0.05) / pages.length;
      for (let draw = 0; draw <= changes.length; draw++) random();
    }
    assert.ok(Math.abs(freshness - expected) < 0.015, `${freshness} ${expected}`);
  });

  it('is fresher than uniform with learnt rates, and fresher still with known ones', () => {
    const pages = randomPages(400, 400);
    const uniform = replayed(pages, { policy: 'uniform' }).freshness;
    const learnt = replayed(pages).freshness;
    const known = replayed(pages, { learn: false }).freshness;
    assert.ok(learnt > uniform + 0.01, `${learnt} ${uniform}`);
    assert.ok(known > learnt, `${known} ${learnt}`);
  });

  it('is no worse than uniform where a page is hardly ever seen twice', () => {
    const pages = randomPages(600, 400);
    for (const visitsPerPageAndDay of [0.003, 0.01])
      for (const policy of ['freshness', 'age'] as const) {
        const uniform = replayed(pages, { policy: 'uniform', visitsPerPageAndDay }).freshness;
        const learnt = replayed(pages, { policy, visitsPerPageAndDay }).freshness;
        assert.ok(learnt > uniform - 0.002, `${policy} ${visitsPerPageAndDay}: ${learnt} ${uniform}`);
      }
  });

  it('is no worse than uniform on real pages that it has known for a year', { skip: noCorpus }, () => {
    const site = readSite(readFileSync(join(folder ?? '', 'kubernetes.io.jsonl.gz')));
    const { pages, from, to } = partOf(site, 1, 365, 0);
    const measured = (policy: ReplayRequest['policy']): number =>
      replayed(pages, { from, to, policy, visitsPerPageAndDay: 0.01 }).freshness;
    const uniform = measured('uniform');
    assert.ok(measured('freshness') > uniform);
    assert.ok(measured('age') > uniform);
  });

  it('gains by what pages beside a changed one have in common with it, and loses nothing where that is nothing', () => {
    const random = seeded(11);
    const together = Array.from({ length: 60 }, (_, folder) => {
      const changes = randomPages(1, 400, 1 + Math.floor(random() * 1e6))[0].changes;
      return Array.from({ length: 5 }, (_, page) => ({
        ...{ url: `http://site.test/${folder}/${page}`, created: 0, changes },
      }));
    }).flat();
    const alone = randomPages(300, 400).map((page, at) => ({ ...page, url: `http://site.test/${at % 60}/${at}` }));
    const gain = (pages: readonly PageChangeRecord[]): number =>
      replayed(pages).freshness - replayed(pages, { neighbours: false }).freshness;
    assert.ok(gain(together) > 0.02, `${gain(together)}`);
    assert.ok(gain(alone) > -0.004, `${gain(alone)}`);
  });

  it('is younger than uniform by the policy of age', () => {
    const pages = randomPages(400, 400);
    assert.ok(replayed(pages, { policy: 'age' }).ageDays < replayed(pages, { policy: 'uniform' }).ageDays);
  });

  it('gains by signals that are true', () => {
    const pages = randomPages(200, 400);
    const signals = { delayMs: DAY / 24, share: 0.8, trust: 0.95 };
    assert.ok(replayed(pages, { signals }).freshness > replayed(pages).freshness + 0.01);
  });

  it('can take the past of each page for known, and nothing of its future', () => {
    // Half of the pages change in the first half of the time alone, the others in the second alone.
    const pages = Array.from({ length: 100 }, (_, page) => {
      const from = page % 2 === 0 ? 0 : 200;
      const changes = Array.from({ length: 20 }, (_, change) => (from + 10 * change + 5 + page / 50) * DAY);
      return { url: `http://site.test/${page}`, created: 0, changes };
    });
    const to = 200 * DAY;
    const known = replayed(pages, { to, learn: false });
    const past = replayed(pages, { to, learn: false, known: 'past' });
    // By the mean of all their changes they are alike; by what has happened so far they are not.
    assert.ok(past.freshness > known.freshness + 0.03, `${past.freshness} ${known.freshness}`);
    // What is to come makes no difference.
    const still = pages.map((page) => ({ ...page, changes: page.changes.filter((change) => change > to) }));
    assert.equal(replayed(still, { to, learn: false, known: 'past' }).freshness, 1);
  });

  it('takes pages in when they come to be, and says the same twice', () => {
    const late = { url: 'http://site.test/late', created: 300 * DAY, changes: [100 * DAY, 350 * DAY] };
    const pages = [...randomPages(50, 400), late];
    const { byDay, ...first } = replayed(pages);
    assert.equal(Math.round(byDay[299].pages), 50);
    assert.equal(Math.round(byDay[301].pages), 51);
    const { byDay: _, ...second } = replayed(pages);
    assert.deepEqual(first, second);
  });

  it('counts pages by their weights', () => {
    const still = { url: 'http://site.test/still', created: 0, changes: [], weight: 3 };
    const busy = {
      url: 'http://site.test/busy',
      created: 0,
      changes: Array.from({ length: 399 }, (_, day) => day * DAY + 1),
      weight: 1,
    };
    const even = replayed([still, { ...busy, weight: 3 }], { policy: 'uniform' });
    const uneven = replayed([still, busy], { policy: 'uniform' });
    assert.ok(uneven.freshness > even.freshness + 0.2);
  });
});
