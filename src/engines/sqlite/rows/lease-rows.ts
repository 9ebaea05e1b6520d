import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Claim } from '../../../contracts/crawl-task.ts';
import type { LeaseStage } from '../../../frontier/host-schedule.ts';
import type { HostId } from '../../../frontier/host-table.ts';
import type { QueueRow } from './queue-rows.ts';

export interface Lease {
  readonly id: number;
  readonly host: HostId;
  readonly lane: number;
  readonly ord: number;
  /** What stands in that place: nobody changes or moves it while it is leased. */
  readonly row: QueueRow;
  readonly since: number;
  readonly until: number;
  /** When its host had been due; what counts again where no request was sent. */
  readonly dueBefore: number;
  /** Default: its request may be under way. */
  readonly stage?: LeaseStage;
  /** Of one that was given ahead: what it was given as. */
  readonly claim?: Claim;
}

/** Of a lease of which nothing is known but that there was one. */
export const UNKNOWN_END = 0;

const NONE: readonly Lease[] = [];

/** Open leases, in memory in the order of their ends (all are equally long) and on disk for the next process. */
export class LeaseRows {
  readonly #open = new Map<number, Lease>();
  readonly #ofHost = new Map<HostId, readonly Lease[]>();
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #db: DatabaseSync;
  #lastId = 0;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO lease (host, lane, ord, until) VALUES (?, ?, ?, ?)');
    this.#delete = db.prepare('DELETE FROM lease WHERE host = ? AND lane = ? AND ord = ?');
  }

  get size(): number {
    return this.#open.size;
  }

  /** The lease of a claim, while it is open. */
  get(id: number, host: HostId | undefined): Lease | undefined {
    const lease = this.#open.get(id);
    return lease?.host === host ? lease : undefined;
  }

  of(host: HostId): readonly Lease[] {
    return this.#ofHost.get(host) ?? NONE;
  }

  /** Hosts that have any. */
  hosts(): HostId[] {
    return [...this.#ofHost.keys()];
  }

  has(host: HostId, lane: number, ord: number): boolean {
    return this.of(host).some((lease) => lease.lane === lane && lease.ord === ord);
  }

  insert(wanted: Omit<Lease, 'id'>): Lease {
    const lease = { id: ++this.#lastId, ...wanted };
    const { host, lane, ord, until } = lease;
    this.#insert.run(host, lane, ord, until);
    this.#open.set(lease.id, lease);
    const others = this.#ofHost.get(host);
    this.#ofHost.set(host, others === undefined ? [lease] : [...others, lease]);
    return lease;
  }

  /** Its request begins, or has ended. In memory alone: the next process cannot know how far it had come. */
  change(lease: Lease, change: Partial<Pick<Lease, 'stage' | 'since' | 'claim' | 'dueBefore'>>): Lease {
    const changed = { ...lease, ...change };
    this.#open.set(lease.id, changed);
    this.#ofHost.set(
      lease.host,
      this.of(lease.host).map((other) => (other.id === lease.id ? changed : other)),
    );
    return changed;
  }

  remove({ id, host, lane, ord }: Lease): void {
    this.#open.delete(id);
    const others = this.of(host).filter((other) => other.id !== id);
    if (others.length === 0) this.#ofHost.delete(host);
    else this.#ofHost.set(host, others);
    this.#delete.run(host, lane, ord);
  }

  /** The machine slept: each has as much time left as before. */
  prolong(ms: number): void {
    for (const [id, lease] of this.#open) this.#open.set(id, { ...lease, until: lease.until + ms });
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

  /** Forgets what an earlier process left behind, and says which hosts it was asking, and the end of the oldest lease of each. */
  removeAll(): Pick<Lease, 'host' | 'until'>[] {
    const rows = this.#db.prepare('SELECT host, min(until) AS until FROM lease GROUP BY host').all();
    this.#db.exec('DELETE FROM lease');
    return rows.map(({ host, until }) => ({ host: Number(host), until: Number(until) }));
  }
}
