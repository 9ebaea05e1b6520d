import { OrbweaverError } from '../errors.ts';
import { contradictions } from './contradictions.ts';
import { chosenProfile, profilesOf, type SettingProblem, unknownProfile } from './profiles.ts';
import { SETTING_KEYS, type SettingKey, type Settings, settingOf } from './schema.ts';
import { ENVIRONMENT_PREFIX, environmentName, flagName, nearestName, settingName } from './setting-names.ts';

/** Where a value came from; each beats those after it. */
export type SettingOrigin = 'override' | 'flag' | 'environment' | 'profile' | 'file' | 'default';

export interface SettingSources {
  /** Values a program hands over, in the units of `Settings`. */
  readonly overrides?: { readonly [Key in SettingKey]?: Settings[Key] | undefined };
  /** By name with or without hyphens (`max-pages` or `maxPages`); absent values are `undefined`. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The content of orbweaver.yaml; `profiles` in it are settings by the names of kinds of crawlers. */
  readonly file?: Readonly<Record<string, unknown>>;
}

export interface ResolvedSettings {
  readonly settings: Settings;
  readonly origins: Readonly<Record<SettingKey, SettingOrigin>>;
}

interface Source {
  readonly origin: SettingOrigin;
  readonly values: Readonly<Record<string, unknown>>;
  /** What a setting is called there. */
  readonly nameOf: (key: SettingKey) => string;
  /** How a name that was found there is shown. */
  readonly shown: (name: string) => string;
  /** Further spellings under which the value may stand. */
  readonly alsoKey: boolean;
  /** Its values are checked, and do not count: a profile that was not chosen. */
  readonly idle?: boolean;
}

/**
 * Overrides beat flags, flags the environment, the environment the profile that was chosen, that the rest of the file, the file the
 * defaults. Every value of every
 * source is checked, also one that another source beats: a mistake is told at once, not on the day it starts to count.
 */
export function resolveSettings(sources: SettingSources = {}): ResolvedSettings {
  const values = {} as Record<SettingKey, unknown>;
  const origins = {} as Record<SettingKey, SettingOrigin>;
  for (const key of SETTING_KEYS) {
    values[key] = settingOf(key).fallback;
    origins[key] = 'default';
  }
  const { profiles, file, problems } = profilesOf(sources.file);
  const { overrides, flags, env } = sources;
  const chosen = chosenProfile([
    ...[overrides?.profile, flags?.profile, env?.[environmentName('profile')], file.profile],
  ]);
  // A program hands over settings that are resolved: the name only says whose they are.
  const isName = overrides?.profile !== undefined && sources.file === undefined;
  if (chosen !== '' && !profiles.has(chosen) && !isName) problems.push(unknownProfile(chosen, [...profiles.keys()]));
  for (const source of weakestFirst({ ...sources, file }, profiles, chosen)) {
    const keys = keysBySpelling(source);
    for (const [name, raw] of Object.entries(source.values)) {
      if (raw === undefined) continue;
      const key = keys.get(name);
      if (key === undefined) {
        problems.push(unknownSetting(source, name));
        continue;
      }
      const setting = settingOf(key);
      const reading = setting.kind.read(raw, source.origin === 'override' ? 'internal' : 'documented');
      if ('wrong' in reading) {
        // What is wrong with a secret may quote it: then only what would be right is told.
        const given = setting.secret ? 'a value that is not shown' : shortened(raw);
        const wrong = setting.secret ? `takes ${setting.kind.accepts}` : reading.wrong;
        problems.push({ code: 'SETTING_INVALID', message: `${source.shown(name)} is ${given}, but it ${wrong}.` });
        continue;
      }
      if (source.idle === true) continue;
      values[key] = reading.value;
      origins[key] = source.origin;
    }
  }
  const settings = values as Settings;
  if (problems.length === 0) {
    for (const message of contradictions(settings)) problems.push({ code: 'SETTING_INVALID', message });
  }
  if (problems.length > 0) throw problemsError(problems);
  for (const key of SETTING_KEYS) values[key] = frozenCopy(values[key]);
  return Object.freeze({ settings: Object.freeze(settings), origins: Object.freeze(origins) });
}

function weakestFirst(
  sources: SettingSources,
  profiles: ReadonlyMap<string, Record<string, unknown>>,
  chosen: string,
): Source[] {
  const env = Object.fromEntries(
    Object.entries(sources.env ?? {}).filter(([name]) => name.startsWith(ENVIRONMENT_PREFIX)),
  );
  return [
    {
      origin: 'file',
      values: sources.file ?? {},
      nameOf: settingName,
      shown: (name) => `The setting ${name} in the settings file`,
      alsoKey: false,
    },
    ...Array.from(
      profiles,
      ([profile, values]): Source => ({
        ...{ origin: 'profile', values, nameOf: settingName, alsoKey: false, idle: profile !== chosen },
        shown: (name) => `The setting ${name} of the profile ${profile} in the settings file`,
      }),
    ),
    {
      origin: 'environment',
      values: env,
      nameOf: environmentName,
      shown: (name) => `The environment variable ${name}`,
      alsoKey: false,
    },
    {
      origin: 'flag',
      values: sources.flags ?? {},
      nameOf: settingName,
      shown: (name) => `The flag ${flagSpelling(name)}`,
      alsoKey: true,
    },
    {
      origin: 'override',
      values: sources.overrides ?? {},
      nameOf: (key) => key,
      shown: (name) => `The setting ${name}`,
      alsoKey: false,
    },
  ];
}

function keysBySpelling(source: Source): Map<string, SettingKey> {
  const keys = new Map<string, SettingKey>();
  for (const key of SETTING_KEYS) {
    keys.set(source.nameOf(key), key);
    if (source.alsoKey) keys.set(key, key);
  }
  return keys;
}

function unknownSetting(source: Source, name: string): SettingProblem {
  const flag = source.origin === 'flag';
  const nearest = flag
    ? nearestName(flagSpelling(name), SETTING_KEYS.map(flagName))
    : nearestName(name, SETTING_KEYS.map(source.nameOf));
  return {
    code: 'SETTING_UNKNOWN',
    message: `${source.shown(name)} does not exist. The nearest one is ${nearest}.`,
  };
}

function flagSpelling(name: string): string {
  return name.startsWith('--') ? name : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function problemsError(problems: readonly SettingProblem[]): OrbweaverError {
  const message = problems.map((problem) => problem.message).join('\n');
  return new OrbweaverError(problems[0].code, message, {
    remedy: 'docs/settings.md lists every setting and what it takes.',
  });
}

/** What stands before the host of an address may be a password, and errors end up in logs. */
function shortened(raw: unknown): string {
  const shown = (JSON.stringify(raw) ?? String(raw)).replace(/\/\/[^\s"]*@/g, '//…@');
  return shown.length > 100 ? `${shown.slice(0, 100)}…` : shown;
}

/** The defaults are shared by all resolutions, and a caller's arrays are the caller's: neither may be frozen in place. */
function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, entry] of Object.entries(value)) copy[key] = frozenCopy(entry);
  return Object.freeze(copy);
}
