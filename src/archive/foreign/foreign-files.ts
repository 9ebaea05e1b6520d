import { glob, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';

/** What holds archives, by its name; in folders nothing else is looked at. Other endings come from tools that mark what is not finished. */
const ARCHIVE_NAME = /\.(?:w?arc)(?:\.(?:gz|zst))?$|\.wacz$/i;

/** The files that were named: files as they are, the archives of folders and what lies in them, patterns. Sorted, each once. */
export async function foreignFiles(named: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const name of named) for (const path of await filesOf(name)) found.add(resolve(path));
  return [...found].sort();
}

async function filesOf(name: string): Promise<string[]> {
  const kind = await kindOf(name);
  if (kind === 'file') return [name];
  if (kind === 'folder') {
    const entries = await readdir(name, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && ARCHIVE_NAME.test(entry.name));
    if (files.length === 0) throw nothingIn(`The folder ${name} holds no archives.`);
    return files.map((entry) => join(entry.parentPath, entry.name));
  }
  const matched: string[] = [];
  if (/[*?[{]/.test(name)) for await (const path of glob(name)) matched.push(path);
  const files: string[] = [];
  for (const path of matched) if ((await kindOf(path)) === 'file') files.push(path);
  if (files.length === 0)
    throw nothingIn(matched.length === 0 ? `There is no file ${name}.` : `Nothing that matches ${name} is a file.`);
  return files;
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw new OrbweaverError('INPUT_INVALID', `${path} cannot be read: ${(cause as Error).message}.`, {
      remedy: 'Look at the permissions of the file and of its folders.',
      cause,
    });
  }
}

function nothingIn(message: string): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', message, {
    remedy: 'Name files, folders or patterns of .warc, .warc.gz, .warc.zst, .arc, .arc.gz or .wacz files.',
  });
}
