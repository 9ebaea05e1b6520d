import type { DatabaseSync } from 'node:sqlite';
import type { SettledBytes } from '../../../contracts/state/state-reader.ts';

/** How much of each archive file belongs to settled pages, in the order of writing. */
export function readArchiveFiles(db: DatabaseSync): Map<string, SettledBytes> {
  const rows = db.prepare('SELECT name, file_end AS fileEnd, index_end AS indexEnd FROM archive_file ORDER BY name');
  return new Map(
    (rows.all() as unknown as ({ name: string } & SettledBytes)[]).map(({ name, ...ends }) => [name, ends]),
  );
}

export function adoptArchiveFile(db: DatabaseSync, name: string, { fileEnd, indexEnd }: SettledBytes): void {
  db.prepare('INSERT INTO archive_file (name, file_end, index_end) VALUES (?, ?, ?)').run(name, fileEnd, indexEnd);
}

/** Undefined takes the file out. One that is not there is not made. */
export function setArchiveFile(db: DatabaseSync, name: string, settled: SettledBytes | undefined): void {
  if (settled === undefined) db.prepare('DELETE FROM archive_file WHERE name = ?').run(name);
  else
    db.prepare('UPDATE archive_file SET file_end = ?, index_end = ? WHERE name = ?').run(
      settled.fileEnd,
      settled.indexEnd,
      name,
    );
}
