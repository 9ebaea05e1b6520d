import { OrbweaverError } from '../base/errors.ts';
import { lockFolder } from '../engines/folder-lock.ts';
import { readJson, writeJson } from './json-file.ts';
import { ownFile, ownFolder } from './library-folder.ts';

/** Keeps a second app out of a library; it is told where the first one is. The lock ends with the process. */
export function lockLibrary(library: string): Disposable {
  try {
    return lockFolder(ownFolder(library));
  } catch (cause) {
    const { url } = (readJson(ownFile(library, 'app.json')) ?? {}) as { readonly url?: unknown };
    const where = typeof url === 'string' && /^https?:\/\/[\w.:[\]-]+\/$/.test(url) ? ` at ${url}` : '';
    throw new OrbweaverError('FOLDER_IN_USE', `Another app has the crawls in ${library}${where}.`, {
      remedy: `${where === '' ? 'End it' : 'Open it in the browser, end it'}, or name another folder with --dir.`,
      cause,
    });
  }
}

/** Where the app of a library is to be found. */
export function noteAddress(library: string, url: string): void {
  writeJson(ownFile(library, 'app.json'), { url });
}
