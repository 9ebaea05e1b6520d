import { OrbweaverError } from './errors.ts';
import { limitError } from './limit-error.ts';

/** A failure of the disk as an error with a code: full, or otherwise unwilling. `what` is "the archive in my-crawl", say. */
export function diskError(cause: unknown, what: string): OrbweaverError {
  if (cause instanceof OrbweaverError) return cause;
  const limit = limitError(cause);
  if (limit !== undefined) return limit;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new OrbweaverError('DISK_FULL', `No space is left for ${what}.`, {
      remedy: 'Free some space and run the same command again: it goes on where it stopped.',
      cause,
    });
  }
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new OrbweaverError('FOLDER_UNWRITABLE', `${subject} may not be read or written (${code}).`, {
      remedy: 'Change the permissions of the folder and its files, or choose another folder with --dir.',
      cause,
    });
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OrbweaverError('STORAGE_FAILED', `${subject} cannot be read or written: ${why}`, { cause });
}
