import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Subscriptions to topics that match leave the folder. */
export function forgetSubscriptions(folder: string, matches: (url: string) => boolean): void {
  const path = join(folder, 'push.db');
  if (!existsSync(path)) return;
  using db = new DatabaseSync(path);
  db.function('forgets', (url) => Number(typeof url === 'string' && matches(url)));
  db.exec(`PRAGMA busy_timeout = 5000; PRAGMA secure_delete = ON;
    DELETE FROM subscription WHERE forgets(topic); PRAGMA wal_checkpoint(TRUNCATE)`);
}
