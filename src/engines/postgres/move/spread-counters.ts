import type { DatabaseSync } from 'node:sqlite';
import { type Counted, countPages, readCounters, sumOfCounters } from '../../sqlite/counters.ts';

type Sums = Record<string, number | Record<string, number>>;

/** Sums that are no sums: the highest number of all. */
const HIGHEST: readonly (keyof Counted)[] = ['seq', 'batch'];
const ITS_OWN_TIMES: readonly (keyof Counted)[] = ['savedAt', 'uptime'];

/**
 * The sums of each partition, from its own rows; the first has what follows from none (requests, say), so that all of them together are what the
 * folder has counted. `old` is the state of the folder.
 */
export function spreadCounters(db: DatabaseSync, parts: readonly number[]): Map<number, Counted> {
  const whole = folderCounters(db);
  const counters = new Map<number, Counted>();
  const others: Counted[] = [];
  for (const part of parts) {
    const own = { ...countRows(db, part), seq: whole.seq, batch: whole.batch };
    counters.set(part, own);
    others.push(own);
  }
  const first = counters.get(parts[0]);
  if (first !== undefined) addRest(first as unknown as Sums, whole, sumOfCounters(others));
  return counters;
}

/** Read by the name that a state has for its table. */
function folderCounters(db: DatabaseSync): Counted {
  db.exec('CREATE TEMP VIEW meta AS SELECT name, value FROM old.meta');
  const counters = readCounters(db);
  db.exec('DROP VIEW temp.meta');
  return counters;
}

function countRows(db: DatabaseSync, part: number): Counted {
  const one = <T>(sql: string): T => db.prepare(sql).get(part) as T;
  db.exec(`CREATE TEMP VIEW page AS SELECT * FROM main.page WHERE part = ${part}`);
  const pages = countPages(db);
  db.exec('DROP VIEW temp.page');
  const refused = { ...pages.refused };
  const links = db.prepare('SELECT by, count(*) AS count FROM main.refusal WHERE part = ? GROUP BY by').all(part);
  for (const { by, count } of links as { by: string; count: number }[]) refused[by] = (refused[by] ?? 0) + count;
  const { queued, parked } = one<Record<'queued' | 'parked', number>>(
    'SELECT coalesce(sum(queued), 0) AS queued, coalesce(sum(parked), 0) AS parked FROM main.host WHERE part = ?',
  );
  const { later } = one<{ later: number }>('SELECT count(*) AS later FROM main.later WHERE part = ?');
  const { planned } = one<{ planned: number }>('SELECT count(*) AS planned FROM main.revisit WHERE part = ?');
  return { ...sumOfCounters([]), ...pages, refused, queued, parked, later, planned };
}

function addRest(first: Sums, whole: Counted, sum: Counted): void {
  for (const name of Object.keys(whole) as (keyof Counted)[]) {
    if (HIGHEST.includes(name) || ITS_OWN_TIMES.includes(name)) continue;
    const [all, counted] = [whole[name], sum[name]];
    if (typeof all === 'number') first[name] = Number(first[name]) + all - Number(counted);
    else first[name] = rest(first[name] as Record<string, number>, all, counted as Record<string, number>);
  }
}

function rest(
  first: Readonly<Record<string, number>>,
  all: Readonly<Record<string, number>>,
  counted: Readonly<Record<string, number>>,
): Record<string, number> {
  const kinds = new Set([...Object.keys(first), ...Object.keys(all), ...Object.keys(counted)]);
  const sums = [...kinds].map((kind) => [kind, (first[kind] ?? 0) + (all[kind] ?? 0) - (counted[kind] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, count]) => count !== 0));
}
