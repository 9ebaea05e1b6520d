import type { HostRecord } from '../../contracts/page-store.ts';
import { holdReason } from '../../crawl/report/describe-host-trouble.ts';
import { formatDuration } from '../frame/written-amount.ts';

/** When a host may be asked next, and why not sooner. */
export function nextTurn({ parked, holdUntil, hold, dueAt, queued }: HostRecord, now: number): string {
  if (parked !== undefined) return `parked: ${parked}`;
  if (holdUntil > now) return `in ${formatDuration(holdUntil - now)} (${holdReason(hold)})`;
  if (queued === 0) return 'nothing waits';
  return dueAt > now ? `in ${formatDuration(dueAt - now)}` : 'now';
}
