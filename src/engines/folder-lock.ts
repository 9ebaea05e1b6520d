import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../base/errors.ts';

const SQLITE_BUSY = 5;
/** Whoever only looks whether the folder is locked has the file for a moment. */
const LOOK_MS = 500;

/** Keeps a second process out of a crawl folder. */
export function lockFolder(folder: string): Disposable {
  return lockFile(
    lockPath(folder),
    `Another process is crawling into ${folder}.`,
    'Wait for it to end, stop it with Ctrl-C, or choose another folder with --dir.',
  );
}

/**
 * Keeps a second process out. The lock is the operating system's, taken through an empty SQLite file: it ends with the process, however
 * that ends, so that no stale lock is ever left behind.
 */
export function lockFile(path: string, message: string, remedy = 'Wait for it to end, or stop it.'): Disposable {
  const db = new DatabaseSync(path, { timeout: LOOK_MS });
  try {
    // Somebody who looks whether the folder is in use has it for an instant.
    db.exec(`PRAGMA busy_timeout = ${LOOK_MS}; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE`);
  } catch (cause) {
    db.close();
    throw new OrbweaverError('FOLDER_IN_USE', message, { remedy, cause });
  }
  return { [Symbol.dispose]: () => db.close() };
}

/** Whether a process has the lock of a folder. Looks, and takes nothing that would keep one out. */
export function isFolderLocked(folder: string): boolean {
  // A pipe in its place would be waited for.
  if (lstatSync(lockPath(folder), { throwIfNoEntry: false })?.isFile() !== true) return false;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(lockPath(folder), { readOnly: true, timeout: 0 });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return (error as { errcode?: number }).errcode === SQLITE_BUSY;
  } finally {
    db?.close();
  }
}

function lockPath(folder: string): string {
  return join(folder, 'state.lock');
}
