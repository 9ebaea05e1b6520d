import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CrawlSample, HostTally, MonitorEntry } from '../../../../src/contracts/state/monitor.ts';
import { forgetMonitored } from '../../../../src/engines/maintenance.ts';
import { openMonitor, openMonitorReader } from '../../../../src/engines/open-monitor.ts';
import { NOON, temporaryFolder } from '../../archive/archive-fixture.ts';

const DAY = 86_400_000;

function entry(at: number, more: Partial<MonitorEntry> & { readonly sample?: CrawlSample } = {}): MonitorEntry {
  return {
    sample: {
      ...{ at, run: NOON, pages: at - NOON, requests: 2, bytes: 3, failed: 4, refused: 5, duplicates: 6, queued: 7 },
      ...{ hosts: 8, inFlight: 9, memory: 10, leftMs: 11 },
    },
    ...{ hosts: [], troubles: [], statuses: {}, politeness: { count: 0, early: 0, classes: [] } },
    ...more,
  };
}

const TALLY: HostTally = {
  ...{ host: 'a.example', requests: 3, failures: 1, status: { 2: 1, 3: 0, 4: 1, 5: 1 } },
  gaps: { count: 2, early: 1, tightest: { gapMs: 900, owedMs: 1000 } },
  lastError: { at: NOON, what: 'HTTP 503' },
};

test('what was written is read, also beside the writer and after it has gone', (t) => {
  const folder = temporaryFolder(t);
  assert.equal(openMonitorReader(folder), undefined);
  const trouble = { at: NOON, url: 'http://a.example/1', host: 'a.example', what: 'HTTP 503' };
  {
    using store = openMonitor(folder);
    store.begin({ politeness: { minimumDelayMs: 1, delayFactor: 2, maxAdaptiveDelayMs: 3 }, budgets: { maxPages: 4 } });
    const politeness = { count: 2, early: 1, classes: [1, 1] };
    store.write(entry(NOON, { hosts: [TALLY], troubles: [trouble], statuses: { 200: 5 }, politeness }));
    using beside = openMonitorReader(folder);
    assert.deepEqual(beside?.samples(), store.samples());
  }
  using reader = openMonitorReader(folder);
  assert.deepEqual(reader?.samples()[0], entry(NOON).sample);
  assert.deepEqual(reader?.troubles(9), [trouble]);
  assert.deepEqual(reader?.statuses(), { 200: 5 });
  assert.deepEqual(reader?.host('a.example'), TALLY);
  assert.deepEqual(reader?.tightest(5), [TALLY]);
  assert.equal(reader?.host('b.example'), undefined);
  assert.equal(reader?.rules()?.budgets.maxPages, 4);
  assert.equal(reader?.politeness()?.early, 1);
});

test('samples are thinned with age, the first and the last of a run stay, and the file stays small', (t) => {
  const folder = temporaryFolder(t);
  using store = openMonitor(folder);
  // Twenty minutes by seconds, then three months by hours.
  for (let at = 0; at < 1200; at++) store.write(entry(NOON + at * 1000));
  const soon = store.samples();
  assert.equal(soon[0].at, NOON);
  assert.ok(soon.length < 600 + 60 + 120, String(soon.length));
  for (let hour = 1; hour <= 24 * 90; hour++) store.write(entry(NOON + hour * 3_600_000));
  const late = store.samples();
  assert.equal(late[0].at, NOON);
  assert.equal(late.at(-1)?.at, NOON + 90 * DAY);
  assert.ok(late.length < 1200, String(late.length));
  const old = late.filter(({ at }) => at < NOON + 55 * DAY);
  assert.ok(old.length > 200 && old.length < 260, String(old.length));
  assert.ok(statSync(join(folder, 'monitor.db')).size < 1_000_000);
  assert.deepEqual(
    store.samples(NOON + 89.97 * DAY).map(({ at }) => at),
    [NOON + 90 * DAY],
  );
});

test('troubles are bounded, and pages that are forgotten leave them', (t) => {
  const folder = temporaryFolder(t);
  {
    using store = openMonitor(folder);
    for (let batch = 0; batch < 12; batch++) {
      const troubles = Array.from({ length: 50 }, (_, at) => ({
        ...{ at: NOON, url: `http://a.example/${batch}/${at}`, host: 'a.example', what: 'failed' },
      }));
      store.write(entry(NOON + batch, { troubles, hosts: [TALLY] }));
    }
    assert.equal(store.troubles(9999).length, 500);
  }
  forgetMonitored(folder, (url) => url.startsWith('http://a.example/11/'));
  {
    using reader = openMonitorReader(folder);
    assert.equal(reader?.troubles(9999).length, 450);
    assert.equal(reader?.host('a.example')?.lastError, undefined);
  }
  forgetMonitored(folder, (url) => new URL(url).host === 'a.example');
  using reader = openMonitorReader(folder);
  assert.deepEqual([reader?.troubles(9), reader?.host('a.example')], [[], undefined]);
  forgetMonitored(temporaryFolder(t), () => true);
});

test('a file that is damaged, or of another version, is as good as none; the next run begins a new one', (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'monitor.db');
  writeFileSync(path, 'no database at all'.repeat(1000));
  assert.equal(openMonitorReader(folder), undefined);
  {
    using store = openMonitor(folder);
    store.write(entry(NOON));
    assert.equal(store.samples().length, 1);
  }
  writeFileSync(path, 'garbage '.repeat(1000));
  forgetMonitored(folder, () => true);
  assert.ok(!existsSync(path));
});

test('a clock that was set back leaves no samples of a time that never was', (t) => {
  using store = openMonitor(temporaryFolder(t));
  store.write(entry(NOON + DAY));
  store.write(entry(NOON));
  assert.deepEqual(
    store.samples().map(({ at }) => at),
    [NOON],
  );
});
