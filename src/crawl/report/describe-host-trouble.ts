import type { Hold } from '../../contracts/crawl-task.ts';
import type { HostRecord } from '../../contracts/page-store.ts';
import type { PolitenessPolicy } from '../../contracts/state/frontier-options.ts';
import { unreachableLimitOf } from '../../frontier/politeness.ts';

/** What keeps a crawl from a host, and what it does about that; for the terminal and for the dashboard. */
export interface HostTrouble {
  readonly reason: string;
  readonly next: string;
}

/** Failures in a row after which a host is given up: one that has answered before, and one that never has. */
export interface UnreachableLimits {
  readonly reached: number;
  readonly neverReached: number;
}

/** Undefined where the crawl never gives up a host: a continuous one. */
export function unreachableLimits(politeness: PolitenessPolicy, isContinuous: boolean): UnreachableLimits | undefined {
  if (isContinuous) return undefined;
  return { reached: unreachableLimitOf(politeness, true), neverReached: unreachableLimitOf(politeness, false) };
}

/** Of a host that is parked or on hold. */
export function describeHostTrouble(host: HostRecord, now: number, limits: UnreachableLimits | undefined): HostTrouble {
  if (host.parked === 'held by hand') return { reason: host.parked, next: 'waits until it is opened' };
  const { parked, hold, holdUntil, pushbacks, pages, bytes } = host;
  if (parked !== undefined && parked !== 'unreachable') return { reason: parked, next: 'waits for the next run' };
  const reason = holdReason(hold);
  if (parked !== undefined) return { reason, next: 'gives up on this host, its URLs are kept for the next run' };
  const next = triesAgain(holdUntil, now);
  if (hold?.kind !== 'unreachable' || limits === undefined) return { reason, next };
  const left = (pages > 0 || bytes > 0 ? limits.reached : limits.neverReached) - pushbacks;
  // A setting without a limit becomes null where it is written down.
  return Number.isFinite(left) && left > 0
    ? { reason, next: `${next}, ${left} ${left === 1 ? 'try' : 'tries'} left` }
    : { reason, next };
}

/** Why a host is on hold. */
export function holdReason(hold: Hold | undefined): string {
  return describeReason(hold?.why ?? 'asked to wait');
}

export function triesAgain(at: number, now: number): string {
  const seconds = Math.max(1, Math.round((at - now) / 1000));
  if (seconds < 120) return `tries again in ${seconds} s`;
  return seconds < 7200
    ? `tries again in ${Math.round(seconds / 60)} min`
    : `tries again in ${Math.round(seconds / 3600)} h`;
}

const REASONS: Readonly<Record<string, string>> = {
  'connect-refused': 'connection refused',
  'connect-timeout': 'no connection in time',
  'connect-failed': 'no connection',
  'dns-not-found': 'there is no such host name',
  'dns-failed': 'the host name cannot be looked up',
  'headers-timeout': 'no answer in time',
  'tls-failed': 'TLS handshake failed',
  reset: 'the server closes the connection',
};

/** A dead host fails at its robots.txt first, which adds nothing to the reason; nor does the code of the operating system. */
export function describeReason(why: string): string {
  const [, code = ''] = /^(?:robots\.txt: )?([a-z-]+)/.exec(why) ?? [];
  return Object.hasOwn(REASONS, code) ? REASONS[code] : why;
}
