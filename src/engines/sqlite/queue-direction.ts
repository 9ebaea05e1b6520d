import type { DatabaseSync } from 'node:sqlite';
import { LEAST_OF_PAGES } from './rows/queue-rows.ts';

/** In `meta`: whether pages in queues are first in first out, or last in first out. */
const DIRECTION = 'direction';

/** Turns queues round that an earlier run filled in the other direction (places are negative for last in, first out). */
export function turnQueues(db: DatabaseSync, direction: 'fifo' | 'lifo'): void {
  const kept = db.prepare('SELECT value FROM meta WHERE name = ?').get(DIRECTION) as { value: string } | undefined;
  if (kept?.value === JSON.stringify(direction)) return;
  const wrong = direction === 'fifo' ? `ord < 0 AND ord > ${LEAST_OF_PAGES}` : 'ord > 0';
  for (const table of ['queue', 'later', 'revisit', 'place']) db.exec(`UPDATE ${table} SET ord = -ord WHERE ${wrong}`);
  db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(DIRECTION, JSON.stringify(direction));
}
