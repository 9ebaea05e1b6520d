import type { DatabaseSync } from 'node:sqlite';
import type { HostRecord } from '../../../contracts/page-store.ts';
import type { HostKey } from '../../../contracts/url.ts';
import { PARK_REASONS } from '../../../frontier/host-table.ts';
import { readCounters } from '../counters.ts';
import { hasTable } from '../state-database.ts';

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
    ...(row.hold_why === null ? {} : { holdWhy: String(row.hold_why) }),
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

/** The hosts with the most to do, about; the lengths of their queues are exact. */
export function listHosts(db: DatabaseSync, max: number): HostRecord[] {
  const rows = db.prepare('SELECT * FROM host ORDER BY queued DESC, pages DESC, id LIMIT ?').all(max);
  return (rows as unknown as HostRowValues[]).map((row) => ({
    ...hostRecordOf(row),
    queued: queueLength(db, Number(row.id)),
  }));
}

/** A host's row may be older than the last URLs that came into its queue. */
export function queueLength(db: DatabaseSync, host: number): number {
  return (db.prepare('SELECT count(*) AS count FROM queue WHERE host = ?').get(host) as { count: number }).count;
}

/** Pages whose next visit should have been made by now. */
export function visitsDue(db: DatabaseSync, now: number): number {
  if (!hasTable(db, 'revisit')) return 0;
  return (db.prepare('SELECT count(*) AS count FROM revisit WHERE at <= ?').get(now) as { count: number }).count;
}

/** `planned`: pages that will be visited again, where the crawl goes on doing so. */
export function queueCounts(db: DatabaseSync): {
  queued: number;
  later: number;
  planned: number;
  parked: number;
  hosts: number;
} {
  const { hosts } = db.prepare('SELECT count(*) AS hosts FROM host').get() as { hosts: number };
  const { queued, parked, later, planned } = readCounters(db);
  return { hosts, queued, parked, later, planned };
}
