import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HostId } from '../../../frontier/host-table.ts';
import { QUEUE_COLUMNS, QUEUE_SLOTS, type QueueRow, queueValues } from './queue-rows.ts';

/** In `meta`: the last run visited pages again, so that such visits may stand in the queues. */
const IN_QUEUES = 'revisits';
/** A visit that follows no failure. */
const PLANNED = 'visited > 0 AND tries = 0 AND for_origin IS NULL';

/** Where a visit stands in the calendar. */
export interface PlannedPlace {
  readonly at: number;
  readonly host: HostId;
  readonly lane: number;
  readonly ord: number;
}

/** Finds visits by URL and time. Those put back after falling due have another time and are looked through, once. */
export function plannedPlaces(
  db: DatabaseSync,
  now: number,
): (url: string, host: HostId, nextVisit: number) => PlannedPlace | undefined {
  const select = db.prepare('SELECT at, host, lane, ord FROM revisit WHERE at = ? AND host = ? AND url = ?');
  let due: Map<string, PlannedPlace> | undefined;
  return (url, host, nextVisit) => {
    const exact = select.get(nextVisit, host, url) as unknown as PlannedPlace | undefined;
    if (exact !== undefined || nextVisit > now) return exact;
    due ??= new Map(
      db
        .prepare('SELECT at, host, lane, ord, url FROM revisit WHERE at <= ?')
        .all(now)
        .map(({ url: of, ...place }) => [of as string, place as unknown as PlannedPlace]),
    );
    return due.get(url);
  };
}

/** The calendar of pages that are visited again. A crawl that visits every URL once leaves it alone. */
export class RevisitRows {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #due: StatementSync;
  readonly #delete: StatementSync;
  readonly #first: StatementSync;
  readonly #move: StatementSync;
  readonly #hasten: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const key = 'at = ? AND host = ? AND lane = ? AND ord = ?';
    this.#insert = db.prepare(`INSERT INTO revisit (at, ${QUEUE_COLUMNS}) VALUES (?, ${QUEUE_SLOTS})`);
    this.#due = db.prepare(`SELECT at, ${QUEUE_COLUMNS} FROM revisit WHERE at <= ? ORDER BY at LIMIT ?`);
    this.#delete = db.prepare(`DELETE FROM revisit WHERE ${key}`);
    this.#first = db.prepare('SELECT min(at) AS at FROM revisit');
    this.#move = db.prepare(`UPDATE revisit SET lane = ? WHERE ${key}`);
    this.#hasten = db.prepare(`UPDATE revisit SET at = ? WHERE ${key}`);
  }

  insert(row: QueueRow, at: number): void {
    this.#insert.run(at, ...queueValues(row));
  }

  first(): number | undefined {
    return (this.#first.get() as { at: number | null }).at ?? undefined;
  }

  /** Takes out those whose time has come. */
  takeDue(now: number, max: number): QueueRow[] {
    const rows = this.#due.all(now, max) as unknown as (QueueRow & { at: number })[];
    for (const row of rows) this.#delete.run(row.at, row.host, row.lane, row.ord);
    return rows;
  }

  remove({ at, host, lane, ord }: PlannedPlace): void {
    this.#delete.run(at, host, lane, ord);
  }

  move(at: number, host: HostId, from: number, ord: number, to: number): void {
    this.#move.run(to, at, host, from, ord);
  }

  hasten(at: number, host: HostId, lane: number, ord: number, to: number): void {
    this.#hasten.run(to, at, host, lane, ord);
  }

  /** Says that visits again will stand in the queues. */
  begin(): void {
    this.#db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, 'true')").run(IN_QUEUES);
  }

  /** Puts back visits that had fallen due, so that they do not keep a crawl from ending. Returns how many each host had. */
  putBack(now: number): { host: HostId; count: number }[] {
    if (this.#db.prepare('DELETE FROM meta WHERE name = ?').run(IN_QUEUES).changes === 0) return [];
    const counts = this.#db.prepare(`SELECT host, count(*) AS count FROM queue WHERE ${PLANNED} GROUP BY host`).all();
    this.#db
      .prepare(`INSERT INTO revisit (at, ${QUEUE_COLUMNS}) SELECT ?, ${QUEUE_COLUMNS} FROM queue WHERE ${PLANNED}`)
      .run(now);
    this.#db.exec(`DELETE FROM queue WHERE ${PLANNED}`);
    return counts as unknown as { host: HostId; count: number }[];
  }
}
