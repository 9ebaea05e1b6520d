import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { monitorPath } from '../monitor/monitor-database.ts';

/** Of no page that there is: who matches it means the host. */
const ANY_PATH = 'orbweaver-any/path?of=it';

/** Addresses that match leave the notes of what went wrong, and a host that matches as a whole what is counted of it. The text of a last error may name a page. */
export function forgetMonitored(folder: string, matches: (url: string) => boolean): void {
  const path = monitorPath(folder);
  if (!existsSync(path)) return;
  try {
    using db = new DatabaseSync(path);
    db.function('forgets', (url) => Number(typeof url === 'string' && matches(url)));
    const isWhole = (host: string): boolean =>
      ['http', 'https'].every(
        (scheme) => matches(`${scheme}://${host}/`) && matches(`${scheme}://${host}/${ANY_PATH}`),
      );
    db.function('forgets_host', (host) => Number(typeof host === 'string' && isWhole(host)));
    db.exec(`PRAGMA busy_timeout = 5000; PRAGMA secure_delete = ON;
      UPDATE host SET error_at = NULL, error = NULL WHERE key IN (SELECT host FROM trouble WHERE forgets(url));
      DELETE FROM host WHERE forgets_host(key);
      DELETE FROM trouble WHERE forgets(url); PRAGMA wal_checkpoint(TRUNCATE)`);
  } catch {
    // Damaged, or of another version: nobody knows what it holds, and nothing depends on it.
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  }
}
