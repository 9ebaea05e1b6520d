import { fingerprint } from '../../../src/base/fingerprint.ts';
import type { Claim, CrawlTask, Settlement } from '../../../src/contracts/crawl-task.ts';
import type { CrawlProgress } from '../../../src/contracts/events.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import type { StaticShare } from '../../../src/crawl/nodes/assign-partitions.ts';
import { NodeFrontier } from '../../../src/crawl/nodes/node-frontier.ts';
import { PartitionKeeper } from '../../../src/crawl/nodes/partition-keeper.ts';
import { task } from '../opened-frontier.ts';
import type { VirtualProcess } from './virtual-world.ts';
import type { WiredState } from './wired-state.ts';

export interface SimulatedNodeParts {
  readonly name: string;
  readonly process: VirtualProcess;
  readonly wired: WiredState;
  readonly leaseMs: number;
  readonly share?: StaticShare;
  readonly linksOf: (url: string) => readonly string[];
  /** A request begins: the server answers after so many ms. */
  readonly request: (claim: Claim) => number;
}

const CONCURRENCY = 3;
const LOOK_EVERY_MS = 200;
const MOST_CONNECT_MS = 300;
/** Longer than a lease: whether a request may begin is asked when the connection stands. */
const SLOWEST_CONNECT_MS = 8000;
/** Shorter than what the slowest requests take. */
const HANDOVER_MS = 5000;

/** A process of a node: its keeper and its frontier are the real ones; what conducts the crawl is a short loop. */
export class SimulatedNode {
  readonly process: VirtualProcess;
  readonly #parts: SimulatedNodeParts;
  readonly #keeper: PartitionKeeper;
  readonly #frontier: NodeFrontier;
  readonly #finished: Claim[] = [];
  #underWay = 0;
  #isStopping = false;
  #wake: () => void = () => {};

  constructor(parts: SimulatedNodeParts) {
    const { process, wired, name, leaseMs, share } = parts;
    this.process = process;
    this.#parts = parts;
    this.#keeper = new PartitionKeeper({
      ...{ state: wired.state, name, weight: 1, leaseMs, handoverMs: HANDOVER_MS, clock: process.clock },
      home: { machine: name, folder: name },
      seedTask: (url: CanonicalUrl) => task(url),
      ...(share === undefined ? {} : { share }),
    });
    this.#frontier = new NodeFrontier({
      ...{ partitions: this.#keeper.partitions, now: () => process.clock.now(), keepLearnt: async () => {} },
      ...{ check: this.#keeper.check, popularLinks: 4 },
    });
  }

  /** Ends when the crawl is over, or the node has left it. Rejects where the store is away at the start, as the program does. */
  async run(): Promise<'over' | 'left'> {
    await this.#keeper.fenceFormer();
    await this.#keeper.start(this.#frontier, {
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
    await this.#keeper[Symbol.asyncDispose]();
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
    return (await this.#keeper.mayEnd(() => this.#isIdle())) ? 'over' : undefined;
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
    if (this.#keeper.mayBegin(claim.task.host)) {
      await process.wait(request(claim));
      this.#finished.push(claim);
    } else await this.#frontier.release([claim]);
    this.#underWay--;
    this.#wake();
  }

  async #settle(): Promise<void> {
    const claims = this.#finished.splice(0);
    if (claims.length === 0) return;
    const settlements: Settlement[] = [];
    for (const claim of claims) settlements.push(await this.#settlement(claim));
    await this.#frontier.settle(settlements);
  }

  async #settlement(claim: Claim): Promise<Settlement> {
    const links = this.#parts.linksOf(claim.task.url).map((url) => task(url, { depth: claim.task.depth + 1 }));
    const keys = {
      fingerprints: BigUint64Array.from(links, ({ url }) => fingerprint(url)),
      host: (place: number) => links[place].host,
    };
    const [{ unknown, foreign }] = await this.#frontier.unknown([keys]);
    const wanted: CrawlTask[] = [...unknown, ...foreign].map((place) => links[place]);
    const use = { fetchMs: 10, bytes: 100, endedAt: this.process.clock.now() };
    return { claim, outcome: { kind: 'stored' }, use, links: wanted };
  }

  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      void this.process.wait(LOOK_EVERY_MS).then(resolve);
    });
  }
}
