import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const ON_PATH = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

const MAC_APPLICATIONS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** Where programs of this machine lie. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isProgram: (path: string) => boolean;
}

const HERE: Surroundings = { platform: process.platform, env: process.env, isProgram };

/** The first browser of the usual places. */
export function findBrowser(here: Surroundings = HERE): string | undefined {
  return browserPlaces(here).find(here.isProgram);
}

/** Everywhere that one is looked for, in order. */
export function browserPlaces({ platform, env }: Pick<Surroundings, 'platform' | 'env'>): string[] {
  if (platform === 'win32') {
    const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return WINDOWS_PROGRAMS.flatMap((program) => roots.map((root) => `${root}\\${program}`));
  }
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const named = ON_PATH.flatMap((name) => onPath.map((folder) => join(folder, name)));
  if (platform !== 'darwin') return [...named, '/snap/bin/chromium', '/opt/google/chrome/chrome'];
  const folders = ['/Applications', ...(env.HOME === undefined ? [] : [join(env.HOME, 'Applications')])];
  return [...MAC_APPLICATIONS.flatMap((application) => folders.map((folder) => join(folder, application))), ...named];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
