import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { RevisitPolicyName } from '../../../src/contracts/revisit.ts';
import { openSource } from '../../../src/laboratory/laboratory-source.ts';
import { REVISIT_POLICIES } from '../../../src/laboratory/named-methods.ts';
import type { LaboratoryReport, RevisitMeasures } from '../../../src/laboratory/report/laboratory-report.ts';
import { runLaboratory } from '../../../src/laboratory/run-laboratory.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

/** Small cases whose measures can be worked out on paper. */
const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());
const START = Date.parse('2026-01-01');
const day = (number: number): number => START + number * 86_400_000;

interface PagePlan {
  readonly created?: number;
  readonly changes: readonly number[];
}

/** Days of creation and changes, replayed over ten days. */
async function replayed(
  pages: readonly PagePlan[],
  budget: number,
  policy: RevisitPolicyName,
  options: { readonly days?: number; readonly knownRates?: boolean } = {},
): Promise<RevisitMeasures> {
  const file = join(folder.path, 'history.jsonl');
  const lines = pages.map(({ created = 0, changes }, at) =>
    JSON.stringify({ url: `http://a.test/${at}`, created: day(created), changes: changes.map(day) }),
  );
  writeFileSync(file, [JSON.stringify({ start: day(0), end: day(10) }), ...lines].join('\n'));
  const source = await openSource({ changes: [file] }, undefined, surroundings);
  const report: LaboratoryReport = await runLaboratory(source, {
    ...{ policies: [policy], budgets: [{ visitsPerPageAndDay: budget }], seed: 1 },
    ...options,
  });
  assert.equal(report.revisits.length, 1);
  return report.revisits[0];
}
const surroundings = { clock: systemClock, standardInput: Readable.from([]), seed: 1 };

function near(found: number, expected: number, within = 1e-9): void {
  assert.ok(Math.abs(found - expected) <= within, `${found}, not ${expected}`);
}

describe('virtual time, worked out by hand', () => {
  test('a page that changes once and is never visited: right for 4 of 10 days, then 0 to 6 days old', async () => {
    const { freshness, ageDays, requests } = await replayed([{ changes: [4] }], 1e-9, 'uniform');
    near(freshness, 0.4);
    near(ageDays, 6 ** 2 / 2 / 10);
    assert.equal(requests, 0);
  });

  test('further changes make a copy that is wrong no more wrong', async () => {
    const { freshness, ageDays } = await replayed([{ changes: [4, 5, 5, 9.5] }], 1e-9, 'uniform');
    near(freshness, 0.4);
    near(ageDays, 1.8);
  });

  test('two pages: the mean of them', async () => {
    const { freshness, ageDays } = await replayed([{ changes: [4] }, { changes: [] }], 1e-9, 'uniform');
    near(freshness, (0.4 + 1) / 2);
    near(ageDays, (1.8 + 0) / 2);
  });

  test('a page counts from the day it was created', async () => {
    const { freshness, ageDays } = await replayed([{ created: 5, changes: [6] }, { changes: [] }], 1e-9, 'uniform');
    near(freshness, 1 - 4 / (5 + 10));
    near(ageDays, 4 ** 2 / 2 / (5 + 10));
  });

  test('the last days only: what changed before them was seen', async () => {
    const { freshness, ageDays } = await replayed([{ changes: [1, 7] }], 1e-9, 'uniform', { days: 5 });
    near(freshness, 1 - 3 / 5);
    near(ageDays, 3 ** 2 / 2 / 5);
  });

  for (const policy of REVISIT_POLICIES) {
    test(`${policy}: one change, daily visits: wrong until the next visit, and half as old on average`, async () => {
      for (const knownRates of [false, true]) {
        const { freshness, ageDays, requests, course } = await replayed([{ changes: [4.5] }], 1, policy, {
          knownRates,
        });
        const wrong = (1 - freshness) * 10;
        assert.ok(requests >= 1 && requests <= 10, `${requests} requests`);
        assert.ok(wrong >= 0 && wrong <= 5.5);
        // It rises from 0 to the length of that time, whenever the visit came.
        near(ageDays, wrong ** 2 / 2 / 10);
        near(
          course.reduce((sum, point) => sum + (1 - point.freshness), 0),
          wrong,
        );
        assert.equal(course.length, 10);
      }
    });

    test(`${policy}: with visits all the time a copy is never wrong for long`, async () => {
      const { freshness, ageDays, requests } = await replayed([{ changes: [1.5, 4.5, 8.25] }], 90, policy);
      assert.ok(requests <= 900, `${requests} requests`);
      if (policy !== 'uniform') return;
      assert.ok((1 - freshness) * 10 <= (3 * 1.01) / 90, `${freshness}`);
      assert.ok(ageDays * 10 <= (3 * 1.01 ** 2) / 2 / 90 ** 2);
    });
  }

  test('uniform visits come at the same distance: 5 a day, each page once a day', async () => {
    const pages = Array.from({ length: 5 }, (_, page) => ({ changes: [2 + page] }));
    const { freshness, requests, requestsPerDay, course } = await replayed(pages, 1, 'uniform');
    assert.equal(requestsPerDay, 5);
    assert.ok(requests >= 45 && requests <= 50, `${requests} requests`);
    for (const { requests: inOneDay } of course.slice(1)) assert.ok(inOneDay >= 4 && inOneDay <= 5);
    // Each copy is wrong for less than a day.
    assert.ok(freshness >= 1 - 5 / 50 && freshness < 1);
  });
});

describe('orders, worked out by hand', () => {
  const over = async (edges: string, ...orders: string[]): Promise<LaboratoryReport> => {
    const file = join(folder.path, 'edges.tsv');
    writeFileSync(file, edges);
    return runLaboratory(await openSource({ graph: file }, undefined, surroundings), { orders, seed: 1 });
  };

  test('in a ring all pages have the same PageRank: it grows with the pages', async () => {
    const { orders } = await over('0 1\n1 2\n2 3\n3 0\n', 'breadth-first', 'depth-first', 'pagerank');
    for (const { course } of orders) {
      assert.deepEqual(
        course.map(({ pages }) => pages),
        [1, 2, 3, 4],
      );
      for (const { pages, share, pageRank } of course) {
        assert.equal(share, pages / 4);
        near(pageRank, pages / 4, 1e-6);
      }
    }
  });

  test('two pages that link to each other, one of which has a reader: (1 + d) / (3 (1 - d²)) and the rest', async () => {
    // Page 2 has no links to it: 0.15 / 3. Page 0 has those of 1 and 2, page 1 that of 0.
    const d = 0.85;
    const least = (1 - d) / 3;
    const zero = (least + d * least + d * least) / (1 - d * d);
    const { orders } = await over('0 1\n1 0\n2 0\n', 'breadth-first');
    assert.deepEqual(
      orders[0].course.map(({ pages }) => pages),
      [1, 2],
    );
    near(orders[0].course[0].pageRank, zero, 1e-6);
    near(orders[0].course[1].pageRank, 1 - least, 1e-6);
  });
});
