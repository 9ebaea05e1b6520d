import { type Discovered, type Range, urlsInAll } from './unseen-urls.ts';

/** What waits on one host, or on hosts that are asked one after another. */
export interface HostLoad {
  readonly host: string;
  /** Requests still to be sent to it. */
  readonly requests: number;
  /** From one request to the next: its rest and the time of the answer. */
  readonly everyMs: number;
  /** Until the first of them may be sent: a hold, or the rest after the last request. */
  readonly dueInMs?: number;
  /** Hosts with the same are asked one after another; the host itself where absent. */
  readonly group?: string;
}

/** A host, or group of them, and how long it alone takes. */
export interface HostBound {
  readonly host: string;
  readonly requests: number;
  readonly everyMs: number;
  readonly ms: number;
}

/** How a running crawl stands. */
export interface CrawlSoFar extends Discovered {
  /** Requests that are still allowed by a limit of the crawl; Infinity where there is none. */
  readonly allowed: number;
  /** Requests per second of late: more than this the machine or the settings do not give. Undefined where not measured. */
  readonly perSecond?: number;
  /** Whether that rate was set by hosts that rest (most time is spent waiting) and says nothing of the machine. */
  readonly resting?: boolean;
  /** Until the next request may be sent. Where only retries are left, this is all that is known of them. */
  readonly dueInMs?: number;
  /** The hosts that wait, at least those with the most to do. */
  readonly hosts: readonly HostLoad[];
}

export interface RemainingEstimate {
  /** Requests to come. */
  readonly requests: Range;
  readonly ms: Range;
  /** Those that take the longest, the longest first. */
  readonly bounds: readonly HostBound[];
}

const NAMED = 5;
const HALVINGS = 60;

/**
 * What is left of a crawl, and how long it takes. The URLs that wait are known; those still to be found follow from how fast
 * the frontier grows. Each host works off its own queue at its own pace, so that the slowest decides, unless the machine does.
 */
export function estimateRemaining(progress: CrawlSoFar): RemainingEstimate {
  const { visited, known, allowed, hosts } = progress;
  const all = urlsInAll(progress);
  const waiting = hosts.reduce((sum, { requests }) => sum + requests, 0);
  const rate = progress.resting === true ? undefined : progress.perSecond;
  const left = (urls: number): number => Math.min(allowed, Math.max(0, urls - visited));
  const msFor = (urls: number): number => {
    // What is still to be found lies where the rest lies.
    const share = waiting === 0 ? 0 : Math.max(0, urls - visited) / Math.max(1, known - visited);
    const loads = hosts.map((host): HostLoad => ({ ...host, requests: host.requests * share }));
    // Hosts that were not named have less to do: they do not bound it.
    loads.push({ host: '', requests: Math.max(0, known - visited - waiting) * share, everyMs: 0 });
    return left(urls) <= 0 ? 0 : Math.max(progress.dueInMs ?? 0, msToSend(loads, left(urls), rate));
  };
  return {
    requests: { low: left(all.low), likely: left(all.likely), high: left(all.high) },
    ms: { low: msFor(all.low), likely: msFor(all.likely), high: msFor(all.high) },
    bounds: boundsOf(hosts),
  };
}

/** How long this many requests take at each host's pace, the fast ones doing more. All of them: as long as the slowest host. */
export function msToSend(loads: readonly HostLoad[], requests: number, perSecond?: number): number {
  const bounds = grouped(loads);
  const total = bounds.reduce((sum, bound) => sum + bound.requests, 0);
  const slowest = bounds.reduce((longest, { ms }) => Math.max(longest, ms), 0);
  const machine = perSecond === undefined || perSecond <= 0 ? 0 : (Math.min(requests, total) * 1000) / perSecond;
  if (requests >= total) return Math.max(slowest, machine);
  let low = 0;
  let high = slowest;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (sentBy(bounds, middle) < requests) low = middle;
    else high = middle;
  }
  return Math.max(high, machine);
}

/** How many requests are sent in so much time. */
export function sentIn(loads: readonly HostLoad[], ms: number): number {
  return sentBy(grouped(loads), ms);
}

/** The hosts that take the longest. */
export function boundsOf(loads: readonly HostLoad[]): HostBound[] {
  return grouped(loads)
    .filter(({ requests }) => requests > 0)
    .sort((one, other) => other.ms - one.ms)
    .slice(0, NAMED);
}

function sentBy(bounds: readonly HostBound[], ms: number): number {
  return bounds.reduce(
    (sum, bound) => sum + (bound.ms <= ms || bound.ms === 0 ? bound.requests : (bound.requests * ms) / bound.ms),
    0,
  );
}

/** Hosts that are asked one after another are one queue. */
function grouped(loads: readonly HostLoad[]): HostBound[] {
  const groups = new Map<string, { requests: number; ms: number; due: number; host: string }>();
  for (const { host, requests, everyMs, dueInMs = 0, group = host } of loads) {
    const ms = requests * everyMs;
    const before = groups.get(group);
    if (before === undefined) groups.set(group, { host: group, requests, ms, due: requests > 0 ? dueInMs : 0 });
    else {
      before.requests += requests;
      before.ms += ms;
      if (requests > 0) before.due = Math.max(before.due, dueInMs);
    }
  }
  return [...groups.values()].map(({ host, requests, ms, due }) => ({
    host,
    requests,
    everyMs: requests === 0 ? 0 : ms / requests,
    ms: ms + due,
  }));
}
