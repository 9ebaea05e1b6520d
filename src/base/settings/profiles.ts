import type { ErrorCode } from '../errors.ts';

/** What is wrong with what was given. */
export interface SettingProblem {
  readonly code: Extract<ErrorCode, 'SETTING_UNKNOWN' | 'SETTING_INVALID'>;
  readonly message: string;
}

interface FoundProfiles {
  /** The settings of each, by its name. */
  readonly profiles: ReadonlyMap<string, Record<string, unknown>>;
  /** The rest of the file. */
  readonly file: Readonly<Record<string, unknown>>;
  readonly problems: SettingProblem[];
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/i;

/** The kinds of crawlers that a settings file names, apart from its other settings. */
export function profilesOf(file: Readonly<Record<string, unknown>> = {}): FoundProfiles {
  const { profiles: given, ...rest } = file;
  const profiles = new Map<string, Record<string, unknown>>();
  const problems: SettingProblem[] = [];
  const wrong = (message: string): void => {
    problems.push({ code: 'SETTING_INVALID', message });
  };
  if (given !== undefined && given !== null) {
    if (!isMap(given)) wrong('The setting profiles in the settings file takes names, each with settings below it.');
    else
      for (const [name, values] of Object.entries(given)) {
        if (!NAME.test(name)) wrong(`The profile ${JSON.stringify(name)} needs a name of letters, digits, - and _.`);
        else if (values !== null && !isMap(values)) wrong(`The profile ${name} takes settings, such as "delay: 2s".`);
        else if (isMap(values) && ('profile' in values || 'profiles' in values))
          wrong(`The profile ${name} names a profile itself: each has its own settings alone.`);
        else profiles.set(name, isMap(values) ? values : {});
      }
  }
  return { profiles, file: rest, problems };
}

/** The name that the strongest source gives; '' where none does. `given`: what each says, the strongest first. */
export function chosenProfile(given: readonly unknown[]): string {
  const first = given.find((name) => name !== undefined);
  // Whatever else it is, the schema tells.
  return typeof first === 'string' ? first.trim() : '';
}

export function unknownProfile(name: string, known: readonly string[]): SettingProblem {
  const there =
    known.length === 0
      ? 'the settings file has no profiles'
      : `the profiles of the settings file are ${known.join(', ')}`;
  return { code: 'SETTING_INVALID', message: `There is no profile ${JSON.stringify(name.slice(0, 100))}: ${there}.` };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
