import { fingerprint } from '../../../src/base/fingerprint.ts';
import type { Claim, CrawlTask, Settlement } from '../../../src/contracts/crawl-task.ts';
import type { CrawlProgress } from '../../../src/contracts/events.ts';
import type { AnswerTimes } from '../../../src/contracts/state/nodes.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import type { StaticShare } from '../../../src/crawl/nodes/assign-partitions.ts';
import { NodeFrontier } from '../../../src/crawl/nodes/node-frontier.ts';
import { NodeMembership } from '../../../src/crawl/nodes/node-membership.ts';
import { task } from '../opened-frontier.ts';
import type { VirtualProcess } from './virtual-world.ts';
import type { WiredState } from './wired-state.ts';

export interface SimulatedNodeParts {
  readonly name: string;
  readonly process: VirtualProcess;
  readonly wired: WiredState;
  readonly leaseMs: number;
  readonly share?: StaticShare;
  /** Where nodes are to have the partitions that answer them fastest. */
  readonly answerTimes?: () => AnswerTimes;
  readonly linksOf: (url: string) => readonly string[];
  readonly request: (claim: Claim) => SimulatedRequest;
  /** Whether requests end with the lease. */
  readonly endsRequests: boolean;
  /** Of each node that lives: so much rarer they look at each other. */
  readonly lookMsPerNode: number;
}

/** A request that has begun. */
export interface SimulatedRequest {
  /** The server answers after so many ms. */
  readonly lasts: number;
  /** The connection is closed before. */
  readonly abort: () => void;
}

const CONCURRENCY = 3;
const RETRY_MS = 1000;
/** As often as requests under way are looked at. */
const SWEEP_MS = 100;
const LOOK_EVERY_MS = 200;
const MOST_CONNECT_MS = 300;
/** Longer than a lease: whether a request may begin is asked when the connection stands. */
const SLOWEST_CONNECT_MS = 8000;
/** Shorter than what the slowest requests take. */
const HANDOVER_MS = 5000;

interface Visited {
  readonly claim: Claim;
  readonly isAnswered: boolean;
}

/** A process of a node: its membership and its frontier are the real ones; what conducts the crawl is a short loop. */
export class SimulatedNode {
  readonly process: VirtualProcess;
  readonly #parts: SimulatedNodeParts;
  readonly #membership: NodeMembership;
  readonly #frontier: NodeFrontier;
  readonly #finished: Visited[] = [];
  #underWay = 0;
  #isStopping = false;
  #wake: () => void = () => {};

  constructor(parts: SimulatedNodeParts) {
    const { process, wired, name, leaseMs, lookMsPerNode, share, answerTimes } = parts;
    this.process = process;
    this.#parts = parts;
    this.#membership = new NodeMembership({
      ...{ state: wired.state, name, weight: 1, leaseMs, handoverMs: HANDOVER_MS, clock: process.clock, lookMsPerNode },
      home: { machine: name, folder: name },
      seedTask: (url: CanonicalUrl) => task(url),
      ...(share === undefined ? {} : { share }),
      ...(answerTimes === undefined ? {} : { answerTimes: { report: answerTimes, restore: () => {} } }),
    });
    this.#frontier = new NodeFrontier({
      ...{ partitions: this.#membership.partitions, now: () => process.clock.now(), keepLearnt: async () => {} },
      ...{ check: this.#membership.check, popularLinks: 4 },
    });
  }

  /** Ends when the crawl is over, or the node has left it. Rejects where the store is away at the start, as the program does. */
  async run(): Promise<'over' | 'left'> {
    await this.#membership.fenceFormer();
    await this.#membership.start(this.#frontier, {
      progress: async () =>
        ({ pages: 0, bytes: 0, pagesPerSecond: 0, inFlight: this.#underWay, frontier: {} }) as unknown as CrawlProgress,
      notice: () => this.#wake(),
    });
    let end: 'over' | 'left' | undefined;
    while (end === undefined) {
      await this.#settle();
      if (!this.#isStopping) await this.#claim();
      if (this.#underWay === 0 && this.#finished.length === 0) end = await this.#end();
      if (end === undefined) await this.#rest();
    }
    await this.#membership[Symbol.asyncDispose]();
    await this.#parts.wired.close();
    return end;
  }

  /** As SIGTERM does. */
  stop(): void {
    this.#isStopping = true;
    this.#wake();
  }

  async #end(): Promise<'over' | 'left' | undefined> {
    if (this.#isStopping) return 'left';
    if (!(await this.#isIdle())) return undefined;
    return (await this.#membership.mayEnd(() => this.#isIdle())) ? 'over' : undefined;
  }

  async #isIdle(): Promise<boolean> {
    const { queued, parked } = await this.#frontier.counts();
    return queued === parked;
  }

  async #claim(): Promise<void> {
    const room = CONCURRENCY - this.#underWay;
    const claims = room > 0 ? await this.#frontier.claim(room) : [];
    for (const claim of claims) void this.#visit(claim);
  }

  async #visit(claim: Claim): Promise<void> {
    const { process, request } = this.#parts;
    this.#underWay++;
    await process.wait(process.world.between(0, process.world.chance(0.1) ? SLOWEST_CONNECT_MS : MOST_CONNECT_MS));
    if (!this.#membership.isAllowed(claim.task.host)) await this.#frontier.release([claim]);
    else this.#finished.push({ claim, isAnswered: await this.#exchange(claim, request(claim)) });
    this.#underWay--;
    this.#wake();
  }

  /** Ends with its answer, or with the lease. */
  async #exchange(claim: Claim, { lasts, abort }: SimulatedRequest): Promise<boolean> {
    const { process, endsRequests } = this.#parts;
    for (let left = lasts; left > 0; left -= SWEEP_MS) {
      await process.wait(Math.min(left, SWEEP_MS));
      if (left <= SWEEP_MS || !endsRequests || this.#membership.isAllowed(claim.task.host)) continue;
      abort();
      return false;
    }
    return true;
  }

  async #settle(): Promise<void> {
    const visited = this.#finished.splice(0);
    if (visited.length === 0) return;
    const settlements: Settlement[] = [];
    for (const one of visited) settlements.push(await this.#settlement(one));
    await this.#frontier.settle(settlements);
  }

  async #settlement({ claim, isAnswered }: Visited): Promise<Settlement> {
    const now = this.process.clock.now();
    const use = { fetchMs: 10, bytes: 100, endedAt: now };
    if (!isAnswered)
      return { claim, outcome: { kind: 'failed', code: 'aborted', detail: '' }, use, nextVisit: now + RETRY_MS };
    const links = this.#parts.linksOf(claim.task.url).map((url) => task(url, { depth: claim.task.depth + 1 }));
    const keys = {
      fingerprints: BigUint64Array.from(links, ({ url }) => fingerprint(url)),
      host: (place: number) => links[place].host,
    };
    const [{ unknown, foreign }] = await this.#frontier.unknown([keys]);
    const wanted: CrawlTask[] = [...unknown, ...foreign].map((place) => links[place]);
    return { claim, outcome: { kind: 'stored' }, use, links: wanted };
  }

  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      void this.process.wait(LOOK_EVERY_MS).then(resolve);
    });
  }
}
