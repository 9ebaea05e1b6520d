import type { CrawlProgress } from '../../contracts/events.ts';
import type { HostRecord } from '../../contracts/page-store.ts';
import type { PolitenessPolicy } from '../../contracts/state/frontier-options.ts';
import { hostDelay } from '../../frontier/politeness.ts';
import type { CrawlSoFar, HostLoad } from './crawl-estimate.ts';
import type { FrontierGrowth } from './frontier-growth.ts';

export interface RunningCrawl {
  readonly progress: CrawlProgress;
  /** The hosts with the longest queues. */
  readonly hosts: readonly HostRecord[];
  readonly politeness: PolitenessPolicy;
  /** Told of the progress since the crawl began; told of this one here. */
  readonly growth: FrontierGrowth;
  readonly now: number;
  /** Pages that a limit still allows; Infinity where there is none. */
  readonly pagesLeft: number;
  /** Requests at once. */
  readonly concurrency: number;
}

/** Below this share of the requests that may be under way, it is hosts at rest that set the pace, not the machine. */
const BUSY = 0.8;

/** How a running crawl stands, for `estimateRemaining`. Undefined before it has visited anything. */
export function crawlSoFar(crawl: RunningCrawl): CrawlSoFar | undefined {
  const { progress, hosts, politeness, growth, now, pagesLeft, concurrency } = crawl;
  const { frontier, requests, pages, elapsedMs, inFlight, nextDue } = progress;
  const visited = frontier.known - frontier.queued;
  const known = frontier.known - frontier.parked;
  growth.note(visited, known);
  const discovered = growth.at(visited, known);
  if (discovered === undefined) return undefined;
  return {
    ...discovered,
    allowed: pages === 0 ? pagesLeft : (pagesLeft * requests) / pages,
    ...(elapsedMs > 0 ? { perSecond: (requests * 1000) / elapsedMs } : {}),
    // While something is under way, the end of its lease may be the next that falls due.
    ...(nextDue === undefined || frontier.leased > 0 ? {} : { dueInMs: Math.max(0, nextDue - now) }),
    resting: inFlight < BUSY * concurrency,
    hosts: hosts.filter(({ parked }) => parked === undefined).map((host) => loadOf(host, politeness, now)),
  };
}

function loadOf(record: HostRecord, politeness: PolitenessPolicy, now: number): HostLoad {
  const { host, queued, lastFetchMs, crawlDelayMs = 0, dueAt, holdUntil } = record;
  return {
    host,
    requests: queued,
    everyMs: lastFetchMs + hostDelay(politeness, lastFetchMs, crawlDelayMs),
    dueInMs: Math.max(0, dueAt - now, holdUntil - now),
  };
}
