import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveSettings } from '../../../src/base/settings/resolve-settings.ts';
import type { Settings } from '../../../src/base/settings/schema.ts';
import { recordedSettings } from '../../../src/crawl/nodes/crawl-record.ts';
import { refuseOtherSketches } from '../../../src/crawl/refuse-other-sketches.ts';
import { Sketcher } from '../../../src/dedupe/near/sketcher.ts';

const settingsOf = (overrides: Partial<Settings>): Settings => resolveSettings({ overrides }).settings;
const text = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
const folder = 'f';

describe('refuseOtherSketches', () => {
  test('nothing stored and nothing recorded: any method', () => {
    refuseOtherSketches({ folder, settings: settingsOf({ nearSketch: 100 }), stored: undefined, record: undefined });
  });

  test('a folder of an earlier version holds sketches of the default', () => {
    const stored = new Sketcher().of(text);
    refuseOtherSketches({ folder, settings: settingsOf({}), stored, record: undefined });
    const settings = settingsOf({ nearSketch: 200 });
    assert.throws(() => refuseOtherSketches({ folder, settings, stored, record: undefined }), {
      code: 'SETTING_INVALID',
      message: 'The crawl in f compares texts by other sketches: near-sketch was bins, is 200.',
    });
    for (const off of [{ nearDuplicates: false }, { text: false }])
      refuseOtherSketches({ folder, settings: settingsOf({ nearSketch: 200, ...off }), stored, record: undefined });
  });

  test('of a crawl of several nodes the record tells, before there is a partition', () => {
    const refuse = (before: Partial<Settings>, now: Partial<Settings>): void =>
      refuseOtherSketches({
        ...{ folder, stored: undefined },
        settings: settingsOf(now),
        record: recordedSettings(settingsOf(before)),
      });
    refuse({}, {});
    refuse({ nearSketch: 200, nearShingle: 4 }, { nearSketch: 200, nearShingle: 4 });
    refuse({ nearDuplicates: false }, { nearSketch: 200 });
    assert.throws(() => refuse({}, { nearShingle: 4 }), /near-shingle was 5, is 4/);
    assert.throws(() => refuse({ nearSketch: 200 }, { nearSketch: 'bins' }), /near-sketch was 200, is bins/);
  });
});
