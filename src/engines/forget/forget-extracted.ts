import { existsSync } from 'node:fs';
import { openRowDatabase, rowsPath } from '../rows/row-database.ts';

/** Rows of pages that match leave, and what was noted of them. */
export function forgetExtracted(folder: string, matches: (url: string) => boolean): void {
  if (!existsSync(rowsPath(folder))) return;
  using db = openRowDatabase(folder, 'process');
  db.function('forgets', (url) => Number(typeof url === 'string' && matches(url)));
  db.exec(`PRAGMA secure_delete = ON; BEGIN IMMEDIATE;
    DELETE FROM row WHERE forgets(url); DELETE FROM change WHERE forgets(url); DELETE FROM page WHERE forgets(url);
    COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
}
