import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../base/errors.ts';

const LOOK_MS = 100;

/**
 * Keeps a second process out of a crawl folder. The lock is the operating system's, taken through an empty SQLite
 * file: it ends with the process, however that ends, so that no stale lock is ever left behind.
 */
export function lockFolder(folder: string): Disposable {
  const db = new DatabaseSync(lockPath(folder));
  try {
    // Somebody who looks whether the folder is in use has it for an instant.
    db.exec(`PRAGMA busy_timeout = ${LOOK_MS}; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE`);
  } catch (cause) {
    db.close();
    throw new OrbweaverError('FOLDER_IN_USE', `Another process is crawling into ${folder}.`, {
      remedy: 'Wait for it to end, stop it with Ctrl-C, or choose another folder with --dir.',
      cause,
    });
  }
  return { [Symbol.dispose]: () => db.close() };
}

/** Whether a process has the lock of a folder. Looks, and takes nothing. */
export function isFolderLocked(folder: string): boolean {
  // A pipe in its place would be waited for.
  if (lstatSync(lockPath(folder), { throwIfNoEntry: false })?.isFile() !== true) return false;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(lockPath(folder), { readOnly: true });
    db.prepare('SELECT 1 FROM sqlite_master').get();
    return false;
  } catch (error) {
    return (error as { errcode?: number }).errcode === SQLITE_BUSY;
  } finally {
    db?.close();
  }
}

const SQLITE_BUSY = 5;

function lockPath(folder: string): string {
  return join(folder, 'state.lock');
}
