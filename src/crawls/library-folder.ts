import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OrbweaverError } from '../base/errors.ts';
import { settingsPath } from '../crawl/crawl-folder.ts';
import { hasState } from '../engines/state-folder.ts';
import { newestManifest } from '../index/store/manifest.ts';
import { indexFolder } from '../search/indexing/index-folder.ts';

/** The app's own files in a library; a name that no crawl can have. */
const OWN = '.orbweaver';
const LONGEST_NAME = 64;

/** More folders than these are not looked at. */
const MOST_FOLDERS = 10_000;

export function ownFolder(library: string): string {
  return join(library, OWN);
}

export function ownFile(library: string, name: 'schedules.json' | 'templates.json' | 'app.json'): string {
  return join(ownFolder(library), name);
}

export function trashFolder(library: string): string {
  return join(ownFolder(library), 'trash');
}

/** What the app knows of its runs, in the folder of the crawl. */
export function runPath(folder: string): string {
  return join(folder, 'app-run.json');
}

export function logPath(folder: string): string {
  return join(folder, 'app-run.log');
}

/** Makes what a library needs. */
export function prepareLibrary(library: string): void {
  try {
    mkdirSync(trashFolder(library), { recursive: true });
  } catch (cause) {
    throw new OrbweaverError('FOLDER_UNWRITABLE', `${library} cannot be used for crawls: ${(cause as Error).message}`, {
      remedy: 'Name another folder with --dir.',
      cause,
    });
  }
}

/** A folder that is served alone: a crawl, or imported documents. */
export function isCrawlFolder(folder: string): boolean {
  return hasState(folder) || hasIndex(folder);
}

export function hasIndex(folder: string): boolean {
  return newestManifest(indexFolder(folder)) > 0;
}

/** A folder that was a library before, or holds a crawl folder. */
export function isLibrary(folder: string): boolean {
  if (isCrawlFolder(folder)) return false;
  if (isFolder(ownFolder(folder))) return true;
  return crawlNames(folder).some((name) => isCrawlFolder(join(folder, name)));
}

/** Folders of a library, in the order of their names; those whose names begin with a dot are none of its crawls. */
export function crawlNames(library: string): string[] {
  let names: string[];
  try {
    names = readdirSync(library);
  } catch {
    return [];
  }
  return names
    .filter((name) => !name.startsWith('.') && isFolder(join(library, name)))
    .sort(new Intl.Collator('en', { numeric: true }).compare)
    .slice(0, MOST_FOLDERS);
}

/**
 * The folder of a crawl that a request names; undefined where there is none. The name is looked for among those of the library, so that
 * no text of a request becomes a path.
 */
export function crawlFolder(library: string, name: string): string | undefined {
  return isSafeName(name) && isFolder(join(library, name)) ? join(library, name) : undefined;
}

/** Whether a folder holds anything that a crawl leaves, or settings for one. */
export function holdsCrawl(folder: string): boolean {
  return isCrawlFolder(folder) || isFile(settingsPath(folder)) || isFile(runPath(folder));
}

/** What a new crawl may be called; also on file systems that know fewer characters. */
export function nameProblem(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return `A name has at most ${LONGEST_NAME} characters.`;
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name) || name.endsWith('.'))
    return 'A name consists of letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.';
  return RESERVED.test(name) ? 'Windows keeps this name for itself.' : undefined;
}

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name for a crawl of an address that is not taken: example.org, example.org-2. */
export function freeName(library: string, wanted: string): string {
  const plain =
    wanted
      .replace(/[^a-z0-9._-]+/gi, '-')
      .replace(/^[^a-z0-9]+|[^a-z0-9]+$/gi, '')
      .slice(0, LONGEST_NAME - 4) || 'crawl';
  const base = nameProblem(plain) === undefined ? plain : `crawl-${plain}`;
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (lstatSync(join(library, name), { throwIfNoEntry: false }) === undefined) return name;
  }
}

function isSafeName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
