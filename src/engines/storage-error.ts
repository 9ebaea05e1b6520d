import { OrbweaverError } from '../base/errors.ts';
import { limitError } from '../base/limit-error.ts';
import { shellWord } from '../base/shell-word.ts';

const SQLITE_FULL = 13;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const SQLITE_CANTOPEN = 14;
const SQLITE_READONLY = 8;
const SQLITE_PERM = 3;

/** The command that a damaged folder needs. */
export function repairCommand(folder: string): string {
  return `orbweaver check --repair --dir ${shellWord(folder)}`;
}

/** The same for what may have another cause: undefined where it is neither of SQLite nor a limit of the system. */
export function knownStorageError(cause: unknown, folder: string): OrbweaverError | undefined {
  if (cause instanceof OrbweaverError) return cause;
  // Closing what had failed failed as well, for the same reason or in consequence: the first fault tells.
  if (cause instanceof SuppressedError)
    return knownStorageError(cause.suppressed, folder) ?? knownStorageError(cause.error, folder);
  const isSqlite = (cause as { code?: unknown } | undefined)?.code === 'ERR_SQLITE_ERROR';
  return isSqlite ? storageError(cause, folder) : limitError(cause);
}

/** Turns what SQLite or the file system says into an error with a stable code. */
export function storageError(cause: unknown, folder: string): OrbweaverError {
  if (cause instanceof OrbweaverError) return cause;
  const { errcode, code } = (cause ?? {}) as { errcode?: number; code?: string };
  const primary = errcode === undefined ? undefined : errcode & 0xff;
  const message = cause instanceof Error ? cause.message : String(cause);
  const limit = limitError(cause);
  if (limit !== undefined) return limit;
  // SQLite reports a full disk as SQLITE_FULL or, from some file systems, as a failed write (SQLITE_IOERR_WRITE).
  if (primary === SQLITE_FULL || code === 'ENOSPC' || code === 'EDQUOT' || errcode === 778) {
    return new OrbweaverError('DISK_FULL', `The disk that holds ${folder} is full.`, {
      remedy: 'Free some space and run the same command again: it resumes where it stopped.',
      cause,
    });
  }
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB) {
    return new OrbweaverError('FOLDER_CORRUPT', `The state in ${folder} is damaged (${message}).`, {
      remedy: `To repair it: ${repairCommand(folder)}`,
      cause,
    });
  }
  if (primary === SQLITE_CANTOPEN || primary === SQLITE_READONLY || primary === SQLITE_PERM) {
    return new OrbweaverError('FOLDER_UNWRITABLE', `The state in ${folder} cannot be opened (${message}).`, {
      remedy: 'Check the permissions of the folder.',
      cause,
    });
  }
  return new OrbweaverError('STORAGE_FAILED', `Reading or writing ${folder} failed (${message}).`, {
    remedy: 'Check the disk; then run the same command again: it resumes where it stopped.',
    cause,
  });
}
