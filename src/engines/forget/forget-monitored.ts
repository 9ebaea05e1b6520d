import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { monitorPath } from '../monitor/monitor-database.ts';

/** Addresses that match leave the notes of what went wrong. What is counted by host names no page; the text of its last error might. */
export function forgetMonitored(folder: string, matches: (url: string) => boolean): void {
  const path = monitorPath(folder);
  if (!existsSync(path)) return;
  try {
    using db = new DatabaseSync(path);
    db.function('forgets', (url) => Number(typeof url === 'string' && matches(url)));
    db.exec(`PRAGMA busy_timeout = 5000; PRAGMA secure_delete = ON;
      UPDATE host SET error_at = NULL, error = NULL WHERE key IN (SELECT host FROM trouble WHERE forgets(url));
      DELETE FROM trouble WHERE forgets(url); PRAGMA wal_checkpoint(TRUNCATE)`);
  } catch {
    // Damaged, or of another version: nobody knows what it holds, and nothing depends on it.
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  }
}
