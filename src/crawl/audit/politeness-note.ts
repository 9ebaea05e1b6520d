import { robotsAgentOf } from '../../base/robots-names.ts';
import type { Settings } from '../../base/settings/schema.ts';

/** What a crawl owes hosts, as its archive files say it in their first record. */
export interface PolitenessNote {
  readonly delay: number;
  readonly delayFactor: number;
  readonly maxAdaptiveDelay: number;
  readonly hostConcurrency: number;
  readonly hostConcurrencyOf: Readonly<Record<string, number>>;
  /** Whose rest counts: host, host+ip, host+domain, host+ip+domain. */
  readonly politeness: string;
  readonly robotsMaxAge: number;
  /** The names that robots.txt is read for; absent in files of earlier versions. */
  readonly robotsNames?: string;
}

const FIELD = 'politeness';

type NotedSettings = Pick<Settings, Exclude<keyof PolitenessNote, 'robotsNames'>>;

export function politenessNote(settings: NotedSettings): PolitenessNote {
  const { delay, delayFactor, maxAdaptiveDelay, hostConcurrency, hostConcurrencyOf, politeness, robotsMaxAge } =
    settings;
  return { delay, delayFactor, maxAdaptiveDelay, hostConcurrency, hostConcurrencyOf, politeness, robotsMaxAge };
}

/** For the description of an archive file. */
export function politenessField(
  settings: NotedSettings & Pick<Settings, 'robotsAgent' | 'robotsFallback'>,
): Readonly<Record<string, string>> {
  return { [FIELD]: JSON.stringify({ ...politenessNote(settings), robotsNames: robotsAgentOf(settings) }) };
}

/** Of the fields of a description; undefined where it has none, or none that can be read. */
export function readPolitenessField(fields: { get(name: string): string | undefined }): PolitenessNote | undefined {
  try {
    const note = JSON.parse(fields.get(FIELD) ?? '') as PolitenessNote;
    const isWhole =
      [note.delay, note.delayFactor, note.maxAdaptiveDelay, note.hostConcurrency, note.robotsMaxAge].every(
        Number.isFinite,
      ) &&
      typeof note.politeness === 'string' &&
      typeof note.hostConcurrencyOf === 'object' &&
      note.hostConcurrencyOf !== null;
    return isWhole ? note : undefined;
  } catch {
    return undefined;
  }
}
