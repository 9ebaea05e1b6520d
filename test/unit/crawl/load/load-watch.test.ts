import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import type { CrawlEvents } from '../../../../src/contracts/events.ts';
import { LoadWatch } from '../../../../src/crawl/load/load-watch.ts';
import { EventHub } from '../../../../src/crawl/report/event-hub.ts';

/** Nothing else runs in this thread meanwhile. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('a thread that is kept busy lowers what is asked for at once; without the setting nothing is watched', async () => {
  const events = new EventHub<CrawlEvents>();
  using watch = new LoadWatch({ events, concurrency: () => 100, isOn: true });
  using off = new LoadWatch({ events, concurrency: () => 100, isOn: false });
  assert.equal(watch.allowed, 100);
  // However slow the machine is: each round holds the thread for longer than what counts as late.
  for (let round = 0; watch.allowed === 100 && round < 20; round++) {
    block(700);
    await turn(1);
  }
  assert.ok(watch.allowed < 100);
  const { why, lagMs = 0, most } = watch.load ?? {};
  assert.deepEqual([why, most], ['late', 100]);
  assert.ok(lagMs > 500, `${lagMs}`);
  assert.deepEqual([off.allowed, off.load], [100, undefined]);
});
