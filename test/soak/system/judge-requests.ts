import { readFileSync } from 'node:fs';
import { StreamingAudit, type StreamingAuditReport } from '../../../src/simulate/audit/streaming-audit.ts';
import { webFromDescription } from '../../../src/simulate/model/web-from-description.ts';
import type { LoggedRequest } from '../../../src/simulate/server/request-log.ts';
import { readRequestLog } from '../../../src/simulate/server/request-log-file.ts';
import type { Interruption } from './soak-run.ts';

export interface RequestVerdict {
  readonly politeness: StreamingAuditReport;
  /** Requests made again since a kill, or a stop, took their result along; and how many were under way at those. */
  readonly refetched: { readonly killed: number; readonly stopped: number };
  readonly underWay: { readonly killed: number; readonly stopped: number };
  /** Interruptions after which more was made again than had been under way. */
  readonly beyondUnderWay: readonly string[];
  /** The same page asked for twice, sooner than it may be visited again, though nothing interrupted the first visit. */
  readonly repeated: readonly string[];
  /** Pages of each host with a trap that were asked for. */
  readonly trapPages: ReadonlyMap<string, number>;
  /** Addresses that stand nowhere. */
  readonly unknown: readonly string[];
  /** Requests to hostile hosts that came too soon after another. */
  readonly hostileTooShort: readonly string[];
  readonly hostileRequests: number;
}

export interface RequestDemands {
  readonly interruptions: readonly Interruption[];
  readonly revisitMinMs: number;
}

/** The default settings of a crawl: docs/politeness.md. */
export const DEFAULT_DELAY = { minGapMs: 1000, delayFactor: 5, maxAdaptiveMs: 30_000, toleranceMs: 10 } as const;
/** A visit is planned from its end, and the log tells its beginning. */
const REVISIT_SHARE = 0.9;
/** So long after its last byte a page may still wait for its settlement, also on a machine that is very busy. */
const UNSETTLED_MS = 30_000;
/** A kill closes its connections. One that ended this much before was cut by somebody else, and its page is due again anyway. */
const CUT_MS = 1000;
/** A busy server takes up a request so long after its sender was killed: it lay in a socket. No process asks again as soon as that. */
const ON_THEIR_WAY_MS = 1000;
const LISTED = 50;

export function judgeRequests(
  logFile: string,
  hostileLog: string,
  { interruptions, revisitMinMs }: RequestDemands,
): RequestVerdict {
  const log = readRequestLog(logFile, webFromDescription);
  const { web } = log;
  const killed = interruptions.filter(({ kind }) => kind === 'killed').map(({ at }) => at);
  const audit = new StreamingAudit(web, { ...DEFAULT_DELAY, interruptions: killed });
  const last = new Map<number, LoggedRequest>();
  const repeated: string[] = [];
  const unknown = new Set<string>();
  const trapPages = new Map<string, Set<string>>();
  const madeAgain = new Map<Interruption, number>(interruptions.map((one) => [one, 0]));
  for (const request of log) {
    audit.add(request);
    const { located, method, host, target, arrive, status } = request;
    const url = `${web.hosts.origin(host)}${target}`;
    if (located.kind === 'trap') {
      const name = web.hosts.hostname(host);
      const asked = trapPages.get(name) ?? new Set<string>();
      trapPages.set(name, asked.add(target));
    }
    if (located.kind === 'unknown' && !target.includes('orbweaver-probe-')) unknown.add(url);
    if (located.kind !== 'page' || method !== 'GET' || status === 503) continue;
    const before = last.get(located.id);
    last.set(located.id, request);
    if (before === undefined || arrive - before.arrive >= REVISIT_SHARE * revisitMinMs) continue;
    // The first that came after it: what was settled by then is not lost to a later one.
    const cause = interruptions.find(({ at }) => at >= before.arrive - ON_THEIR_WAY_MS);
    if (cause !== undefined && cause.at <= arrive && before.done >= cause.from - UNSETTLED_MS) {
      if (before.complete || before.done >= cause.from - CUT_MS) madeAgain.set(cause, (madeAgain.get(cause) ?? 0) + 1);
    } else if (before.complete && repeated.length < LISTED)
      repeated.push(
        `${url} (${before.status}) ${new Date(before.arrive).toISOString()} and ${new Date(arrive).toISOString()}`,
      );
  }
  return {
    ...{ politeness: audit.report(), repeated, unknown: [...unknown].slice(0, LISTED) },
    trapPages: new Map([...trapPages].map(([host, asked]) => [host, asked.size])),
    ...weighRefetched(madeAgain),
    ...judgeHostile(hostileLog),
  };
}

function weighRefetched(
  madeAgain: ReadonlyMap<Interruption, number>,
): Pick<RequestVerdict, 'refetched' | 'underWay' | 'beyondUnderWay'> {
  const refetched = { killed: 0, stopped: 0 };
  const underWay = { killed: 0, stopped: 0 };
  const beyondUnderWay: string[] = [];
  for (const [one, again] of madeAgain) {
    refetched[one.kind] += again;
    underWay[one.kind] += one.underWay;
    if (again > one.underWay)
      beyondUnderWay.push(
        `${again} requests made again after it was ${one.kind} at ${new Date(one.at).toISOString()} with ${one.underWay} under way`,
      );
  }
  return { refetched, underWay, beyondUnderWay };
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
