import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Document, isMap, isSeq, parseDocument } from 'yaml';
import { OrbweaverError } from '../../../base/errors.ts';
import { resolveSettings } from '../../../base/settings/resolve-settings.ts';
import type { SettingKey } from '../../../base/settings/schema.ts';
import { settingName } from '../../../base/settings/setting-names.ts';
import { settingsPath } from '../../../crawl/crawl-folder.ts';
import { replaceFile } from '../../../crawls/json-file.ts';

/** A recipe as it is written: secrets are references. */
export interface WrittenRecipe {
  readonly page: string;
  readonly site?: string;
  readonly action?: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly success?: string;
  readonly expired?: string;
}

const KEYS = ['page', 'site', 'action', 'fields', 'success', 'expired'] as const;

/** Where the recipe of a site lies, or its cookies. */
export function placeFor(kind: 'login' | 'cookies', site: string, folder: string): string {
  const host = new URL(site).host.replaceAll(/[^a-z0-9.-]+/gi, '-').replace(/^-|-$/g, '');
  return resolve(join(folder, `${kind}-${host}.${kind === 'login' ? 'yaml' : 'txt'}`));
}

/** The text of a recipe file. `before`: what the file holds; what the user added there (`avoid`, comments) stays. */
export function recipeText(recipe: WrittenRecipe, before?: string): string {
  const old = before === undefined || before.trim() === '' ? undefined : parseDocument(before);
  if (old !== undefined && (old.errors.length > 0 || !isMap(old.contents)))
    throw new OrbweaverError('LOGIN_FAILED', 'The recipe file of this site holds something else than one recipe.', {
      remedy: 'It was left as it is. Move it away, or write the recipe to standard output with --print.',
    });
  const document = old ?? new Document({});
  if (old === undefined) document.commentBefore = HEAD;
  for (const key of KEYS) {
    const value = recipe[key];
    if (value === undefined) document.delete(key);
    else document.set(key, document.createNode(value));
  }
  return document.toString({ lineWidth: 0 });
}

const HEAD = ' Recorded by orbweaver login; docs/private-sites.md tells what it means.';

/** The settings of a folder with one more file in a list of them; undefined where it is there already. */
export async function settingsWith(folder: string, key: SettingKey, file: string): Promise<string | undefined> {
  const path = settingsPath(folder);
  const document = parseDocument(existsSync(path) ? readFileSync(path, 'utf8') : '');
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    throw new OrbweaverError('SETTINGS_FILE_UNREADABLE', `${path} cannot be read, and was left as it is.`, {
      remedy: 'Correct it; or write the recipe to standard output with --print.',
    });
  const name = settingName(key);
  const now = document.get(name);
  // As the settings are read, with what an alias stands for.
  const known = ((document.toJS() ?? {}) as Readonly<Record<string, unknown>>)[name];
  const entries = Array.isArray(known) ? known.map(String) : typeof known === 'string' ? known.split(/[\r\n]+/) : [];
  if (entries.some((entry) => resolve(entry) === file)) return undefined;
  if (isSeq(now)) now.add(document.createNode(file));
  else document.set(name, document.createNode([...entries.filter((entry) => entry !== ''), file]));
  // Nothing is written that the next crawl would refuse.
  resolveSettings({ flags: {}, env: {}, file: document.toJS() as Record<string, unknown> });
  return document.toString({ lineWidth: 0 });
}

/** Writes a file, and the settings that name it. Says what was written. */
export function writeRecorded(
  folder: string,
  file: string,
  text: string,
  settings: string | undefined,
  mode?: number,
): string {
  try {
    mkdirSync(folder, { recursive: true });
    replaceFile(file, text, mode);
    if (settings !== undefined) replaceFile(settingsPath(folder), settings);
  } catch (cause) {
    throw new OrbweaverError('FOLDER_UNWRITABLE', `${folder} cannot be written: ${(cause as Error).message}.`, {
      remedy: 'Choose another with --dir, or write the recipe to standard output with --print.',
      cause,
    });
  }
  return settings === undefined
    ? `Written: ${file}. ${settingsPath(folder)} names it already.\n`
    : `Written: ${file}, and its name into ${settingsPath(folder)}.\n`;
}
