import { OrbweaverError } from '../base/errors.ts';
import { limitError } from '../base/limit-error.ts';

/** A failure of the disk as an error with a code: full, or otherwise unwilling. */
export function storageError(cause: unknown, folder: string): OrbweaverError {
  const limit = limitError(cause);
  if (limit !== undefined) return limit;
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new OrbweaverError('DISK_FULL', `No space is left for the archive in ${folder}.`, {
      remedy: 'Free some space and run the same command again: it goes on where it stopped.',
      cause,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new OrbweaverError('FOLDER_UNWRITABLE', `The archive in ${folder} may not be read or written (${code}).`, {
      remedy: 'Change the permissions of the folder and its files, or choose another folder with --dir.',
      cause,
    });
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OrbweaverError('STORAGE_FAILED', `The archive in ${folder} cannot be read or written: ${why}`, { cause });
}
