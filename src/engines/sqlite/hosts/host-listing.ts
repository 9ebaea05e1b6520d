import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HostRecord } from '../../../contracts/page-store.ts';
import type { HostListing, HostStanding, HostStates } from '../../../contracts/state/state-reader.ts';
import type { HostKey } from '../../../contracts/url.ts';
import { PARK_REASONS } from '../../../frontier/host-table.ts';
import { readHold } from './hold-text.ts';

export interface HostRowValues {
  readonly [column: string]: number | string | null;
}

/** A row of the host table as the contract has it. */
export function hostRecordOf(row: HostRowValues): HostRecord {
  const parked = PARK_REASONS[Number(row.parked)];
  return {
    host: String(row.key) as HostKey,
    dueAt: Number(row.due_at),
    holdUntil: Number(row.hold_until),
    ...(row.hold_why === null ? {} : { hold: readHold(String(row.hold_why)) }),
    ...(Number(row.crawl_delay) > 0 ? { crawlDelayMs: Number(row.crawl_delay) } : {}),
    pushbacks: Number(row.pushbacks),
    lastFetchMs: Number(row.last_fetch),
    queued: Number(row.queued),
    pages: Number(row.pages),
    bytes: Number(row.bytes),
    fetchMs: Number(row.spent),
    ...(row.address === null ? {} : { address: String(row.address) }),
    ...(parked === '' ? {} : { parked }),
  };
}

/** URLs in the queue of a host. */
export type QueueLengths = (db: DatabaseSync, host: number) => number;

const counting = new WeakMap<DatabaseSync, StatementSync>();

/** A host's row may be older than the last URLs that came into its queue. */
export const countedLengths: QueueLengths = (db, host) => {
  const count = counting.get(db) ?? db.prepare('SELECT count(*) AS count FROM queue WHERE host = ?');
  counting.set(db, count);
  return (count.get(host) as { count: number }).count;
};

export class SqliteHostListing implements HostListing {
  readonly #db: DatabaseSync;
  readonly #lengthOf: QueueLengths;

  constructor(db: DatabaseSync, lengthOf: QueueLengths = countedLengths) {
    this.#db = db;
    this.#lengthOf = lengthOf;
  }

  busiest(max: number): HostRecord[] {
    return this.#list('ORDER BY queued DESC, pages DESC, id', max);
  }

  slowest(max: number): HostRecord[] {
    return this.#list('WHERE last_fetch > 0 ORDER BY last_fetch DESC', max);
  }

  inTrouble(now: number, max: number): { count: number; hosts: HostRecord[] } {
    const which = 'WHERE parked > 0 OR hold_until > ?';
    const { count } = this.#db.prepare(`SELECT count(*) AS count FROM host ${which}`).get(now) as { count: number };
    return { count, hosts: this.#list(`${which} ORDER BY pushed_at DESC, id`, now, max) };
  }

  byState(now: number): HostStates {
    const row = this.#db
      .prepare(`SELECT count(*) AS hosts,
        total(parked > 0) AS parked,
        total(parked = 0 AND hold_until > :now) AS held,
        total(parked = 0 AND hold_until <= :now AND queued > 0 AND due_at > :now) AS waiting,
        total(parked = 0 AND hold_until <= :now AND queued > 0 AND due_at <= :now) AS ready FROM host`)
      .get({ now }) as { hosts: number; parked: number; held: number; waiting: number; ready: number };
    const { hosts, ready, waiting, held, parked } = row;
    return { ready, waiting, held, parked, idle: hosts - ready - waiting - held - parked };
  }

  standing(now: number): HostStanding {
    const rows = this.#db
      .prepare(`SELECT CASE WHEN parked > 0 THEN 'parked' WHEN hold_until > ?1 THEN 'held' WHEN queued = 0 THEN 'idle'
          WHEN due_at > ?1 THEN 'resting' ELSE 'ready' END AS stands, lane, count(*) AS hosts, sum(queued) AS urls
        FROM host GROUP BY stands, lane`)
      .all(now) as { stands: keyof Omit<HostStanding, 'frontQueues'>; lane: number; hosts: number; urls: number }[];
    const counts = { ready: 0, resting: 0, held: 0, parked: 0, idle: 0 };
    const lanes = new Map<number, { hosts: number; urls: number }>();
    for (const { stands, lane, hosts, urls } of rows) {
      counts[stands] += hosts;
      if (urls === 0 || stands === 'parked') continue;
      const before = lanes.get(lane) ?? { hosts: 0, urls: 0 };
      lanes.set(lane, { hosts: before.hosts + hosts, urls: before.urls + urls });
    }
    const frontQueues = [...lanes].map(([lane, sums]) => ({ lane, ...sums })).sort((a, b) => a.lane - b.lane);
    return { ...counts, frontQueues };
  }

  isLeased(host: HostKey, now: number): boolean {
    const lease = this.#db.prepare(
      'SELECT 1 FROM lease JOIN host ON host.id = lease.host WHERE host.key = ? AND lease.until > ?',
    );
    return lease.get(host, now) !== undefined;
  }

  #list(which: string, ...values: readonly number[]): HostRecord[] {
    const rows = this.#db.prepare(`SELECT * FROM host ${which} LIMIT ?`).all(...values);
    return (rows as unknown as HostRowValues[]).map((row) => ({
      ...hostRecordOf(row),
      queued: this.#lengthOf(this.#db, Number(row.id)),
    }));
  }
}
