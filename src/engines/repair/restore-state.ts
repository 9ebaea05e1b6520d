import type { DatabaseSync } from 'node:sqlite';
import { type Fingerprint, fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { SeenSet } from '../../frontier/seen-set.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { type Counted, countPages, readCounters } from '../sqlite/counters.ts';
import { SEEN_ENTRY_BYTES } from '../sqlite/rows/seen-rows.ts';
import { HOLDS, isHeldBack, STRANDABLE } from './check-state.ts';
import { all, seenEntries, WAITING_TABLES, waitingPages } from './url-tables.ts';

/** A host whose row was lost rests this long before it is asked again: when it was asked last is not known. */
const REST_MS = 60_000;
const ENTRIES_PER_ROW = 50_000;

/** The link counts of `refused` are not in the tables: what the counters knew is kept. */
export interface Remembered {
  readonly counters: Counted;
  readonly refusedLinks: Record<string, number>;
}

/** Read before the first change. */
export function rememberSums(db: DatabaseSync): Remembered {
  const counters = readCounters(db);
  const isLost = db.prepare("SELECT 1 FROM meta WHERE name = 'counters'").get() === undefined;
  const refusedLinks: Record<string, number> = {};
  if (isLost)
    for (const { by, n } of all<{ by: string; n: number }>(db, 'SELECT by, count(*) AS n FROM refusal GROUP BY by'))
      refusedLinks[by] = n;
  else {
    const { refused } = countPages(db);
    for (const [by, n] of Object.entries(counters.refused)) refusedLinks[by] = Math.max(0, n - (refused[by] ?? 0));
  }
  return { counters, refusedLinks };
}

/** Makes everything that follows from other tables agree with them. Doing it twice changes nothing more. */
export function restoreTables(db: DatabaseSync, remembered: Remembered, now: number): void {
  restoreHosts(db, now);
  removeDoubles(db);
  returnStranded(db);
  db.exec(`DELETE FROM lease WHERE NOT EXISTS
      (SELECT 1 FROM queue WHERE queue.host = lease.host AND queue.lane = lease.lane AND queue.ord = lease.ord);
    DELETE FROM digest WHERE url NOT IN (SELECT url FROM page WHERE ${HOLDS});
    DELETE FROM likeness WHERE page NOT IN (SELECT fp FROM page);
    DELETE FROM meta WHERE name = 'places';
    DELETE FROM place`);
  restoreSums(db, remembered);
}

/** The numbers of hosts are places in a list: each up to the highest must be there. */
function restoreHosts(db: DatabaseSync, now: number): void {
  const known = new Set([...all<{ id: number }>(db, 'SELECT id FROM host')].map(({ id }) => id));
  const keys = new Map<number, string>();
  let most = known.size === 0 ? -1 : (db.prepare('SELECT max(id) AS id FROM host').get() as { id: number }).id;
  for (const table of ['page', ...WAITING_TABLES])
    for (const { host, url } of all<{ host: number; url: CanonicalUrl }>(
      db,
      `SELECT host, min(url) AS url FROM ${table} WHERE host NOT IN (SELECT id FROM host) GROUP BY host`,
    )) {
      keys.set(host, hostKeyOf(url));
      most = Math.max(most, host);
    }
  for (const { host } of seenEntries(db)) most = Math.max(most, host);
  const taken = new Set([...all<{ key: string }>(db, 'SELECT key FROM host')].map(({ key }) => key));
  const insert =
    db.prepare(`INSERT INTO host (id, key, due_at, hold_until, crawl_delay, last_fetch, pushbacks, pushed_at,
    queued, lane, pages, bytes, spent, parked, as_of) VALUES (?, ?, ?, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`);
  for (let id = 0; id <= most; id++) {
    if (known.has(id)) continue;
    const named = keys.get(id);
    const key = named === undefined || taken.has(named) ? `lost-${id}.invalid` : named;
    insert.run(id, key, now + REST_MS, crawlDelayOf(db, key));
  }
}

function crawlDelayOf(db: DatabaseSync, key: string): number {
  const row = db
    .prepare("SELECT max(record ->> '$.crawlDelayMs') AS ms FROM robots WHERE origin IN (?, ?)")
    .get(`http://${key}`, `https://${key}`) as { ms: number | null };
  return row.ms ?? 0;
}

/** A page waits once: in its queue rather than for a time. */
function removeDoubles(db: DatabaseSync): void {
  const waiting = new SeenSet();
  const doubles: { table: string; url: string; host: number; lane: number; ord: number }[] = [];
  for (const table of WAITING_TABLES)
    for (const row of all<{ url: string; host: number; lane: number; ord: number }>(
      db,
      `SELECT url, host, lane, ord FROM ${table} WHERE for_origin IS NULL`,
    ))
      if (!waiting.add(fingerprint(row.url))) doubles.push({ ...row, table });
  for (const { table, url, host, lane, ord } of doubles)
    db.prepare(`DELETE FROM ${table} WHERE url = ? AND host = ? AND lane = ? AND ord = ?`).run(url, host, lane, ord);
}

/** Pages whose planned visit was lost wait for nothing: who plans visits plans them again. */
function returnStranded(db: DatabaseSync): void {
  const clear = db.prepare('UPDATE page SET next_visit = NULL, next_why = NULL WHERE fp = ?');
  for (const fp of strandedPages(db, 'planned')) clear.run(toSigned(fp));
}

/** Pages that are to be visited again and wait nowhere: for a planned visit, or to be tried once more. */
export function strandedPages(db: DatabaseSync, which: 'planned' | 'retried'): Fingerprint[] {
  const { waiting } = waitingPages(db);
  const why = which === 'planned' ? 'next_why IS NOT NULL' : 'next_why IS NULL';
  return [...all<{ url: string }>(db, `${STRANDABLE} AND ${why}`)]
    .filter(({ url }) => !waiting.has(fingerprint(url)) && !isHeldBack(db, url))
    .map(({ url }) => fingerprint(url));
}

function restoreSums(db: DatabaseSync, { counters, refusedLinks }: Remembered): void {
  const one = (sql: string): number => (db.prepare(sql).get() as { n: number | null }).n ?? 0;
  const { refused, ...counted } = countPages(db);
  const robots = -(2 ** 52);
  const seqs = WAITING_TABLES.map((table) => one(`SELECT max(abs(ord)) AS n FROM ${table} WHERE ord > ${robots}`));
  const batch = Math.max(counters.batch, one('SELECT max(batch) AS n FROM seen'));
  for (const [by, n] of Object.entries(refusedLinks)) if (n > 0) refused[by] = (refused[by] ?? 0) + n;
  const values: Counted = {
    ...counters,
    ...counted,
    refused,
    batch,
    seq: Math.max(counters.seq, ...seqs),
    later: one('SELECT count(*) AS n FROM later'),
    planned: one('SELECT count(*) AS n FROM revisit'),
  };
  db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('counters', ?)").run(JSON.stringify(values));
  db.prepare(`UPDATE host SET as_of = ?,
      queued = (SELECT count(*) FROM queue WHERE host = host.id),
      lane = coalesce((SELECT min(lane) FROM queue WHERE host = host.id), 0),
      pages = (SELECT count(*) FROM page WHERE host = host.id AND ${HOLDS})`).run(batch);
}

/** Writes the log of known URLs again: all that have a row, and those of the log that are not to be forgotten. */
export function restoreSeen(db: DatabaseSync, forget: ReadonlySet<Fingerprint>): void {
  const known = new SeenSet();
  const entries: { fp: Fingerprint; host: number; lane: number }[] = [];
  const add = (fp: Fingerprint, host: number, lane: number): void => {
    if (!forget.has(fp) && known.add(fp)) entries.push({ fp, host, lane });
  };
  for (const { fp, host, lane } of seenEntries(db)) add(fp, host, lane);
  for (const table of ['page', ...WAITING_TABLES]) {
    const lane = table === 'page' ? '0' : 'lane';
    const where = table === 'page' ? '' : 'WHERE for_origin IS NULL';
    for (const row of all<{ url: string; host: number; lane: number }>(
      db,
      `SELECT url, host, ${lane} AS lane FROM ${table} ${where}`,
    ))
      add(fingerprint(row.url), row.host, row.lane);
  }
  const { batch } = readCounters(db);
  const first =
    Math.max(batch, (db.prepare('SELECT max(batch) AS n FROM seen').get() as { n: number | null }).n ?? 0) + 1;
  db.exec('DELETE FROM seen');
  const insert = db.prepare('INSERT INTO seen (batch, entries) VALUES (?, ?)');
  for (let from = 0; from < entries.length; from += ENTRIES_PER_ROW) {
    const some = entries.slice(from, from + ENTRIES_PER_ROW);
    const bytes = Buffer.alloc(some.length * SEEN_ENTRY_BYTES);
    for (const [at, { fp, host, lane }] of some.entries()) {
      bytes.writeBigUInt64LE(fp, at * SEEN_ENTRY_BYTES);
      bytes.writeUInt32LE(host, at * SEEN_ENTRY_BYTES + 8);
      bytes.writeUInt8(lane, at * SEEN_ENTRY_BYTES + 12);
    }
    insert.run(first + from / ENTRIES_PER_ROW, bytes);
  }
}
