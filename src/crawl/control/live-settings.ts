import { OrbweaverError } from '../../base/errors.ts';
import { SETTING_KEYS, type SettingKey, type Settings, settingOf } from '../../base/settings/schema.ts';
import { nearestName, settingName } from '../../base/settings/setting-names.ts';

/** Settings that a crawl takes up while it runs: all others are read when its parts are made. */
export const CHANGEABLE_SETTINGS = [
  ...(['concurrency', 'delay', 'delayFactor', 'maxAdaptiveDelay'] as const),
  ...(['maxPages', 'maxBytes', 'maxDuration', 'maxWait', 'include', 'exclude'] as const),
] as const satisfies readonly SettingKey[];

export type ChangeableSetting = (typeof CHANGEABLE_SETTINGS)[number];

const KEY_OF: ReadonlyMap<string, SettingKey> = new Map(SETTING_KEYS.map((key) => [settingName(key), key]));

/** The key of a setting that can change, by its name; throws for any other, with the way that it can be changed. */
export function changeableKey(name: string): ChangeableSetting {
  const key = KEY_OF.get(name);
  const names = CHANGEABLE_SETTINGS.map(settingName);
  if (key === undefined)
    throw new OrbweaverError('SETTING_UNKNOWN', `The setting ${name} does not exist.`, {
      remedy: `The nearest that can change while a crawl runs is ${nearestName(name, names)}. All of them: ${names.join(', ')}.`,
    });
  const changeable = CHANGEABLE_SETTINGS.find((one) => one === key);
  if (changeable !== undefined) return changeable;
  throw new OrbweaverError('SETTING_INVALID', `${name} cannot change while a crawl runs.`, {
    remedy: `Stop the crawl and start it again with --${name}. What can change: ${names.join(', ')}.`,
  });
}

/** A value in the one form in which it is kept; throws where the setting does not take it. */
export function checkedValue(name: string, text: string): string {
  const { kind } = settingOf(changeableKey(name));
  const reading = kind.read(text, 'documented');
  if ('wrong' in reading) throw new OrbweaverError('SETTING_INVALID', `${name} ${reading.wrong}.`);
  return kind.write(reading.value);
}

/** The settings of a crawl, some of which change while it runs. */
export class LiveSettings {
  /** As the run was started. */
  readonly #started: Settings;
  #current: Settings;

  constructor(started: Settings, changes: Readonly<Record<string, string>> = {}) {
    this.#started = started;
    this.#current = started;
    this.change(changes);
  }

  get current(): Settings {
    return this.#current;
  }

  /** These changes and no others count from now on. Answers what is another than before. */
  change(changes: Readonly<Record<string, string>>): ChangeableSetting[] {
    const before = this.#current;
    const values = Object.fromEntries(
      CHANGEABLE_SETTINGS.map((key) => [key, changedValue(key, changes[settingName(key)]) ?? this.#started[key]]),
    ) as Pick<Settings, ChangeableSetting>;
    this.#current = { ...this.#started, ...values };
    return CHANGEABLE_SETTINGS.filter((key) => written(key, before) !== written(key, this.#current));
  }

  /** What is another than the run was started with, for people. */
  get differences(): readonly string[] {
    return CHANGEABLE_SETTINGS.filter((key) => written(key, this.#started) !== written(key, this.#current)).map(
      (key) => `${settingName(key)} is ${written(key, this.#current) || 'empty'}`,
    );
  }
}

function written(key: ChangeableSetting, settings: Settings): string {
  return settingOf(key).kind.write(settings[key]);
}

/** A value that another version has written and this one does not take counts for nothing. */
function changedValue(key: ChangeableSetting, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const reading = settingOf(key).kind.read(text, 'documented');
  return 'wrong' in reading ? undefined : reading.value;
}
