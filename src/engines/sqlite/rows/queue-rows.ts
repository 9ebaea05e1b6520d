import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../../base/fingerprint.ts';
import type { CrawlTask, Discovery } from '../../../contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../../contracts/url.ts';
import { drawLane, type LaneChoice } from '../../../frontier/front-queues.ts';
import type { HostId } from '../../../frontier/host-table.ts';

/** Lane of robots tasks, probes and retries, before all others. */
export const FRONT_LANE = 0;

/** Places below are those of robots tasks, probes and retries, which come before all pages in either direction. */
export const LEAST_OF_PAGES = -(2 ** 52);

/** A place before every page of the lane, in either direction. Without the order's sign: beyond 2^53 it could not be read. */
export function frontPlace(ord: number): number {
  return Math.abs(ord) - Number.MAX_SAFE_INTEGER;
}

/** What earlier visits left: a page record with or without a copy. Rows of earlier versions say `held` of both. */
export const Visited = { never: 0, held: 1, withoutCopy: 2 } as const;
export type Visited = (typeof Visited)[keyof typeof Visited];

/** Where a URL stands in the back queue of its host. */
interface QueuePlace {
  readonly lane: number;
  readonly ord: number;
}

/** A URL in its back queue. */
export interface QueueRow {
  host: HostId;
  lane: number;
  ord: number;
  url: CanonicalUrl;
  depth: number;
  redirects: number;
  tries: number;
  visited: Visited;
  how: Discovery['how'];
  via: Uint8Array | null;
  anchor: string | null;
  found_at: number;
  for_origin: string | null;
}

/** In the column of the origin: a row that asks for nothing that is there, or once more for what was there. */
const ERRANDS: ReadonlySet<string> = new Set(['probe', 'recheck']);

export const QUEUE_COLUMNS =
  'host, lane, ord, url, depth, redirects, tries, visited, how, via, anchor, found_at, for_origin';
export const QUEUE_SLOTS = '?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?';

/** Of so many hosts it is remembered where the URL came from that was asked for last. */
const MOST_LAST_VIAS = 1000;

/** SQLite compiles a statement anew for every value of a limit that is a parameter, but not of a sum. */
const BOUND_LIMIT = '? + 0';

/** The columns of a row, in their order. */
type QueueValues = readonly [
  host: HostId,
  lane: number,
  ord: number,
  url: CanonicalUrl,
  depth: number,
  redirects: number,
  tries: number,
  visited: Visited,
  how: Discovery['how'],
  via: Uint8Array | null,
  anchor: string | null,
  found_at: number,
  for_origin: string | null,
];

/** The back queues on disk, and the calendar of URLs that are tried again. */
export class QueueRows {
  readonly #insert: StatementSync;
  readonly #head: Heads;
  readonly #headAgain: Heads;
  readonly #headFresh: Heads;
  readonly #newPages: StatementSync;
  readonly #sideRequest: StatementSync;
  readonly #delete: StatementSync;
  readonly #at: StatementSync;
  readonly #insertLater: StatementSync;
  readonly #dueLater: StatementSync;
  readonly #deleteLater: StatementSync;
  readonly #firstLater: StatementSync;
  readonly #move: StatementSync;
  readonly #moveLater: StatementSync;
  readonly #forward: StatementSync;
  readonly #urlOf: StatementSync;
  /** Of hosts the address that was asked for last. A fingerprint stands for no other. */
  readonly #lastVias = new Map<HostId, { readonly via: Uint8Array; readonly url: CanonicalUrl }>();

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare(`INSERT INTO queue (${QUEUE_COLUMNS}) VALUES (${QUEUE_SLOTS})`);
    this.#head = heads(db, 'lane >= ?');
    this.#headAgain = heads(db, `(visited = ${Visited.held} OR for_origin IS NOT NULL)`);
    this.#headFresh = heads(db, `(visited = ${Visited.never} OR for_origin IS NOT NULL)`);
    this.#newPages = arrays(
      db,
      `SELECT ${QUEUE_COLUMNS} FROM queue
      WHERE host = ? AND visited = ${Visited.never} AND tries = 0 AND for_origin IS NULL
      ORDER BY lane, ord LIMIT ${BOUND_LIMIT}`,
    );
    this.#at = arrays(db, `SELECT ${QUEUE_COLUMNS} FROM queue WHERE host = ? AND lane = ? AND ord = ?`);
    this.#sideRequest = db.prepare('SELECT 1 FROM queue WHERE host = ? AND url = ? AND for_origin IS NOT NULL');
    this.#delete = db.prepare('DELETE FROM queue WHERE host = ? AND lane = ? AND ord = ?');
    this.#insertLater = db.prepare(`INSERT OR REPLACE INTO later (at, ${QUEUE_COLUMNS}) VALUES (?, ${QUEUE_SLOTS})`);
    this.#dueLater = db.prepare(
      `SELECT at, ${QUEUE_COLUMNS} FROM later WHERE at <= ? ORDER BY at LIMIT ${BOUND_LIMIT}`,
    );
    this.#deleteLater = db.prepare('DELETE FROM later WHERE at = ? AND host = ? AND lane = ? AND ord = ?');
    this.#firstLater = db.prepare('SELECT min(at) AS at FROM later');
    this.#move = db.prepare('UPDATE queue SET lane = ? WHERE host = ? AND lane = ? AND ord = ?');
    this.#moveLater = db.prepare('UPDATE later SET lane = ? WHERE at = ? AND host = ? AND lane = ? AND ord = ?');
    this.#forward = db.prepare('UPDATE later SET at = ? WHERE at > ?');
    this.#urlOf = db.prepare('SELECT url FROM page WHERE fp = ?');
  }

  insert(row: QueueRow): void {
    this.#insert.run(...queueValues(row));
  }

  /** The URL to ask next, past those that are leased: the front of the best lane, or of a lane drawn by chance. */
  head(
    host: HostId,
    lanes: number,
    choice: LaneChoice,
    random: () => number,
    leased: readonly QueuePlace[],
  ): QueueRow | undefined {
    const from = choice === 'biased' ? drawLane(lanes, random) : 0;
    const row = this.#headOf(this.#head, [host, from], leased);
    return row ?? (from > 0 ? this.#headOf(this.#head, [host, 0], leased) : undefined);
  }

  /** The same of a host that gives no new pages: no URL but those of pages that it has given. Reads past those that wait for its budget. */
  headAgain(host: HostId, leased: readonly QueuePlace[]): QueueRow | undefined {
    return this.#headOf(this.#headAgain, [host], leased);
  }

  /** The first URL that was never visited. */
  headFresh(host: HostId, leased: readonly QueuePlace[]): QueueRow | undefined {
    return this.#headOf(this.#headFresh, [host], leased);
  }

  #headOf({ first, places }: Heads, values: readonly number[], leased: readonly QueuePlace[]): QueueRow | undefined {
    if (leased.length === 0) return readRow(first.get(...values));
    // Places alone: a host that may have many leases would else have as many rows read for each further one.
    const found = places.all(...values, leased.length + 1) as unknown as [number, number][];
    const head = found.find(([lane, ord]) => !isAt({ lane, ord }, leased));
    return head === undefined ? undefined : this.at(values[0], head[0], head[1]);
  }

  /** Those that were never visited, but for the ones at these places. */
  newPages(host: HostId, leased: readonly QueuePlace[], max: number): QueueRow[] {
    const rows = this.#newPages.all(host, max + leased.length) as unknown as QueueValues[];
    return rows
      .filter(([, lane, ord]) => !isAt({ lane, ord }, leased))
      .slice(0, max)
      .map(queueRow);
  }

  /** Whether a robots task, a probe or the like waits for the URL. */
  hasSideRequest(host: HostId, url: CanonicalUrl): boolean {
    return this.#sideRequest.get(host, url) !== undefined;
  }

  at(host: HostId, lane: number, ord: number): QueueRow | undefined {
    return readRow(this.#at.get(host, lane, ord));
  }

  remove(host: HostId, lane: number, ord: number): void {
    this.#delete.run(host, lane, ord);
  }

  /** Puts a URL that has left its queue into the calendar. */
  postpone(row: QueueRow, until: number): void {
    this.#insertLater.run(until, ...queueValues(row));
  }

  /** Takes URLs whose time has come out of the calendar. */
  takeDue(now: number, max: number): QueueRow[] {
    const rows = this.#dueLater.all(now, max) as unknown as (QueueRow & { at: number })[];
    for (const row of rows) this.#deleteLater.run(row.at, row.host, row.lane, row.ord);
    return rows;
  }

  /** Those that were to be tried again after `latest` are to be at `at`. True where there were any. */
  bringForward(latest: number, at: number): boolean {
    return this.#forward.run(at, latest).changes > 0;
  }

  firstLater(): number | undefined {
    return (this.#firstLater.get() as { at: number | null }).at ?? undefined;
  }

  /** Another lane for a URL in its queue, or in the calendar where a time is given. */
  move(at: number | null, host: HostId, from: number, ord: number, to: number): void {
    if (at === null) this.#move.run(to, host, from, ord);
    else this.#moveLater.run(to, at, host, from, ord);
  }

  /** The address behind a fingerprint of `via`. */
  viaUrl(via: Uint8Array | null): CanonicalUrl | undefined {
    if (via === null) return undefined;
    const row = this.#urlOf.get(toSigned(Buffer.from(via).readBigUInt64LE())) as { url: CanonicalUrl } | undefined;
    return row?.url;
  }

  /** The same of a URL of a host. Links of one page wait one after the other. */
  #viaOf({ host, via }: QueueRow): CanonicalUrl | undefined {
    const last = this.#lastVias.get(host);
    if (via !== null && last !== undefined && Buffer.compare(last.via, via) === 0) return last.url;
    const url = this.viaUrl(via);
    if (via === null || url === undefined) return undefined;
    this.#lastVias.set(host, { via, url });
    if (this.#lastVias.size > MOST_LAST_VIAS) this.#lastVias.delete(this.#lastVias.keys().next().value as HostId);
    return url;
  }

  task(row: QueueRow, host: HostKey): CrawlTask {
    const from = this.#viaOf(row);
    return {
      url: row.url,
      host,
      depth: row.depth,
      redirects: row.redirects,
      lane: row.lane,
      discovery: discoveryOf(row.how, from, row.anchor),
      ...purposeOf(row.for_origin),
    };
  }
}

/**
 * A row as an array, which the platform makes in a third of the time that an object takes, and of which the object is made in no time: one
 * that comes from the platform is slow to read and to copy, too.
 */
function arrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

/** The first row of a host that meets a condition; and the places of the first ones, as pairs. */
interface Heads {
  readonly first: StatementSync;
  readonly places: StatementSync;
}

function heads(db: DatabaseSync, condition: string): Heads {
  const from = `FROM queue WHERE host = ? AND ${condition} ORDER BY lane, ord LIMIT`;
  return {
    first: arrays(db, `SELECT ${QUEUE_COLUMNS} ${from} 1`),
    places: arrays(db, `SELECT lane, ord ${from} ${BOUND_LIMIT}`),
  };
}

function readRow(values: unknown): QueueRow | undefined {
  return values === undefined ? undefined : queueRow(values as QueueValues);
}

function queueRow(values: QueueValues): QueueRow {
  const [host, lane, ord, url, depth, redirects, tries, visited, how, via, anchor, found_at, for_origin] = values;
  return { host, lane, ord, url, depth, redirects, tries, visited, how, via, anchor, found_at, for_origin };
}

function isAt({ lane, ord }: QueuePlace, places: readonly QueuePlace[]): boolean {
  return places.some((place) => place.lane === lane && place.ord === ord);
}

export function rowOf(task: CrawlTask, host: HostId, ord: number, now: number, lanes: number): QueueRow {
  return {
    host,
    lane: task.purpose !== 'page' ? FRONT_LANE : Math.min(task.lane, lanes - 1),
    ord: task.purpose !== 'page' ? frontPlace(ord) : ord,
    url: task.url,
    depth: task.depth,
    redirects: task.redirects,
    tries: 0,
    visited: Visited.never,
    how: task.discovery.how,
    via: packVia(task.discovery.from),
    anchor: task.discovery.anchor ?? null,
    found_at: now,
    for_origin: ERRANDS.has(task.purpose) ? task.purpose : (task.forOrigin ?? null),
  };
}

function purposeOf(forOrigin: string | null): Pick<CrawlTask, 'purpose' | 'forOrigin'> {
  if (forOrigin === null) return { purpose: 'page' };
  if (ERRANDS.has(forOrigin)) return { purpose: forOrigin as CrawlTask['purpose'] };
  return { purpose: 'robots', forOrigin };
}

export function discoveryOf(how: Discovery['how'], from: CanonicalUrl | undefined, anchor: string | null): Discovery {
  return { how, ...(from === undefined ? {} : { from }), ...(anchor === null ? {} : { anchor }) };
}

export function packVia(from: CanonicalUrl | undefined): Uint8Array | null {
  if (from === undefined) return null;
  const packed = Buffer.alloc(8);
  packed.writeBigUInt64LE(fingerprint(from));
  return packed;
}

export function queueValues(row: QueueRow): (string | number | Uint8Array | null)[] {
  return [
    row.host,
    row.lane,
    row.ord,
    row.url,
    row.depth,
    row.redirects,
    row.tries,
    row.visited,
    row.how,
    row.via,
    row.anchor,
    row.found_at,
    row.for_origin,
  ];
}
