import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HostId } from '../../../frontier/host-table.ts';

export interface Lease {
  readonly id: number;
  readonly host: HostId;
  readonly lane: number;
  readonly ord: number;
  readonly until: number;
}

/** Open leases, in memory in the order of their ends (all are equally long) and on disk for the next process. */
export class LeaseRows {
  readonly #open = new Map<HostId, Lease>();
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #db: DatabaseSync;
  #lastId = 0;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO lease (host, lane, ord, until) VALUES (?, ?, ?, ?)');
    this.#delete = db.prepare('DELETE FROM lease WHERE host = ?');
  }

  get size(): number {
    return this.#open.size;
  }

  get(host: HostId): Lease | undefined {
    return this.#open.get(host);
  }

  insert(host: HostId, lane: number, ord: number, until: number): Lease {
    const lease = { id: ++this.#lastId, host, lane, ord, until };
    this.#insert.run(host, lane, ord, until);
    this.#open.set(host, lease);
    return lease;
  }

  remove(host: HostId): void {
    this.#open.delete(host);
    this.#delete.run(host);
  }

  /** The machine slept: each has as much time left as before. */
  prolong(ms: number): void {
    for (const [host, lease] of this.#open) this.#open.set(host, { ...lease, until: lease.until + ms });
  }

  /** When the oldest lease runs out. */
  firstEnd(): number | undefined {
    return this.#open.values().next().value?.until;
  }

  anyExpired(now: number): boolean {
    return (this.firstEnd() ?? Number.POSITIVE_INFINITY) <= now;
  }

  expired(now: number): Lease[] {
    return [...this.#open.values()].filter((lease) => lease.until <= now);
  }

  /** Forgets what an earlier process left behind, and says which hosts it was asking. */
  removeAll(): HostId[] {
    const rows = this.#db.prepare('SELECT host FROM lease').all() as { host: number }[];
    this.#db.exec('DELETE FROM lease');
    return rows.map((row) => row.host);
  }
}
