import { crawlDelayMs, robotsAllow } from '../model/robots-oracle.ts';
import type { HostRobots, WebModel } from '../model/web-model.ts';
import { canonicalTarget } from '../plan/canonical-target.ts';
import type { LoggedRequest } from '../server/request-log.ts';
import { FindingCounter } from './audit-report.ts';
import { isProbe } from './gauntlet-audit.ts';

export interface StreamingAuditOptions {
  readonly agent?: string;
  /** The least rest of a host, from the end of a request to the start of the next. */
  readonly minGapMs: number;
  /** The adaptive part of the rest: this many times the length of the last request ... */
  readonly delayFactor: number;
  /** ... but no more than this. */
  readonly maxAdaptiveMs: number;
  /** What the clocks of two processes may differ by. */
  readonly toleranceMs: number;
  /**
   * When crawls were ended by force, in ms since the epoch and in order. A crawl may have died before it wrote down how
   * long its last request to a host took, so that after it only the part of the rest is owed that was known before.
   */
  readonly interruptions?: readonly number[];
}

export interface StreamingAuditReport {
  readonly requests: number;
  readonly hosts: number;
  readonly gaps: number;
  /** The shortest gap as a share of the rest that was owed. */
  readonly smallestGapRatio: number;
  readonly tooShort: FindingCounter;
  readonly parallel: FindingCounter;
  readonly disallowed: FindingCounter;
  readonly beforeRobots: FindingCounter;
  readonly statuses: Readonly<Record<string, number>>;
}

interface HostState {
  readonly robots: HostRobots;
  readonly crawlDelayMs: number;
  robotsRead: boolean;
  /** The request that ended last. */
  last: LoggedRequest | undefined;
}

/** How long after a request its settlement may still be under way. */
const SETTLING_MS = 5000;

/**
 * Judges politeness while a crawl goes on, request by request as they end: rests, parallel requests, robots.txt. Memory
 * grows with the hosts alone. A host has at most one request at a time, so that requests end in the order in which they
 * came; one that came before the last had ended is a finding itself.
 */
export class StreamingAudit {
  readonly #web: WebModel;
  readonly #options: StreamingAuditOptions;
  readonly #agent: string;
  readonly #hosts = new Map<number, HostState>();
  readonly #statuses: Record<string, number> = {};
  readonly #tooShort = new FindingCounter();
  readonly #parallel = new FindingCounter();
  readonly #disallowed = new FindingCounter();
  readonly #beforeRobots = new FindingCounter();
  #requests = 0;
  #gaps = 0;
  #smallestGapRatio = Number.POSITIVE_INFINITY;

  constructor(web: WebModel, options: StreamingAuditOptions) {
    this.#web = web;
    this.#options = options;
    this.#agent = options.agent ?? 'orbweaver';
  }

  add(request: LoggedRequest): void {
    this.#requests++;
    this.#statuses[request.status] = (this.#statuses[request.status] ?? 0) + 1;
    const host = this.#host(request.host);
    this.#judgeRobots(request, host);
    if (host.last !== undefined) this.#judgeGap(host, host.last, request);
    if (host.last === undefined || request.done > host.last.done) host.last = request;
    const { located, status, complete } = request;
    if (located.kind !== 'robots' || !located.last || !complete || status >= 500 || status === 429) return;
    this.#host(located.of).robotsRead = true;
  }

  report(): StreamingAuditReport {
    return {
      ...{ requests: this.#requests, hosts: this.#hosts.size, gaps: this.#gaps },
      ...{ smallestGapRatio: this.#smallestGapRatio, tooShort: this.#tooShort, parallel: this.#parallel },
      ...{ disallowed: this.#disallowed, beforeRobots: this.#beforeRobots, statuses: this.#statuses },
    };
  }

  #host(number: number): HostState {
    const known = this.#hosts.get(number);
    if (known !== undefined) return known;
    const robots = this.#web.robots(number);
    const made = { robots, crawlDelayMs: crawlDelayMs(robots, this.#agent), robotsRead: false, last: undefined };
    this.#hosts.set(number, made);
    return made;
  }

  #judgeRobots(request: LoggedRequest, { robots, robotsRead }: HostState): void {
    if (request.located.kind === 'robots') return;
    if (!robotsRead) this.#beforeRobots.add(() => this.#tell(request));
    const target = canonicalTarget(request.target);
    if (isProbe(target)) return;
    if (!robotsAllow(robots, this.#agent, target)) this.#disallowed.add(() => this.#tell(request));
  }

  #judgeGap(host: HostState, last: LoggedRequest, request: LoggedRequest): void {
    const { toleranceMs } = this.#options;
    if (request.arrive < last.done - toleranceMs) {
      this.#parallel.add(() => `${this.#tell(last)} and ${this.#tell(request)}`);
      return;
    }
    const gap = request.arrive - last.done;
    const owed = this.#owed(host, last, request);
    if (owed <= 0) return;
    this.#gaps++;
    this.#smallestGapRatio = Math.min(this.#smallestGapRatio, gap / owed);
    if (gap < owed - toleranceMs) {
      this.#tooShort.add(
        () => `${gap.toFixed(1)} of ${owed.toFixed(1)} ms: ${this.#tell(last)}, then ${this.#tell(request)}`,
      );
    }
  }

  #owed(host: HostState, last: LoggedRequest, request: LoggedRequest): number {
    const { minGapMs, delayFactor, maxAdaptiveMs, interruptions = [] } = this.#options;
    // Nobody can keep a Crawl-delay that has not been read yet.
    const known = Math.max(minGapMs, host.robotsRead ? host.crawlDelayMs : 0);
    const forgotten = interruptions.some(
      (at) => at >= last.arrive && at <= request.arrive && at - last.done < SETTLING_MS,
    );
    if (forgotten) return known;
    const adaptive = Math.min(delayFactor * (last.done - last.arrive), maxAdaptiveMs);
    const pushedBack = last.status === 429 || last.status === 503;
    return Math.max(known, adaptive, pushedBack ? this.#web.retryAfterMs : 0);
  }

  #tell({ method, host, target, status, arrive, done }: LoggedRequest): string {
    const took = (done - arrive).toFixed(1);
    return `${method} ${this.#web.hosts.origin(host)}${target} (${status}, at ${new Date(arrive).toISOString()}, ${took} ms)`;
  }
}
