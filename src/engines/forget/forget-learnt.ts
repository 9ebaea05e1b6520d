import type { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { all } from '../repair/url-tables.ts';

type Matches = (url: string) => boolean;

/** Values that say how the crawl is run, by names and patterns that the user gave. */
const OF_THE_USER: ReadonlySet<string> = new Set(['run', 'excluded', 'forgotten', 'counters', 'focus']);

/** Takes forgotten URLs out of all snapshots of what was learnt, and out of their journal. */
export function forgetLearnt(db: DatabaseSync, matches: Matches): void {
  const write = db.prepare('UPDATE meta SET value = ? WHERE name = ?');
  for (const { name, value } of [...all<{ name: string; value: string }>(db, 'SELECT name, value FROM meta')])
    if (!OF_THE_USER.has(name)) write.run(JSON.stringify(without(JSON.parse(value), matches)), name);
  const events = db.prepare('UPDATE learning SET events = ? WHERE number = ?');
  for (const row of [...all<{ number: number; events: Uint8Array }>(db, 'SELECT number, events FROM learning')]) {
    const kept = (deserialize(row.events) as unknown[]).filter((event) => !speaksOf(event, matches));
    events.run(serialize(kept), row.number);
  }
}

/** What belongs to a forgotten URL leaves snapshots whole. Origins and hosts stay: others refer to them by position. */
function without(value: unknown, matches: Matches): unknown {
  if (Array.isArray(value))
    return value.filter((item) => !belongsTo(item, matches)).map((item) => without(item, matches));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isMatch(name, matches))
      .map(([name, held]) => [name, isMatch(held, matches) ? '' : without(held, matches)]),
  );
}

function belongsTo(item: unknown, matches: Matches): boolean {
  if (isMatch(item, matches)) return true;
  if (Array.isArray(item)) return item.some((part) => isMatch(part, matches));
  return typeof item === 'object' && item !== null && 'url' in item && isMatch(item.url, matches);
}

function speaksOf(value: unknown, matches: Matches): boolean {
  if (isMatch(value, matches)) return true;
  if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) return false;
  if (value instanceof Map || value instanceof Set) return [...value].some((item) => speaksOf(item, matches));
  return Object.values(value).some((held) => speaksOf(held, matches));
}

/** Whether it is the URL of a page that is forgotten. */
function isMatch(value: unknown, matches: Matches): boolean {
  return typeof value === 'string' && /^(?:https?:\/\/[^/]+|file:\/\/)\//.test(value) && matches(value);
}
