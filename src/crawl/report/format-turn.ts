import type { HostRecord } from '../../contracts/page-store.ts';

/** When a host may be asked next, and why not sooner. */
export function nextOf(host: HostRecord): string {
  if (host.parked !== undefined) {
    const why = host.parked === 'unreachable' && host.hold !== undefined ? ` (${host.hold.why})` : '';
    return `parked: ${host.parked}${why}`;
  }
  const now = Date.now();
  if (host.holdUntil > now) return `held until ${time(host.holdUntil)} (${formatHold(host.hold)})`;
  if (host.queued === 0) return 'nothing waits';
  return host.dueAt > now ? `due at ${time(host.dueAt)}` : 'due now';
}

function formatHold(hold: HostRecord['hold']): string {
  if (hold === undefined) return 'asked to wait';
  return hold.kind === undefined ? hold.why : `${hold.kind}: ${hold.why}`;
}

export function time(at: number): string {
  return new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}
