import type { DatabaseSync } from 'node:sqlite';
import type { SettledBytes } from '../../../contracts/state/state-reader.ts';

/** How much of each archive file belongs to settled pages, in the order of writing. */
export function readArchiveFiles(db: DatabaseSync): Map<string, SettledBytes> {
  const rows = db.prepare('SELECT name, file_end AS fileEnd, index_end AS indexEnd FROM archive_file ORDER BY name');
  return new Map(
    (rows.all() as unknown as ({ name: string } & SettledBytes)[]).map(({ name, ...ends }) => [name, ends]),
  );
}
