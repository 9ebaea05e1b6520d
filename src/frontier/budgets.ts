import type { HostBudgets } from '../contracts/state/frontier-options.ts';
import { type HostId, type HostTable, PARK_REASONS, type ParkReason } from './host-table.ts';

export const noBudgets: HostBudgets = {
  maxPages: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  maxMs: Number.POSITIVE_INFINITY,
  maxQueued: Number.POSITIVE_INFINITY,
};

/** Which budget of the host is used up, '' when none is. */
export function exhausted(budgets: HostBudgets, hosts: HostTable, host: HostId): ParkReason {
  if (hosts.pages[host] >= budgets.maxPages) return PARK_REASONS[1];
  if (hosts.bytes[host] >= budgets.maxBytes) return PARK_REASONS[2];
  if (hosts.spentMs[host] >= budgets.maxMs) return PARK_REASONS[3];
  return '';
}
