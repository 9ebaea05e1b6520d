import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../base/errors.ts';

const SQLITE_BUSY = 5;
/** Whoever only looks whether the folder is locked has the file for a moment. */
const LOOK_MS = 500;

/**
 * Keeps a second process out of a crawl folder. The lock is the operating system's, taken through an empty SQLite
 * file: it ends with the process, however that ends, so that no stale lock is ever left behind.
 */
export function lockFolder(folder: string): Disposable {
  const db = new DatabaseSync(join(folder, 'state.lock'), { timeout: LOOK_MS });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    throw new OrbweaverError('FOLDER_IN_USE', `Another process is crawling into ${folder}.`, {
      remedy: 'Wait for it to end, stop it with Ctrl-C, or choose another folder with --dir.',
      cause,
    });
  }
  return { [Symbol.dispose]: () => db.close() };
}

/** Whether a process has the folder. Takes no lock that would keep one out. */
export function isFolderLocked(folder: string): boolean {
  const path = join(folder, 'state.lock');
  if (!existsSync(path)) return false;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return true;
    throw error;
  } finally {
    db.close();
  }
}
