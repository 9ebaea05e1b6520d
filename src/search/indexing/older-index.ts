import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import { newestManifest, readManifest } from '../../index/store/manifest.ts';
import { indexFolder } from './index-folder.ts';

/** Whether the folder has an index of a form that an earlier version wrote and this one does not read. */
export function hasOlderIndex(folder: string): boolean {
  const place = indexFolder(folder);
  const newest = newestManifest(place);
  if (newest === 0) return false;
  try {
    readManifest(place, newest);
    return false;
  } catch (error) {
    // Any other fault is told by whoever opens the index.
    return isOlderForm(error);
  }
}

/** The same fault with what can be done about it: the archive and the imported documents are all that an index is made of. */
export function withRebuildRemedy(error: unknown, folder: string): unknown {
  if (!isOlderForm(error)) return error;
  return new OrbweaverError('INDEX_OUTDATED', `The search index of ${folder} has an older form.`, {
    remedy: rebuildRemedy(folder),
    cause: error,
  });
}

export function rebuildRemedy(folder: string): string {
  return `To rebuild it from what is stored: orbweaver index --rebuild --dir ${shellWord(folder)}`;
}

function isOlderForm(error: unknown): error is OrbweaverError {
  return error instanceof OrbweaverError && error.code === 'INDEX_OUTDATED';
}
