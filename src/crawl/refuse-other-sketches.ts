import { OrbweaverError } from '../base/errors.ts';
import { type SettingKey, type Settings, settingOf } from '../base/settings/schema.ts';
import { settingName } from '../base/settings/setting-names.ts';
import type { ContentSketch, SketchMethod } from '../contracts/content/content-sketch.ts';
import { methodOf } from '../dedupe/near/sketch-method.ts';
import { sketchMethodOf } from './settings-to-parts.ts';

export interface SketchesToCompare {
  readonly folder: string;
  readonly settings: Settings;
  /** One of those that the crawl has stored. */
  readonly stored: ContentSketch | undefined;
  /** Of a crawl of several nodes: its settings by name, without those that have their default. */
  readonly record: Readonly<Record<string, string>> | undefined;
}

/** Sketches of two methods cannot be compared: pages would be taken for new that are near to others. */
export function refuseOtherSketches({ folder, settings, stored, record }: SketchesToCompare): void {
  if (!settings.text || !settings.nearDuplicates) return;
  const before = stored === undefined ? recordedMethod(record) : methodOf(stored.sketch);
  if (before === undefined) return;
  const now = sketchMethodOf(settings);
  const changed = [
    ...(before.permutations === now.permutations ? [] : [`near-sketch was ${nameOf(before)}, is ${nameOf(now)}`]),
    ...(before.shingle === now.shingle ? [] : [`near-shingle was ${before.shingle}, is ${now.shingle}`]),
  ];
  if (changed.length === 0) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    `The crawl in ${folder} compares texts by other sketches: ${changed.join('; ')}.`,
    {
      remedy:
        'Use the settings it began with, or start a new crawl in another folder; --no-near-duplicates goes on without comparing texts.',
    },
  );
}

function nameOf({ permutations }: SketchMethod): string {
  return permutations === undefined ? 'bins' : String(permutations);
}

/** Nodes write by the record; what they wrote is in partitions that this one may not have yet. */
function recordedMethod(record: SketchesToCompare['record']): SketchMethod | undefined {
  if (record === undefined || recorded(record, 'nearDuplicates') === false || recorded(record, 'text') === false)
    return undefined;
  const permutations = recorded(record, 'nearSketch');
  const shingle = recorded(record, 'nearShingle');
  return { shingle, ...(permutations === 'bins' ? {} : { permutations }) };
}

function recorded<Key extends SettingKey>(record: Readonly<Record<string, string>>, key: Key): Settings[Key] {
  const { kind, fallback } = settingOf(key);
  const text = record[settingName(key)];
  const reading = text === undefined ? { value: fallback } : kind.read(text, 'documented');
  return ('wrong' in reading ? fallback : reading.value) as Settings[Key];
}
