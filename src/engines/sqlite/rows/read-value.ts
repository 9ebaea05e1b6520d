import type { DatabaseSync } from 'node:sqlite';

/** A value that belongs to the crawl as a whole. Apart from `writeValue`, so that readers need not load what writes. */
export function readValue<T>(db: DatabaseSync, name: string): T | undefined {
  const row = db.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined;
  return row === undefined ? undefined : JSON.parse(row.value);
}
