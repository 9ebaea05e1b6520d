import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownPages } from '../../../bench/harness/dashboard-reader.ts';
import { shownLags } from '../../../bench/harness/shown-lag.ts';
import { dashboardRegions } from '../../../src/web/dashboard/dashboard-view.ts';
import { busyLook } from '../web/busy-look.ts';

test('a number is right until there is one page more, and then as old as that page', () => {
  const truth = [1000, 1100, 1200];
  assert.deepEqual(new Set(shownLags([{ at: 1200, pages: 3 }], truth, 5000)), new Set([0]), 'all there is');
  // Two pages are shown from 1150 to 1400; the third came at 1200.
  const lags = shownLags(
    [
      { at: 1150, pages: 2 },
      { at: 1400, pages: 3 },
    ],
    truth,
    1400,
  );
  assert.equal(lags.at(-1), 200, 'the moment before it changes');
  assert.ok(lags.filter((lag) => lag === 0).length >= 2, 'right for 50 ms');
  assert.deepEqual(
    lags,
    lags.toSorted((a, b) => a - b),
  );
  assert.deepEqual(shownLags([], truth, 5000), []);
});

test('the number of pages is read from the tiles of the dashboard as it is', () => {
  const look = busyLook(1_000_000);
  const regions = Object.fromEntries([...dashboardRegions(look, 'all')].map(([id, { markup }]) => [id, markup]));
  assert.equal(shownPages(JSON.stringify(regions)), look.totals.pages);
  const { 'd-tiles': _, ...others } = regions;
  assert.equal(shownPages(JSON.stringify(others)), undefined);
  const one = dashboardRegions({ ...look, totals: { ...look.totals, pages: 1 } }, 'all').get('d-tiles')?.markup;
  assert.equal(shownPages(JSON.stringify({ 'd-tiles': one })), 1);
  assert.throws(() => shownPages(JSON.stringify({ 'd-tiles': '<dl></dl>' })), /no number of pages/);
});
