import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Fingerprint, fingerprint, fromSigned, toSigned } from '../../../base/fingerprint.ts';
import type { CanonicalUrl } from '../../../contracts/url.ts';
import type { HostId } from '../../../frontier/host-table.ts';
import type { QueueRow } from './queue-rows.ts';

/** In which table a page waits. */
export const Waits = {
  /** In its queue, and never visited. */
  fresh: 0,
  /** In its queue once more. */
  again: 1,
  /** In `later`, to be tried again. */
  retry: 2,
  /** In `revisit`. */
  planned: 3,
} as const;

export interface PlaceRow {
  readonly host: HostId;
  readonly lane: number;
  readonly ord: number;
  readonly waits: number;
  /** Its time, where it waits for one. */
  readonly at: number | null;
  readonly why: string | null;
}

/** Why a URL has its place, and how far it is off topic. */
export interface PlaceWords {
  readonly why?: string;
  readonly offTopic?: number;
}

export interface FreshPlace {
  readonly fingerprint: Fingerprint;
  readonly host: HostId;
  readonly depth: number;
  readonly lane: number;
  readonly why: string | null;
  readonly url: CanonicalUrl;
  readonly inFeed: boolean;
  readonly foundAt: number;
}

const SLICE = 2000;
const LEAST_FINGERPRINT = -(2n ** 63n);
/** In `meta`: the table holds every page that waits. */
const COMPLETE = 'places';

/** Finds a waiting page by its fingerprint, so that it can be moved. A row for each page in queue, later and revisit. */
export class PlaceRows {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #wait: StatementSync;
  readonly #find: StatementSync;
  readonly #words: StatementSync;
  readonly #shift: StatementSync;
  readonly #hasten: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare(`INSERT OR REPLACE INTO place (fp, host, lane, ord, depth, waits, at, why, off_topic)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#delete = db.prepare('DELETE FROM place WHERE fp = ?');
    this.#wait = db.prepare('UPDATE place SET waits = ?, at = ?, lane = ?, ord = ? WHERE fp = ?');
    this.#find = db.prepare('SELECT host, lane, ord, waits, at, why FROM place WHERE fp = ?');
    this.#words = db.prepare('SELECT why, off_topic AS offTopic FROM place WHERE fp = ?');
    this.#hasten = db.prepare('UPDATE place SET at = ? WHERE fp = ?');
    this.#shift = db.prepare('UPDATE place SET lane = ?, why = ? WHERE fp = ?');
  }

  /** Whether an earlier run has kept the table up to its end. */
  get complete(): boolean {
    return this.#db.prepare('SELECT 1 FROM meta WHERE name = ?').get(COMPLETE) !== undefined;
  }

  /** No row can be relied on from here on. */
  static forget(db: DatabaseSync): void {
    if (db.prepare('DELETE FROM meta WHERE name = ?').run(COMPLETE).changes > 0) db.exec('DELETE FROM place');
  }

  enter(fp: Fingerprint, row: QueueRow, words: PlaceWords): void {
    const waits = row.visited === 0 ? Waits.fresh : Waits.again;
    const { host, lane, ord, depth } = row;
    this.#insert.run(toSigned(fp), host, lane, ord, depth, waits, null, words.why ?? null, words.offTopic ?? null);
  }

  /** A page that was settled before waits for a time. */
  plan(row: QueueRow, at: number): void {
    const { host, lane, ord, depth } = row;
    this.#insert.run(toSigned(fingerprint(row.url)), host, lane, ord, depth, Waits.planned, at, null, null);
  }

  leave(row: QueueRow): void {
    this.#delete.run(toSigned(fingerprint(row.url)));
  }

  /** It waits elsewhere now; `at` where that is for a time. */
  wait(row: QueueRow, waits: number, at: number | null): void {
    this.#wait.run(waits, at, row.lane, row.ord, toSigned(fingerprint(row.url)));
  }

  find(fp: Fingerprint): PlaceRow | undefined {
    return this.#find.get(toSigned(fp)) as unknown as PlaceRow | undefined;
  }

  shift(fp: Fingerprint, lane: number, why: string): void {
    this.#shift.run(lane, why, toSigned(fp));
  }

  hasten(fp: Fingerprint, at: number): void {
    this.#hasten.run(at, toSigned(fp));
  }

  /** All that wait in one way until after `latest` wait until `at`. Goes through all places. */
  bringForward(waits: number, latest: number, at: number): void {
    this.#db.prepare('UPDATE place SET at = ? WHERE waits = ? AND at > ?').run(at, waits, latest);
  }

  wordsOf(url: string): PlaceWords {
    const row = this.#words.get(toSigned(fingerprint(url))) as
      | { why: string | null; offTopic: number | null }
      | undefined;
    return {
      ...(row === undefined || row.why === null ? {} : { why: row.why }),
      ...(row === undefined || row.offTopic === null ? {} : { offTopic: row.offTopic }),
    };
  }

  /** Pages in queues that were never visited. In slices, for URLs come and go meanwhile. */
  *fresh(): Generator<FreshPlace> {
    const select = this.#db.prepare(`SELECT fp, host, depth, lane, why, url, how, found_at
      FROM (SELECT fp, host, lane, ord, why FROM place WHERE fp > ? AND waits = ${Waits.fresh} ORDER BY fp LIMIT ${SLICE})
      JOIN queue USING (host, lane, ord) ORDER BY fp`);
    select.setReadBigInts(true);
    for (let after = LEAST_FINGERPRINT; ; ) {
      const rows = select.all(after) as unknown as {
        fp: bigint;
        host: bigint;
        depth: bigint;
        lane: bigint;
        why: string | null;
        url: CanonicalUrl;
        how: QueueRow['how'];
        found_at: number;
      }[];
      if (rows.length === 0) return;
      after = rows[rows.length - 1].fp;
      for (const { fp, host, depth, lane, why, url, how, found_at: foundAt } of rows) {
        const numbers = { host: Number(host), depth: Number(depth), lane: Number(lane) };
        yield { fingerprint: fromSigned(fp), ...numbers, why, url, inFeed: how === 'feed', foundAt };
      }
    }
  }

  /** Fills the table from those that hold the pages, a transaction for each slice. */
  rebuild(transaction: (change: () => void) => void): void {
    transaction(() => this.#db.exec('DELETE FROM place'));
    for (const [table, waits] of [
      ['queue', Waits.again],
      ['later', Waits.retry],
      ['revisit', Waits.planned],
    ] as const) {
      const key = table === 'queue' ? 'host, lane, ord' : 'at, host, lane, ord';
      const select = this.#db.prepare(`SELECT *, for_origin IS NULL AS page FROM ${table}
        WHERE (${key}) > (${key.replace(/\w+/g, '?')}) ORDER BY ${key} LIMIT ${SLICE}`);
      let after = key.split(', ').map(() => -Number.MAX_VALUE);
      for (;;) {
        const rows = select.all(...after) as unknown as (QueueRow & { at?: number; page: number })[];
        if (rows.length === 0) break;
        transaction(() => {
          for (const row of rows) {
            if (row.page === 0) continue;
            const state = table === 'queue' && row.visited === 0 ? Waits.fresh : waits;
            const { host, lane, ord, depth } = row;
            const fp = toSigned(fingerprint(row.url));
            this.#insert.run(fp, host, lane, ord, depth, state, row.at ?? null, null, null);
          }
        });
        const last = rows[rows.length - 1];
        after = table === 'queue' ? [last.host, last.lane, last.ord] : [last.at ?? 0, last.host, last.lane, last.ord];
      }
    }
    transaction(() =>
      this.#db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(COMPLETE, 'true'),
    );
  }
}
