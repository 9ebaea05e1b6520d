import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CrawlTask, RefusedBy } from '../../../../src/contracts/crawl-task.ts';
import { LearnedState } from '../../../../src/crawl/learning/learned-state.ts';
import { task } from '../../../conformance/opened-frontier.ts';

test('what the owner before has held back is looked at when its partition comes in, now and at the very end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-learned-'));
  try {
    const clock = new VirtualClock();
    let arrivals = 0;
    let refused: CrawlTask[] = [];
    let looks = 0;
    const learned = new LearnedState({
      ...{ folder, clock, seeds: [], random: () => 0.5 },
      settings: resolveSettings({}).settings,
      filter: { judge: () => ({ admit: true }) } as never,
      sketches: { last: () => 0, any: () => undefined, all: () => [] } as never,
      read: () => undefined,
      journal: () => [],
      write: () => {},
      arrivals: () => arrivals,
      reconsider: async (admits: (task: CrawlTask) => boolean, reasons: readonly RefusedBy[]) => {
        looks++;
        assert.ok(reasons.includes('trap'));
        const welcome = refused.filter((one) => admits(one));
        refused = refused.filter((one) => !welcome.includes(one));
        return welcome.length;
      },
    });
    assert.equal(await learned.maintain(), false);
    assert.equal(looks, 1, 'at the start of a run');
    clock.advance(5000);
    assert.equal(await learned.maintain(), false);
    assert.equal(looks, 1, 'nothing has come in');
    refused = [task('https://a.example/one')];
    arrivals++;
    clock.advance(5000);
    assert.equal(await learned.maintain(), true);
    assert.deepEqual(refused, []);
    refused = [task('https://a.example/two')];
    arrivals++;
    assert.equal(await learned.maintain(), false, 'a look now and then is enough');
    assert.equal(await learned.maintain(true), true, 'but none is left out at the end');
    assert.deepEqual(refused, []);
    assert.equal(await learned.maintain(true), false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
