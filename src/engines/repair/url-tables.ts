import type { DatabaseSync } from 'node:sqlite';
import { fingerprint, fromSigned } from '../../base/fingerprint.ts';
import type { LostUrl } from '../../contracts/state/repair.ts';
import { SeenSet } from '../../frontier/seen-set.ts';
import { SEEN_ENTRY_BYTES } from '../sqlite/rows/seen-rows.ts';

/** A URL of the log of known ones. */
interface SeenEntry extends LostUrl {
  readonly batch: number;
}

/** Where pages wait. */
export const WAITING_TABLES = ['queue', 'later', 'revisit'] as const;

export function* seenEntries(db: DatabaseSync): Generator<SeenEntry> {
  const rows = db.prepare('SELECT batch, entries FROM seen ORDER BY batch').iterate() as Iterable<unknown>;
  for (const row of rows) {
    const { batch, entries } = row as { batch: number; entries: Uint8Array };
    const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
    for (let at = 0; at + SEEN_ENTRY_BYTES <= bytes.length; at += SEEN_ENTRY_BYTES)
      yield {
        fp: bytes.readBigUInt64LE(at),
        host: bytes.readUInt32LE(at + 8),
        lane: bytes.readUInt8(at + 12),
        batch,
      };
  }
}

/** Fingerprints of the pages that wait; `twice` counts those that wait at more than one place. */
export function waitingPages(db: DatabaseSync): { readonly waiting: SeenSet; readonly twice: number } {
  const waiting = new SeenSet();
  let twice = 0;
  for (const table of WAITING_TABLES)
    for (const { url } of all<{ url: string }>(db, `SELECT url FROM ${table} WHERE for_origin IS NULL`))
      if (!waiting.add(fingerprint(url))) twice++;
  return { waiting, twice };
}

export function settledPages(db: DatabaseSync): SeenSet {
  return fingerprints(db, "SELECT fp FROM page WHERE kind <> 'deferred'");
}

export function refusedUrls(db: DatabaseSync): SeenSet {
  return fingerprints(db, 'SELECT fp FROM refusal');
}

/** URLs that the crawl knows by their fingerprint alone: their rows are lost. */
export function* urlsLost(db: DatabaseSync): Generator<SeenEntry> {
  const { waiting } = waitingPages(db);
  const settled = settledPages(db);
  const refused = refusedUrls(db);
  const told = new SeenSet();
  for (const entry of seenEntries(db)) {
    const { fp } = entry;
    if (!waiting.has(fp) && !settled.has(fp) && !refused.has(fp) && told.add(fp)) yield entry;
  }
}

/** Every URL that has a row, or is in the log. */
export function knownUrls(db: DatabaseSync): SeenSet {
  const known = refusedUrls(db);
  for (const { fp } of seenEntries(db)) known.add(fp);
  for (const table of ['page', ...WAITING_TABLES])
    for (const { url } of all<{ url: string }>(db, `SELECT url FROM ${table}`)) known.add(fingerprint(url));
  return known;
}

export function all<Row>(db: DatabaseSync, sql: string): Iterable<Row> {
  return db.prepare(sql).iterate() as Iterable<unknown> as Iterable<Row>;
}

function fingerprints(db: DatabaseSync, sql: string): SeenSet {
  const set = new SeenSet();
  const select = db.prepare(sql);
  select.setReadBigInts(true);
  for (const row of select.iterate() as Iterable<unknown>) set.add(fromSigned((row as { fp: bigint }).fp));
  return set;
}
