import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../base/errors.ts';

/**
 * Keeps a second process out of a crawl folder. The lock is the operating system's, taken through an empty SQLite
 * file: it ends with the process, however that ends, so that no stale lock is ever left behind.
 */
export function lockFolder(folder: string): Disposable {
  const db = new DatabaseSync(join(folder, 'state.lock'));
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
