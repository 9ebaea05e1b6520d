import { OrbweaverError } from './errors.ts';

/** A failure of the disk as an error with a code: full, or otherwise unwilling. `what` is "the archive in my-crawl", say. */
export function diskError(cause: unknown, what: string): OrbweaverError {
  if (cause instanceof OrbweaverError) return cause;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new OrbweaverError('DISK_FULL', `No space is left for ${what}.`, {
      remedy: 'Free some space and run the same command again: it goes on where it stopped.',
      cause,
    });
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  return new OrbweaverError('STORAGE_FAILED', `${subject} cannot be read or written: ${why}`, { cause });
}
