import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';

/** What people have overruled: by pattern of URLs, and by origin. */
export interface Switches {
  readonly traps: Readonly<Record<string, 'open' | 'hold'>>;
  readonly mirrors: Readonly<Record<string, 'separate'>>;
}

export const NO_SWITCHES: Switches = { traps: {}, mirrors: {} };

export function switchesPath(folder: string): string {
  return join(folder, 'switches.json');
}

/** The switches of a crawl folder: a file, so that they can be turned while a crawl is running. */
export function readSwitches(folder: string): Switches {
  let text: string;
  try {
    text = readFileSync(switchesPath(folder), 'utf8');
  } catch {
    return NO_SWITCHES;
  }
  try {
    const { traps = {}, mirrors = {} } = JSON.parse(text) as Partial<Switches>;
    return { traps, mirrors };
  } catch (cause) {
    throw new OrbweaverError('FOLDER_CORRUPT', `${switchesPath(folder)} is not JSON.`, {
      remedy: 'Mend the file, or remove it: then nothing is overruled.',
      cause,
    });
  }
}

export function writeSwitches(folder: string, switches: Switches): void {
  // A crawl that is running must never see half of it.
  const draft = `${switchesPath(folder)}.new`;
  writeFileSync(draft, `${JSON.stringify(switches, undefined, 2)}\n`);
  renameSync(draft, switchesPath(folder));
}

/** When they were last turned, ms; 0 where nobody did. */
export function switchesTurnedAt(folder: string): number {
  return statSync(switchesPath(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
