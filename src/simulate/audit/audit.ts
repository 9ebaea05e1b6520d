import { robotsAllow } from '../model/robots-oracle.ts';
import type { Truth } from '../model/truth.ts';
import { canonicalTarget } from '../plan/canonical-target.ts';
import type { LoggedRequest, RequestLog } from '../server/request-log.ts';
import { type AuditReport, type Finding, FindingCounter } from './audit-report.ts';
import { GauntletAudit, isProbe } from './gauntlet-audit.ts';
import { auditPoliteness, DEFAULT_TOLERANCE_MS, type PolitenessExpectations } from './politeness-audit.ts';

export interface AuditExpectations extends PolitenessExpectations {
  /** Pages that may be sent twice: after a crash, those that were in flight. */
  readonly maxWasted?: number;
  /** Whether pages are meant to be visited again: then `wasted` and `repeated` are counted, and no failures. */
  readonly revisits?: boolean;
  /** Most requests into traps; without it they are counted, and no failures. */
  readonly maxTrapRequests?: number;
  /** Whether the crawl ran to its end, so that everything missing counts. */
  readonly complete?: boolean;
}

/** Judges a crawl by the server's own log: what was asked for, when, and what was not. */
export function audit(log: RequestLog, truth: Truth, expectations: AuditExpectations = {}): AuditReport {
  const { complete = true, toleranceMs = DEFAULT_TOLERANCE_MS } = expectations;
  const { web } = log;
  const found = {
    disallowed: new FindingCounter(),
    beforeRobots: new FindingCounter(),
    forbiddenHost: new FindingCounter(),
    retryAfter: new FindingCounter(),
    wasted: new FindingCounter(),
    repeated: new FindingCounter(),
    missed: new FindingCounter(),
    unseen: new FindingCounter(),
    unexpected: new FindingCounter(),
    phantom: new FindingCounter(),
    unknown: new FindingCounter(),
    traps: new FindingCounter(),
  };
  const requests = [...log].sort((a, b) => a.arrive - b.arrive);
  const robots = Array.from({ length: web.hosts.known }, (_, host) => web.robots(host));
  const robotsReadAt = whenRobotsWereRead(requests, web.hosts.known);
  const sent = new Uint8Array(web.pageCount);
  const asked = new Uint8Array(web.pageCount);
  const quietUntil = new Float64Array(web.hosts.known);
  /** The version of each page that was sent last. */
  const sentVersion = new Float64Array(web.pageCount);
  const statuses: Record<string, number> = {};
  const protocols: Record<string, number> = {};
  const trapRequests: Record<string, number> = {};
  const conditional = { requests: 0, notModified: 0, repeatedWithout: 0 };
  const agents = new Set<string>();
  const gauntlet = new GauntletAudit(truth, web);
  let bytes = 0;
  let assets = 0;
  let broken = 0;
  let end = 0;

  const tell = (r: LoggedRequest): string => {
    const clock = (r.arrive - requests[0].arrive).toFixed(1);
    return `${r.method} ${web.hosts.origin(r.host)}${r.target} (${r.status}, at ${clock} ms)`;
  };
  for (const request of requests) {
    const { host, located, status } = request;
    bytes += request.bytes;
    count(statuses, status);
    count(protocols, request.protocol);
    if (request.conditional) conditional.requests++;
    if (status === 304) conditional.notModified++;
    agents.add(request.agent);
    end = Math.max(end, request.done);
    if (!request.complete) broken++;
    if (request.arrive < quietUntil[host] - toleranceMs) found.retryAfter.add(() => tell(request));
    if (status === 429 || status === 503) quietUntil[host] = request.done + web.retryAfterMs;
    const known = located.kind === 'page' && judgePage(request, located.id);
    gauntlet.add(request, known);
    if (located.kind === 'robots') continue;
    if (located.kind !== 'page') judgePlace(request);
    if (truth.obeysRobots) judgeRobots(request);
  }
  for (const page of complete ? truth.pages('stored') : []) {
    if (!gauntlet.isCovered(page)) found.missed.add(() => web.url(page));
  }
  for (const fate of complete ? (['redirected', 'failed', 'read'] as const) : []) {
    for (const page of truth.pages(fate)) {
      if (!gauntlet.isMet(page)) found.unseen.add(() => `${fate}: ${web.url(page)}`);
    }
  }

  const politeness = auditPoliteness(requests, truth, robotsReadAt, expectations, tell);
  const checks: Record<string, Finding> = {
    ...found,
    hostGap: politeness.hostGap.tooShort,
    addressGap: politeness.addressGap.tooShort,
    parallel: politeness.parallelRequests.tooMany,
    connections: politeness.parallelConnections.tooMany,
  };
  const failures = Object.entries(checks)
    .filter(([name, finding]) => finding.count > allowed(name, expectations))
    .map(([name]) => name);
  return {
    passed: failures.length === 0,
    failures,
    requests: requests.length,
    hosts: new Set(requests.map((request) => request.host)).size,
    bytes,
    seconds: requests.length === 0 ? 0 : (end - requests[0].arrive) / 1000,
    statuses,
    protocols,
    agents: [...agents],
    pages: {
      sent: sent.reduce((sum, times, page) => sum + (times > 0 && truth.fate(page) === 'stored' ? 1 : 0), 0),
      expected: truth.counts().stored,
      distinctDocuments: truth.distinctDocuments,
    },
    ...politeness,
    ...found,
    trapRequests: found.traps.count,
    trapRequestsByKind: trapRequests,
    gauntlet: gauntlet.report(),
    mirrors: gauntlet.mirrors((page) => sent[page] > 0),
    conditional,
    assets,
    broken,
  };

  function judgeRobots(request: LoggedRequest): void {
    const { host, located } = request;
    const verdict = robots[host];
    if (verdict.verdict === 'disallow-all') {
      found.forbiddenHost.add(() => tell(request));
      return;
    }
    if (request.arrive < robotsReadAt[host]) found.beforeRobots.add(() => tell(request));
    const target = located.kind === 'page' ? web.target(located.id) : canonicalTarget(request.target);
    if (!robotsAllow(verdict, truth.agent, target)) found.disallowed.add(() => tell(request));
  }

  /** What is asked for beside pages and robots.txt. */
  function judgePlace(request: LoggedRequest): void {
    const { located, target } = request;
    if (located.kind === 'asset') assets++;
    if (isProbe(target)) return;
    if (located.kind === 'phantom') found.phantom.add(() => tell(request));
    if (located.kind === 'unknown') found.unknown.add(() => tell(request));
    if (located.kind !== 'trap') return;
    count(trapRequests, located.trap);
    found.traps.add(() => tell(request));
  }

  /** Tells whether the answer was known already. */
  function judgePage(request: LoggedRequest, page: number): boolean {
    const before = found.wasted.count + found.repeated.count;
    const fate = truth.fate(page);
    if (fate === 'unreached' || fate === 'out-of-scope') found.unexpected.add(() => `${fate}: ${tell(request)}`);
    if (request.status === 200 && request.method === 'GET' && request.complete) {
      const version = web.versionAt(page, request.arrive);
      if (sent[page] > 0 && !request.conditional) conditional.repeatedWithout++;
      if (sent[page] > 0 && version === sentVersion[page]) found.wasted.add(() => tell(request));
      sent[page] = Math.min(255, sent[page] + 1);
      sentVersion[page] = version;
    } else if (request.status < 429 && request.status !== 304 && asked[page] > 0 && request.complete) {
      found.repeated.add(() => tell(request));
    }
    if (request.status === 304 && request.complete && sent[page] === 0) {
      // Who hears that nothing has changed has the page already.
      sent[page] = 1;
      sentVersion[page] = web.versionAt(page, request.arrive);
    }
    if (request.complete) asked[page] = 1;
    return found.wasted.count + found.repeated.count > before;
  }
}

/** How often something may happen. */
function allowed(check: string, { maxWasted = 0, revisits, maxTrapRequests }: AuditExpectations): number {
  if (check === 'traps') return maxTrapRequests ?? Number.POSITIVE_INFINITY;
  if (check !== 'wasted' && check !== 'repeated') return 0;
  return revisits === true ? Number.POSITIVE_INFINITY : maxWasted;
}

function count(counts: Record<string, number>, name: string | number): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Per host: the end of the request that settled its robots.txt, wherever that lay. */
function whenRobotsWereRead(requests: readonly LoggedRequest[], hosts: number): Float64Array {
  const readAt = new Float64Array(hosts).fill(Number.POSITIVE_INFINITY);
  for (const { located, done, complete } of requests) {
    if (located.kind === 'robots' && located.last && complete) readAt[located.of] = Math.min(readAt[located.of], done);
  }
  return readAt;
}
