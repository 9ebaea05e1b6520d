import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { resolveSettings } from '../../../src/base/settings/resolve-settings.ts';
import type { Settings } from '../../../src/base/settings/schema.ts';
import { changedSettings, changeNotices, keptSettings } from '../../../src/crawl/changed-settings.ts';

function settingsWith(flags: Record<string, unknown>): Settings {
  return resolveSettings({ flags, env: {}, file: {} } as Parameters<typeof resolveSettings>[0]).settings;
}

const OPEN = { proxy: 'http://proxy.internal.test:3128' };
const GUARDED = { proxy: 'http://joe:hunter2@proxy.internal.test:3128' };

test('what is the same as before is no change, and what is another is, secret or not', () => {
  for (const flags of [{}, OPEN, GUARDED, { robots: false }]) {
    const kept = keptSettings(settingsWith(flags), Math.random);
    assert.deepEqual(changedSettings(kept, settingsWith(flags)), []);
  }
  for (const [before, after] of [
    [OPEN, GUARDED],
    [GUARDED, OPEN],
    [{}, OPEN],
    [OPEN, {}],
    [GUARDED, { proxy: 'http://joe:hunter3@proxy.internal.test:3128' }],
    [OPEN, { proxy: 'http://proxy.internal.test:3129' }],
  ])
    assert.deepEqual(changedSettings(keptSettings(settingsWith(before), Math.random), settingsWith(after)), ['proxy']);
  assert.deepEqual(changedSettings(undefined, settingsWith(OPEN)), []);
});

test('whoever reads the folder learns neither a password nor where a proxy is', () => {
  for (const flags of [OPEN, GUARDED]) {
    const text = JSON.stringify(keptSettings(settingsWith(flags), Math.random));
    assert.doesNotMatch(text, /hunter2|internal/);
    assert.notEqual(text, JSON.stringify(keptSettings(settingsWith(flags), Math.random)), 'salted');
  }
  assert.match(keptSettings(settingsWith(GUARDED), Math.random).proxy, /^secret /, 'slow to guess');
});

test('what earlier versions have kept of a proxy is understood', () => {
  const { proxy } = OPEN;
  const kept = { proxy: `secret salt ${scryptSync(proxy, 'salt', 16).toString('base64')}` };
  assert.deepEqual(changedSettings(kept, settingsWith(OPEN)), []);
  assert.deepEqual(changedSettings(kept, settingsWith({ proxy: 'http://other.test:1' })), ['proxy']);
  assert.deepEqual(changedSettings({ proxy: 'set' }, settingsWith(OPEN)), []);
});

test('who resumes a crawl without an option that it began with is told, before what waits is refused', () => {
  const changed = changedSettings(keptSettings(settingsWith({ allowPrivate: true }), Math.random), settingsWith({}));
  assert.match(changeNotices(changed, 0).join('\n'), /^allow-private has changed since the last run: .*resumes it/);
  assert.match(
    changeNotices(changed, 3).join('\n'),
    /^3 refused or failed URLs are tried again: allow-private has changed\.$/,
  );
  assert.deepEqual(changeNotices(['text'], 0).length, 1);
  assert.deepEqual(changeNotices([], 0), []);
});
