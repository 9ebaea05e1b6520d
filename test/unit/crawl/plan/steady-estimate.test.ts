import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CrawlProgress } from '../../../../src/contracts/events.ts';
import { SteadyEstimate } from '../../../../src/crawl/plan/steady-estimate.ts';

const DAY = 86_400_000;

function at(seconds: number, requests = 1000): CrawlProgress {
  return { elapsedMs: seconds * 1000, requests } as CrawlProgress;
}

describe('the time left', () => {
  test('nothing is shown before enough has been seen', () => {
    const estimate = new SteadyEstimate();
    assert.equal(estimate.of(at(1, 5), 80 * DAY), undefined);
    for (let second = 2; second < 12; second++) assert.equal(estimate.of(at(second), 60_000), undefined);
    assert.equal(estimate.of(at(12), 60_000), 60_000);
  });

  test('an estimate that jumps is not shown until it holds', () => {
    const estimate = new SteadyEstimate();
    for (let second = 1; second < 40; second++)
      assert.equal(estimate.of(at(second), second % 2 === 0 ? 80 * DAY : 600_000), undefined);
    for (let second = 40; second < 49; second++) assert.equal(estimate.of(at(second), 600_000), undefined);
    for (let second = 49; second < 51; second++) estimate.of(at(second), 600_000);
    assert.equal(estimate.of(at(51), 620_000), 600_000);
  });

  test('the last seconds of a crawl are no contradiction', () => {
    const estimate = new SteadyEstimate();
    for (let second = 0; second < 20; second++) estimate.of(at(second), (20 - second) * 1000);
    assert.notEqual(estimate.of(at(20), 500), undefined);
  });
});
