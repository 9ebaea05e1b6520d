import { OrbweaverError } from '../base/errors.ts';

/** A failure of the disk as an error with a code: full, or otherwise unwilling. */
export function storageError(cause: unknown, folder: string): OrbweaverError {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new OrbweaverError('DISK_FULL', `No space is left for the archive in ${folder}.`, {
      remedy: 'Free some space and run the same command again: it goes on where it stopped.',
      cause,
    });
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OrbweaverError('STORAGE_FAILED', `The archive in ${folder} cannot be read or written: ${why}`, { cause });
}
