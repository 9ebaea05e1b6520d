import { crawlDelayMs } from '../model/robots-oracle.ts';
import type { Truth } from '../model/truth.ts';
import type { LoggedRequest } from '../server/request-log.ts';
import { type AuditReport, FindingCounter } from './audit-report.ts';
import { GapAudit } from './gap-audit.ts';

export interface PolitenessExpectations {
  /** Delay between two requests to a host; a longer Crawl-delay of the host counts instead. 0: none is demanded. */
  readonly minGapMs?: number;
  readonly gapFrom?: 'start' | 'end';
  /** Delay between two requests to an address. 0: none is demanded. */
  readonly addressGapMs?: number;
  /** What clocks and event loops may be off by. */
  readonly toleranceMs?: number;
  /** Whether a host's Crawl-delay binds. */
  readonly obeyCrawlDelay?: boolean;
  /** Whether robots.txt requests keep the delay too. */
  readonly robotsKeepGap?: boolean;
  /** Most requests in flight to one host. */
  readonly maxParallel?: number;
  /** Most connections in use to one host; without it they are counted, and no failures. */
  readonly maxConnections?: number;
}

export const DEFAULT_TOLERANCE_MS = 2;

type PolitenessReport = Pick<AuditReport, 'hostGap' | 'addressGap' | 'parallelRequests' | 'parallelConnections'>;

/** Gaps and parallelism per host and per address. `requests` in order of arrival; `robotsReadAt` per host. */
export function auditPoliteness(
  requests: readonly LoggedRequest[],
  truth: Truth,
  robotsReadAt: Float64Array,
  expectations: PolitenessExpectations,
  tell: (request: LoggedRequest) => string,
): PolitenessReport {
  const { minGapMs = 0, gapFrom = 'end', addressGapMs = 0, toleranceMs = DEFAULT_TOLERANCE_MS } = expectations;
  const { obeyCrawlDelay = true, robotsKeepGap = true } = expectations;
  const { maxParallel = 1, maxConnections = Number.POSITIVE_INFINITY } = expectations;
  const { web, agent } = truth;
  const hostGap = new GapAudit({ from: gapFrom, toleranceMs });
  const addressGap = new GapAudit({ from: gapFrom, toleranceMs });
  const tooManyRequests = new FindingCounter();
  const tooManyConnections = new FindingCounter();
  let parallelRequests = { max: 0, host: '' };
  let parallelConnections = { max: 0, host: '' };
  const timed = robotsKeepGap ? requests : requests.filter((request) => request.located.kind !== 'robots');
  for (const [host, group] of Map.groupBy(timed, (request) => request.host)) {
    const authority = web.hosts.authority(host);
    const asks = obeyCrawlDelay ? crawlDelayMs(web.robots(host), agent) : 0;
    // Nobody can keep a Crawl-delay that has not been read yet.
    const required = (request: LoggedRequest): number => {
      return request.arrive > robotsReadAt[host] ? Math.max(minGapMs, asks) : minGapMs;
    };
    hostGap.measure(authority, group, required, tell);
    const inFlight = mostAtOnce(group.map((request) => [request.arrive, request.done]));
    if (inFlight > maxParallel) tooManyRequests.add(() => `${inFlight} at once to ${authority}`);
    if (inFlight > parallelRequests.max) parallelRequests = { max: inFlight, host: authority };
    const open = mostAtOnce(connectionSpans(group));
    if (open > maxConnections) tooManyConnections.add(() => `${open} connections to ${authority}`);
    if (open > parallelConnections.max) parallelConnections = { max: open, host: authority };
  }
  for (const [address, group] of Map.groupBy(timed, (request) => web.hosts.address(request.host))) {
    addressGap.measure(address, group, () => addressGapMs, tell);
  }
  return {
    hostGap: hostGap.report(),
    addressGap: addressGap.report(),
    parallelRequests: { ...parallelRequests, tooMany: tooManyRequests },
    parallelConnections: { ...parallelConnections, tooMany: tooManyConnections },
  };
}

/** From the first request of each connection to the end of its last. */
function connectionSpans(requests: readonly LoggedRequest[]): [number, number][] {
  const spans = new Map<number, [number, number]>();
  for (const { connection, arrive, done } of requests) {
    const span = spans.get(connection);
    if (span === undefined) spans.set(connection, [arrive, done]);
    else span[1] = Math.max(span[1], done);
  }
  return [...spans.values()];
}

/** The largest number of spans that share an instant. */
function mostAtOnce(spans: readonly (readonly [number, number])[]): number {
  const starts = spans.map((span) => span[0]).sort((a, b) => a - b);
  const ends = spans.map((span) => span[1]).sort((a, b) => a - b);
  let most = 0;
  let ended = 0;
  for (let started = 0; started < starts.length; started++) {
    while (ends[ended] <= starts[started]) ended++;
    most = Math.max(most, started + 1 - ended);
  }
  return most;
}
