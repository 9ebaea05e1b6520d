import { readFileSync } from 'node:fs';
import type { LoggedRequest } from '../../../src/simulate/request-log.ts';
import { readRequestLog } from '../../../src/simulate/request-log-file.ts';
import { StreamingAudit, type StreamingAuditReport } from '../../../src/simulate/streaming-audit.ts';
import { webFromDescription } from '../../../src/simulate/web-from-description.ts';

export interface RequestVerdict {
  readonly politeness: StreamingAuditReport;
  /** Requests made again since a kill took their result along. */
  readonly refetched: number;
  /** The same page asked for twice, sooner than it may be visited again, and no kill in between. */
  readonly repeated: readonly string[];
  readonly trapRequests: Readonly<Record<string, number>>;
  /** Addresses that stand nowhere. */
  readonly unknown: readonly string[];
  /** Requests to hostile hosts that came too soon after another. */
  readonly hostileTooShort: readonly string[];
  readonly hostileRequests: number;
}

export interface RequestDemands {
  readonly interruptions: readonly number[];
  readonly revisitMinMs: number;
}

/** The default settings of a crawl: docs/politeness.md. */
export const DEFAULT_DELAY = { minGapMs: 1000, delayFactor: 5, maxAdaptiveMs: 30_000, toleranceMs: 10 } as const;
/** A visit is planned from its end, and the log tells its beginning. */
const REVISIT_SHARE = 0.9;
const LISTED = 50;

export function judgeRequests(
  logFile: string,
  hostileLog: string,
  { interruptions, revisitMinMs }: RequestDemands,
): RequestVerdict {
  const log = readRequestLog(logFile, webFromDescription);
  const { web } = log;
  const audit = new StreamingAudit(web, { ...DEFAULT_DELAY, interruptions });
  const last = new Map<number, LoggedRequest>();
  const repeated: string[] = [];
  const unknown = new Set<string>();
  const trapRequests: Record<string, number> = {};
  let refetched = 0;
  for (const request of log) {
    audit.add(request);
    const { located, method, host, target, arrive, status } = request;
    const url = `${web.hosts.origin(host)}${target}`;
    if (located.kind === 'trap') {
      const name = web.hosts.hostname(host);
      trapRequests[name] = (trapRequests[name] ?? 0) + 1;
    }
    if (located.kind === 'unknown' && !target.includes('orbweaver-probe-')) unknown.add(url);
    if (located.kind !== 'page' || method !== 'GET' || status === 503) continue;
    const before = last.get(located.id);
    last.set(located.id, request);
    if (before === undefined || arrive - before.arrive >= REVISIT_SHARE * revisitMinMs) continue;
    if (interruptions.some((at) => at >= before.arrive && at <= arrive)) refetched++;
    else if (before.complete && repeated.length < LISTED)
      repeated.push(
        `${url} (${before.status}) ${new Date(before.arrive).toISOString()} and ${new Date(arrive).toISOString()}`,
      );
  }
  return {
    ...{ politeness: audit.report(), refetched, repeated, trapRequests, unknown: [...unknown].slice(0, LISTED) },
    ...judgeHostile(hostileLog),
  };
}

/** Of them only beginnings are known: a rest of a second lies between two of those all the more. */
function judgeHostile(file: string): Pick<RequestVerdict, 'hostileTooShort' | 'hostileRequests'> {
  const last = new Map<string, number>();
  const tooShort: string[] = [];
  let requests = 0;
  for (const line of readLines(file)) {
    const { host, path, arrive } = JSON.parse(line) as { host: string; path: string; arrive: number };
    requests++;
    const gap = arrive - (last.get(host) ?? Number.NEGATIVE_INFINITY);
    if (gap < DEFAULT_DELAY.minGapMs - DEFAULT_DELAY.toleranceMs)
      tooShort.push(`${gap.toFixed(1)} ms before http://${host}${path}`);
    last.set(host, arrive);
  }
  return { hostileTooShort: tooShort, hostileRequests: requests };
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
