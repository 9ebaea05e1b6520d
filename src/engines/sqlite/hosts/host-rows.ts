import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Hold } from '../../../contracts/crawl-task.ts';
import type { HostKey } from '../../../contracts/url.ts';
import type { HostId, HostTable } from '../../../frontier/host-table.ts';
import { readHold, writeHold } from './hold-text.ts';

interface HostRow {
  id: number;
  key: HostKey;
  due_at: number;
  hold_until: number;
  hold_why: string | null;
  crawl_delay: number;
  last_fetch: number;
  pushbacks: number;
  pushed_at: number;
  queued: number;
  lane: number;
  pages: number;
  bytes: number;
  spent: number;
  parked: number;
  address: string | null;
  as_of: number;
}

/** Carries hosts between the table in memory and the rows on disk. */
export class HostRows {
  readonly #hosts: HostTable;
  readonly #replace: StatementSync;
  readonly #dirty = new Set<HostId>();
  /** Rare words, kept apart from the numbers. */
  readonly holds = new Map<HostId, Hold>();
  readonly address = new Map<HostId, string>();

  constructor(db: DatabaseSync, hosts: HostTable) {
    this.#hosts = hosts;
    this.#replace = db.prepare(`INSERT OR REPLACE INTO host
      (id, key, due_at, hold_until, hold_why, crawl_delay, last_fetch, pushbacks, pushed_at, queued, lane, pages, bytes, spent, parked, address, as_of)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  }

  /** Returns, for each host, the batch of adds up to which its row counts. */
  load(db: DatabaseSync): number[] {
    const h = this.#hosts;
    const asOf: number[] = [];
    for (const row of db.prepare('SELECT * FROM host ORDER BY id').iterate() as Iterable<unknown>) {
      const r = row as HostRow;
      const id = h.append(r.key);
      h.dueAt[id] = r.due_at;
      h.holdUntil[id] = r.hold_until;
      h.crawlDelayMs[id] = r.crawl_delay;
      h.lastFetchMs[id] = r.last_fetch;
      h.pushbacks[id] = r.pushbacks;
      h.pushedAt[id] = r.pushed_at;
      h.queued[id] = r.queued;
      h.lane[id] = r.lane;
      h.pages[id] = r.pages;
      h.bytes[id] = r.bytes;
      h.spentMs[id] = r.spent;
      h.parked[id] = r.parked;
      asOf.push(r.as_of);
      if (r.hold_why !== null) this.holds.set(id, readHold(r.hold_why));
      if (r.address !== null) this.address.set(id, r.address);
    }
    return asOf;
  }

  append(key: HostKey): HostId {
    const id = this.#hosts.append(key);
    this.touch(id);
    return id;
  }

  /** The host's numbers changed; they are written with the transaction. An add need not tell: the log of URLs does. */
  touch(host: HostId): void {
    this.#dirty.add(host);
  }

  /** `batch`: the last batch of adds. */
  write(batch: number): void {
    const h = this.#hosts;
    for (const id of this.#dirty) {
      this.#replace.run(
        id,
        h.keyOf(id),
        h.dueAt[id],
        h.holdUntil[id],
        writeHold(this.holds.get(id)),
        h.crawlDelayMs[id],
        h.lastFetchMs[id],
        h.pushbacks[id],
        h.pushedAt[id],
        h.queued[id],
        h.lane[id],
        h.pages[id],
        h.bytes[id],
        h.spentMs[id],
        h.parked[id],
        this.address.get(id) ?? null,
        batch,
      );
    }
    this.#dirty.clear();
  }
}
