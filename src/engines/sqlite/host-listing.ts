import type { DatabaseSync } from 'node:sqlite';
import type { HostRecord } from '../../contracts/page-store.ts';
import type { HostKey } from '../../contracts/url.ts';
import { PARK_REASONS } from '../../frontier/host-table.ts';
import { readCounters } from './counters.ts';

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

/** The hosts with the longest queues, then those with the most pages. */
export function listHosts(db: DatabaseSync, max: number): HostRecord[] {
  const rows = db.prepare('SELECT * FROM host ORDER BY queued DESC, pages DESC, id LIMIT ?').all(max);
  return (rows as unknown as HostRowValues[]).map(hostRecordOf);
}

export function queueCounts(db: DatabaseSync): { queued: number; later: number; parked: number; hosts: number } {
  const sums = db
    .prepare('SELECT count(*) AS hosts, total(queued) AS queued, total(iif(parked > 0, queued, 0)) AS parked FROM host')
    .get() as { hosts: number; queued: number; parked: number };
  return { ...sums, later: readCounters(db).later };
}
