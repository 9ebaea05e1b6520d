import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Fingerprint, fingerprint, fromSigned, toSigned } from '../../base/fingerprint.ts';
import type { FoundUrl } from '../../contracts/state/repair.ts';
import { readCounters } from '../sqlite/counters.ts';
import { packVia, QUEUE_COLUMNS, QUEUE_SLOTS, type QueueRow, queueValues, Visited } from '../sqlite/rows/queue-rows.ts';
import { all, seenEntries, WAITING_TABLES } from './url-tables.ts';

type PageRow = Pick<QueueRow, 'host' | 'url' | 'depth' | 'how' | 'via' | 'anchor' | 'found_at'>;

/**
 * Puts pages whose copy is lost back into their queues, as if their turn had come and gone into something else: where they
 * were found and what became of them is kept, what was read in the lost copy is not. Nothing refers to that copy afterwards.
 */
export function requeuePages(db: DatabaseSync, lost: ReadonlySet<Fingerprint>, why: string, now: number): number {
  if (lost.size === 0) return 0;
  const lanes = new Map<Fingerprint, number>();
  for (const { fp, lane } of seenEntries(db)) if (lost.has(fp)) lanes.set(fp, lane);
  removeWaiting(db, lost);
  const entry = { kind: 'deferred', why };
  const forget =
    db.prepare(`UPDATE page SET kind = 'deferred', outcome = ?, tries = 0, next_visit = NULL, next_why = NULL,
    facts = NULL, held = NULL, history = history || ? WHERE fp = ?`);
  const select = db.prepare('SELECT host, url, depth, how, via, anchor, found_at FROM page WHERE fp = ?');
  const enter = new QueueEntry(db);
  let count = 0;
  for (const fp of lost) {
    const row = select.get(toSigned(fp)) as unknown as PageRow | undefined;
    if (row === undefined) continue;
    forget.run(JSON.stringify(entry), `${JSON.stringify({ at: now, ...entry })}\n`, toSigned(fp));
    enter.add(row, lanes.get(fp) ?? 0);
    count++;
  }
  removeReferences(db, lost);
  enter.finish();
  return count;
}

/** Puts URLs that were found again into their queues. */
export function queueFoundUrls(db: DatabaseSync, found: readonly FoundUrl[], now: number): void {
  const enter = new QueueEntry(db);
  for (const { from, lane, ...url } of found)
    enter.add({ ...url, via: packVia(from), anchor: null, found_at: now }, lane);
  enter.finish();
}

/** Content is held, and compared, by pages that have a copy. */
export function removeReferences(db: DatabaseSync, lost: ReadonlySet<Fingerprint>): void {
  const gone = [
    ...all<{ document: number; page: string }>(db, 'SELECT document, CAST(page AS TEXT) AS page FROM likeness'),
  ]
    .filter(({ page }) => lost.has(fromSigned(BigInt(page))))
    .map(({ document }) => document);
  const remove = db.prepare('DELETE FROM likeness WHERE document = ?');
  const release = db.prepare('UPDATE likeness SET near_to = NULL, jaccard = NULL WHERE near_to = ?');
  for (const document of gone) {
    release.run(document);
    remove.run(document);
  }
  const near = all<{ fp: string; url: string }>(
    db,
    "SELECT CAST(fp AS TEXT) AS fp, facts ->> '$.nearDuplicateOf.url' AS url FROM page WHERE facts -> '$.nearDuplicateOf' IS NOT NULL",
  );
  const unlike = [...near].filter(({ url }) => lost.has(fingerprint(url)));
  const alone = db.prepare("UPDATE page SET facts = json_remove(facts, '$.nearDuplicateOf') WHERE fp = ?");
  for (const { fp } of unlike) alone.run(BigInt(fp));
  const originals = [...all<{ digest: string; url: string }>(db, 'SELECT digest, url FROM digest')];
  const forget = db.prepare('DELETE FROM digest WHERE digest = ?');
  for (const { digest, url } of originals) if (lost.has(fingerprint(url))) forget.run(digest);
}

function removeWaiting(db: DatabaseSync, lost: ReadonlySet<Fingerprint>): void {
  for (const table of WAITING_TABLES) {
    const rows = all<{ url: string; host: number; lane: number; ord: number }>(
      db,
      `SELECT url, host, lane, ord FROM ${table} WHERE for_origin IS NULL`,
    );
    const remove = db.prepare(`DELETE FROM ${table} WHERE host = ? AND lane = ? AND ord = ? AND url = ?`);
    for (const { url, host, lane, ord } of [...rows].filter((row) => lost.has(fingerprint(row.url))))
      remove.run(host, lane, ord, url);
  }
}

/** Takes URLs in behind all that wait, or before them where the last one in is the first one out. */
class QueueEntry {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #sign: 1 | -1;
  #seq: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare(`INSERT INTO queue (${QUEUE_COLUMNS}) VALUES (${QUEUE_SLOTS})`);
    const direction = db.prepare("SELECT value FROM meta WHERE name = 'direction'").get() as
      | { value: string }
      | undefined;
    this.#sign = direction?.value === '"lifo"' ? -1 : 1;
    this.#seq = readCounters(db).seq;
  }

  add(row: PageRow, lane: number): void {
    const ord = this.#sign * ++this.#seq;
    const fresh = { redirects: 0, tries: 0, visited: Visited.never, for_origin: null };
    this.#insert.run(...queueValues({ ...row, ...fresh, lane, ord }));
  }

  finish(): void {
    const values = { ...readCounters(this.#db), seq: this.#seq };
    this.#db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('counters', ?)").run(JSON.stringify(values));
  }
}
