import type { DatabaseSync } from 'node:sqlite';

/** Keeps a value that belongs to the crawl as a whole, in the transaction that is open, if any. */
export function writeValue(db: DatabaseSync, name: string, value: unknown): void {
  db.prepare(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  ).run(name, JSON.stringify(value));
}
