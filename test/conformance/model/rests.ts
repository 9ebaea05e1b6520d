import type { HostUse, Pushback } from '../../../src/contracts/crawl-task.ts';
import type { FrontierOptions } from '../../../src/contracts/state/frontier-options.ts';
import type { HostRow } from './rows.ts';

// What docs/politeness.md says of one host, as plainly as it can be said. Shares no code with src/frontier: it judges that.

export function delayOf({ politeness }: FrontierOptions, { lastFetchMs, crawlDelayMs }: HostRow): number {
  const bound = lastFetchMs > politeness.maxAdaptiveDelayMs ? lastFetchMs : politeness.maxAdaptiveDelayMs;
  const adaptive = Math.min(politeness.delayFactor * lastFetchMs, bound);
  return Math.max(politeness.minimumDelayMs, adaptive, crawlDelayMs);
}

export function concurrencyOf({ hostConcurrency }: FrontierOptions, { key }: HostRow): number {
  return hostConcurrency?.(key) ?? 1;
}

/** The host may have been asked until `end`. */
export function restAfter(options: FrontierOptions, host: HostRow, end: number): void {
  host.dueAt = Math.max(host.dueAt, end + delayOf(options, host));
}

/** A request that nobody saw the end of: it may have taken all the time until `end`. */
export function restAfterLost(options: FrontierOptions, host: HostRow, since: number, end: number): void {
  const slow = { ...host, lastFetchMs: Math.max(host.lastFetchMs, end - since) };
  host.dueAt = Math.max(host.dueAt, end + delayOf(options, slow));
}

export function setCrawlDelay(options: FrontierOptions, host: HostRow, crawlDelayMs: number): void {
  const before = delayOf(options, host);
  host.crawlDelayMs = crawlDelayMs;
  host.dueAt += Math.max(0, delayOf(options, host) - before);
}

/** What a request does to its host; times are those of the store. */
export function spend(options: FrontierOptions, host: HostRow, use: HostUse, beganAt: number, isPage: boolean): void {
  const before = delayOf(options, host);
  host.lastFetchMs = use.fetchMs;
  host.bytes += use.bytes;
  host.spentMs += use.fetchMs;
  if (isPage) host.pages++;
  if (concurrencyOf(options, host) > 1) host.dueAt += Math.max(0, delayOf(options, host) - before);
  else host.dueAt = use.endedAt + delayOf(options, host);
  if (use.address !== undefined) host.address = use.address;
  if (use.pushback !== undefined) pushBack(options, host, use.endedAt, use.pushback, beganAt);
  else if (wasQuiet(options, host, use.endedAt) || host.holdWhy.startsWith('unreachable')) host.pushbacks = 0;
}

export function pushBack(
  options: FrontierOptions,
  host: HostRow,
  at: number,
  pushback: Pushback,
  beganAt: number,
): void {
  const { politeness, revisits } = options;
  if (wasQuiet(options, host, at)) host.pushbacks = 0;
  const sameTrouble = concurrencyOf(options, host) > 1 && host.pushbacks > 0 && beganAt < host.pushedAt;
  if (host.pushbacks === 0 || host.holdWhy.startsWith('busy')) host.unreached = 0;
  else if (!host.holdWhy.startsWith('unreachable')) host.unreached = host.pushbacks;
  if (!sameTrouble) host.pushbacks++;
  if (pushback.kind === 'unreachable' && (!sameTrouble || host.unreached === 0)) host.unreached++;
  host.pushedAt = at;
  const times = pushback.kind === 'unreachable' ? host.unreached : host.pushbacks;
  const doubled = politeness.backoffStartMs * 2 ** (times - 1) * (1 + politeness.backoffJitter / 2);
  host.holdUntil = Math.max(host.holdUntil, at + (pushback.retryAfterMs ?? Math.min(doubled, politeness.backoffMaxMs)));
  host.holdWhy = `${pushback.kind}: ${pushback.why}`;
  const reached = host.pages > 0 || host.bytes > 0;
  const limit = reached
    ? politeness.unreachableLimit
    : Math.min(politeness.unreachableLimit, politeness.neverReachedLimit);
  if (pushback.kind !== 'unreachable' || revisits === true) return;
  if (pushback.final === true || host.unreached >= limit) host.parked = 'unreachable';
}

function wasQuiet({ politeness }: FrontierOptions, host: HostRow, at: number): boolean {
  return at - Math.max(host.pushedAt, host.holdUntil) > politeness.forgivenessMs;
}

export function exhausted({ budgets }: FrontierOptions, host: HostRow): string {
  if (host.pages >= budgets.maxPages) return 'page budget used up';
  if (host.bytes >= budgets.maxBytes) return 'byte budget used up';
  return host.spentMs >= budgets.maxMs ? 'time budget used up' : '';
}

export function parkIfExhausted(options: FrontierOptions, host: HostRow): void {
  const why = exhausted(options, host);
  if (why !== '') host.parked = why;
}
