import type { DatabaseSync } from 'node:sqlite';
import { fingerprint } from '../../base/fingerprint.ts';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import { SeenSet } from '../../frontier/seen-set.ts';
import { countPages, readCounters } from '../sqlite/counters.ts';
import { DERIVED_TABLES, isSoundRow, type NamedRow } from './sound-row.ts';
import { all, seenEntries, urlsLost, WAITING_TABLES, waitingPages } from './url-tables.ts';

/** Lines of SQLite's own check that are told; one damaged page can give thousands. */
const MOST_LINES = 5;
/** Pages of which a copy is held. */
export const HOLDS = "(kind IN ('stored', 'duplicate', 'unchanged') OR held IS NOT NULL)";
/** Pages that are to be visited again. */
export const STRANDABLE = "SELECT url FROM page WHERE next_visit IS NOT NULL AND kind <> 'deferred'";

/** What SQLite finds wrong with the file. Throws where it cannot read it at all. */
export function checkDatabase(db: DatabaseSync): FolderProblem[] {
  const lines = all<{ integrity_check: string }>(db, 'PRAGMA integrity_check(1000)');
  const faults = [...lines].map((line) => line.integrity_check).filter((line) => line !== 'ok');
  if (faults.length === 0) return [];
  const told = faults.slice(0, MOST_LINES).join('; ').replace(/\s+/g, ' ');
  return [problem('database-damaged', faults.length, `The database of the state is damaged: ${told}.`)];
}

/** Rows that Orbweaver cannot have written. */
export function checkRows(db: DatabaseSync): FolderProblem[] {
  const problems: FolderProblem[] = [];
  const tables = [...all<{ name: string }>(db, "SELECT name FROM sqlite_master WHERE type = 'table'")];
  for (const { name } of tables.filter((table) => !DERIVED_TABLES.has(table.name))) {
    const select = db.prepare(`SELECT * FROM ${name}`);
    select.setReadBigInts(true);
    let unsound = 0;
    for (const row of select.iterate() as Iterable<unknown>)
      if (!isSoundRow(name, withNumbers(row as NamedRow))) unsound++;
    if (unsound > 0)
      problems.push(problem('rows-damaged', unsound, `${unsound} rows of the table ${name} are damaged.`));
  }
  return problems;
}

/** Whether the tables of a sound database agree with each other. */
export function checkTables(db: DatabaseSync): FolderProblem[] {
  return [...checkUrls(db), ...checkQueues(db), ...checkOriginals(db), ...checkSums(db)];
}

function checkUrls(db: DatabaseSync): FolderProblem[] {
  const { waiting, twice } = waitingPages(db);
  const seen = new SeenSet();
  for (const { fp } of seenEntries(db)) seen.add(fp);
  let unknown = 0;
  for (const table of ['page', ...WAITING_TABLES])
    for (const { url, robots } of all<{ url: string; robots: unknown }>(
      db,
      `SELECT url, ${table === 'page' ? 'NULL' : 'for_origin'} AS robots FROM ${table}`,
    ))
      if (robots === null && !seen.has(fingerprint(url))) unknown++;
  let stranded = 0;
  for (const { url } of all<{ url: string }>(db, STRANDABLE))
    if (!waiting.has(fingerprint(url)) && !isHeldBack(db, url)) stranded++;
  const lost = count(urlsLost(db));
  return some([
    [twice, 'waiting-twice', `${twice} pages wait at two places.`],
    [unknown, 'not-known', `${unknown} URLs are not among the known ones.`],
    [stranded, 'visit-lost', `${stranded} pages have lost the visit that they wait for.`],
    [lost, 'url-lost', `${lost} URLs are known, but the rows that say what became of them are lost.`],
  ]);
}

export function isHeldBack(db: DatabaseSync, url: string): boolean {
  return db.prepare('SELECT 1 FROM refusal WHERE fp = ?').get(BigInt.asIntN(64, fingerprint(url))) !== undefined;
}

function checkQueues(db: DatabaseSync): FolderProblem[] {
  const one = (sql: string): number => (db.prepare(sql).get() as { n: number }).n;
  const leases = one(`SELECT count(*) AS n FROM lease WHERE NOT EXISTS
    (SELECT 1 FROM queue WHERE queue.host = lease.host AND queue.lane = lease.lane AND queue.ord = lease.ord)`);
  const hosts = one('SELECT count(*) AS n FROM host');
  const homeless = ['page', ...WAITING_TABLES]
    .map((table) => one(`SELECT count(*) AS n FROM ${table} WHERE host NOT IN (SELECT id FROM host)`))
    .reduce((sum, n) => sum + n, 0);
  const gaps = hosts === 0 ? 0 : one('SELECT max(id) + 1 AS n FROM host') - hosts;
  const lengths = wrongLengths(db);
  const budgets = one(`SELECT count(*) AS n FROM host LEFT JOIN
    (SELECT host, count(*) AS held FROM page WHERE ${HOLDS} GROUP BY host) ON host = id WHERE pages <> coalesce(held, 0)`);
  return some([
    [leases, 'lease-without-url', `${leases} leases are of URLs that are not queued.`],
    [homeless + gaps, 'host-lost', `${homeless + gaps} rows of hosts are missing.`],
    [lengths, 'queue-length', `${lengths} hosts have queues of another length than they say.`],
    [budgets, 'host-pages', `${budgets} hosts hold another number of pages than they say.`],
  ]);
}

/** URLs that came in after the row of their host was written are counted by the log alone. */
function wrongLengths(db: DatabaseSync): number {
  const queued = new Map<number, { length: number; asOf: number }>();
  for (const { id, queued: length, as_of } of all<{ id: number; queued: number; as_of: number }>(
    db,
    'SELECT id, queued, as_of FROM host',
  ))
    queued.set(id, { length, asOf: as_of });
  for (const { host, batch } of seenEntries(db)) {
    const row = queued.get(host);
    if (row !== undefined && batch > row.asOf) row.length++;
  }
  for (const { host, n } of all<{ host: number; n: number }>(
    db,
    'SELECT host, count(*) AS n FROM queue GROUP BY host',
  )) {
    const row = queued.get(host);
    if (row !== undefined) row.length -= n;
  }
  return [...queued.values()].filter(({ length }) => length !== 0).length;
}

/** The original of a content is a page that has it. */
function checkOriginals(db: DatabaseSync): FolderProblem[] {
  const stale = (
    db.prepare(`SELECT count(*) AS n FROM digest WHERE url NOT IN (SELECT url FROM page WHERE ${HOLDS})`).get() as {
      n: number;
    }
  ).n;
  const alike = (
    db.prepare('SELECT count(*) AS n FROM likeness WHERE page NOT IN (SELECT fp FROM page)').get() as { n: number }
  ).n;
  return some([
    [stale, 'original-lost', `${stale} contents are said to be held by pages that do not hold them.`],
    [alike, 'likeness-lost', `${alike} documents are compared whose pages are not known.`],
  ]);
}

function checkSums(db: DatabaseSync): FolderProblem[] {
  const kept = readCounters(db);
  const counted = countPages(db);
  const rows = (table: string): number => (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  const { pages, distinctDocuments, nearDuplicates, spam, outcomes, failed } = counted;
  const now = {
    pages,
    distinctDocuments,
    nearDuplicates,
    spam,
    outcomes,
    failed,
    later: rows('later'),
    planned: rows('revisit'),
  };
  const wrong = Object.entries(now).filter(([name, value]) => !isSame(kept[name as keyof typeof now], value));
  const names = wrong.map(([name]) => name).join(', ');
  return some([[wrong.length, 'sums', `Sums of the crawl do not agree with its tables: ${names}.`]]);
}

function isSame(a: number | Record<string, number>, b: number | Record<string, number>): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => (a[name] ?? 0) === (b[name] ?? 0));
}

/** Numbers as SQLite gives them by default; 64-bit keys stay whole. */
function withNumbers(row: NamedRow): NamedRow {
  const narrow = (value: unknown): unknown =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, narrow(value)])) as NamedRow;
}

function some(found: readonly (readonly [count: number, code: string, what: string])[]): FolderProblem[] {
  return found.filter(([n]) => n > 0).map(([n, code, what]) => problem(code, n, what));
}

function problem(code: string, n: number, what: string): FolderProblem {
  return { area: 'state', code, what, count: n };
}

function count(items: Iterable<unknown>): number {
  let n = 0;
  for (const _ of items) n++;
  return n;
}
