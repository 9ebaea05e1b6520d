import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { Claim } from '../../src/contracts/crawl-task.ts';
import type { Message } from '../../src/contracts/state/exchange.ts';
import { DELAY, options, settled, task } from './opened-frontier.ts';
import type { PartitionUnderTest, SharedState, StateEngine, StateUnderTest } from './opened-state.ts';

const LEASE = 10_000;
const REQUEST = 2000;
const HOSTS = 5;
const PAGES = 4;
const HOUR = 3_600_000;

/** The process of a node dies in the middle of a call. */
class Crash extends Error {}

interface Request {
  readonly claim: Claim;
  readonly partition: PartitionUnderTest;
  readonly begun: number;
}

/** A process: what it has in memory is gone with it. */
interface Node {
  readonly name: string;
  readonly clock: VirtualClock;
  state: StateUnderTest;
  owned: PartitionUnderTest[];
  requests: Request[];
  inbox: { readonly partition: PartitionUnderTest; readonly messages: Message[] }[];
  isPaused: boolean;
}

export interface HistoryStep {
  readonly node: number;
  readonly what: (typeof STEPS)[number];
  readonly n: number;
}

const STEPS = [
  ...(['acquire', 'acquire', 'renew', 'renew', 'claim', 'claim', 'claim', 'settle', 'settle', 'settle'] as const),
  ...(['receive', 'receive', 'accept', 'accept', 'pass', 'pass', 'expire', 'pause', 'resume', 'resume'] as const),
  ...(['kill', 'release', 'crash before', 'crash after'] as const),
];

const history: fc.Arbitrary<HistoryStep[]> = fc.array(
  fc.record({ node: fc.nat(2), what: fc.constantFrom(...STEPS), n: fc.nat(5) }),
  { minLength: 20, maxLength: 120 },
);

function urlOf(host: number, page: number): string {
  return `http://h${host % HOSTS}.test/${page % PAGES}`;
}

/** A web in which everything can be reached from the first page of each host, most of it by one way alone, over other hosts. */
function linksOf(url: string): string[] {
  const [, host, page] = /h(\d+)\.test\/(\d+)$/.exec(url)?.map(Number) ?? [];
  return [urlOf(host + 1, page + 1), urlOf(host, page), ...(host === 0 ? [urlOf(host + 2, page + 1)] : [])];
}

const ALL = Array.from({ length: HOSTS * PAGES }, (_, n) => urlOf(n, Math.floor(n / HOSTS))).sort();

/** One crawl by several nodes to which anything may happen, and what must hold of it at every step. */
class CrawlHistory {
  readonly #isShared: boolean;
  readonly #shared: SharedState;
  /** That of the store, which is the true one. */
  readonly #clock: VirtualClock;
  readonly #nodes: Node[] = [];
  readonly #settled = new Map<string, number>();
  /** When the last request to each host was surely over. */
  readonly #ended = new Map<string, number>();
  #dies: { readonly step: 'before commit' | 'after commit'; left: number } | undefined;
  #isCommitted = false;

  constructor(isShared: boolean, shared: SharedState, clock: VirtualClock) {
    this.#isShared = isShared;
    this.#shared = shared;
    this.#clock = clock;
    shared.crashAt?.((step) => {
      this.#isCommitted = step === 'after commit';
      if (this.#dies?.step !== step || this.#dies.left-- > 0) return;
      this.#dies = undefined;
      throw new Crash();
    });
  }

  async begin(): Promise<void> {
    const skews = this.#isShared ? [0, 5 * HOUR, -2 * HOUR] : [0];
    for (const [at, skew] of skews.entries()) {
      const clock = skew === 0 ? this.#clock : new VirtualClock(this.#clock.now() + skew);
      this.#nodes.push(await this.#start(`node ${at}`, clock));
    }
    const [first] = this.#nodes;
    await this.#acquire(first, Number.POSITIVE_INFINITY);
    for (const { frontier } of first.owned)
      await frontier.add(Array.from({ length: HOSTS }, (_, host) => task(urlOf(host, 0))));
  }

  async step({ node: number, what, n }: HistoryStep): Promise<void> {
    const node = this.#nodes[number % this.#nodes.length];
    if (what === 'pass') return this.#pass(100 + 400 * n);
    if (what === 'expire') return this.#isShared ? this.#pass(LEASE + 1) : undefined;
    if (what === 'kill') return await this.#die(node);
    if (what === 'crash before' || what === 'crash after') {
      if (this.#shared.crashAt !== undefined)
        this.#dies = { step: what === 'crash before' ? 'before commit' : 'after commit', left: n };
      return;
    }
    if (what === 'pause' || what === 'resume') {
      node.isPaused = this.#isShared && what === 'pause';
      return;
    }
    if (node.isPaused) return;
    try {
      await this.#act(node, what, n);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      await this.#die(node);
    }
  }

  /** From now on nothing happens any more but work; it must come to its end, with every page settled once. */
  async finish(): Promise<void> {
    this.#dies = undefined;
    for (const node of this.#nodes) {
      await this.#die(node);
      node.isPaused = false;
    }
    this.#pass(LEASE + 1);
    const [node] = this.#nodes;
    await this.#acquire(node, Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < 200 && this.#settled.size < ALL.length; turn++) {
      for (const what of ['renew', 'receive', 'accept', 'claim'] as const) await this.#act(node, what, 0);
      this.#pass(10);
      for (let left = node.requests.length; left > 0; left--) await this.#act(node, 'settle', 0);
      this.#pass(DELAY);
    }
    for (const what of ['receive', 'accept'] as const) await this.#act(node, what, 0);
    assert.deepEqual([...this.#settled.keys()].sort(), ALL);
    for (const [url, times] of this.#settled) assert.equal(times, 1, `${url} was settled ${times} times`);
    assert.equal(await node.state.exchange.pending(), 0);
    const counts = await Promise.all(node.owned.map(({ frontier }) => frontier.counts()));
    const sum = (of: 'known' | 'queued'): number => counts.reduce((total, one) => total + one[of], 0);
    assert.deepEqual([sum('known'), sum('queued')], [ALL.length, 0]);
  }

  async #start(name: string, clock: VirtualClock): Promise<Node> {
    const state = await this.#shared.node(name, clock, { ...options, leaseMs: 1e9, maxRequestMs: REQUEST });
    return { name, clock, state, owned: [], requests: [], inbox: [], isPaused: false };
  }

  async #act(node: Node, what: HistoryStep['what'], n: number): Promise<void> {
    if (what === 'acquire') await this.#acquire(node, 1 + n);
    else if (what === 'renew') await this.#renew(node);
    else if (what === 'claim') await this.#claim(node);
    else if (what === 'settle') await this.#settle(node, n);
    else if (what === 'receive') await this.#receive(node);
    else if (what === 'accept') await this.#accept(node, n);
    else if (what === 'release') await this.#release(node, n);
  }

  async #acquire(node: Node, max: number): Promise<void> {
    for (const lease of await node.state.partitions.acquire(max)) node.owned.push(await node.state.open(lease));
  }

  async #renew(node: Node): Promise<void> {
    const kept = await node.state.partitions.renew(node.owned.map(({ lease }) => lease));
    const isKept = ({ lease }: PartitionUnderTest): boolean =>
      kept.some(({ partition, epoch }) => partition === lease.partition && epoch === lease.epoch);
    node.owned = node.owned.filter(isKept);
  }

  async #claim(node: Node): Promise<void> {
    for (const partition of node.owned)
      for (const claim of await partition.frontier.claim(2)) {
        const { host } = claim.task;
        const now = this.#clock.now();
        for (const other of this.#nodes)
          for (const { claim: open, partition: under, begun } of other.requests) {
            // Of a request under an earlier lease, which nobody settles any more, only the longest time that it can take is known.
            const isOver = under !== partition && begun + REQUEST + DELAY <= now;
            assert.ok(open.task.host !== host || isOver, `${host} is asked by ${node.name} beside ${other.name}`);
          }
        const rested = now - (this.#ended.get(host) ?? Number.NEGATIVE_INFINITY);
        assert.ok(rested >= DELAY, `${host} is asked by ${node.name} after ${rested} ms`);
        node.requests.push({ claim, partition, begun: now });
      }
  }

  async #settle(node: Node, n: number): Promise<void> {
    const [request] = node.requests.splice(n % Math.max(1, node.requests.length), 1);
    if (request === undefined) return;
    const { claim, partition, begun } = request;
    const { url } = claim.task;
    // A process that was stopped for long has had its answer long ago.
    this.#end(request, Math.min(this.#clock.now(), begun + REQUEST));
    const links = linksOf(url).map((link) => task(link, { depth: claim.task.depth + 1 }));
    this.#isCommitted = false;
    try {
      const [verdict] = await partition.frontier.settle([settled(claim, node.clock, { links })]);
      assert.notEqual(verdict, 'expired');
      if (verdict === 'fenced') node.owned = node.owned.filter((one) => one !== partition);
      else this.#count(url);
      if (verdict === 'applied') this.#end(request, this.#clock.now());
    } catch (error) {
      // It was settled, though nobody heard of it.
      if (error instanceof Crash && this.#isCommitted) {
        this.#count(url);
        this.#end(request, this.#clock.now());
      }
      throw error;
    }
  }

  async #receive(node: Node): Promise<void> {
    for (const partition of node.owned) {
      const messages = await node.state.exchange.receive([partition.lease], 9);
      if (messages.length > 0) node.inbox.push({ partition, messages });
    }
  }

  /** In another order, twice, or without a word to the sender, as it happens. */
  async #accept(node: Node, n: number): Promise<void> {
    for (const { partition, messages } of node.inbox.splice(0)) {
      const arrived = n % 2 === 1 ? [...messages, ...messages].reverse() : messages;
      if (!(await partition.frontier.accept(arrived)) || n === 2) continue;
      await node.state.exchange.ack([partition.lease], n === 4 ? messages.slice(1) : arrived);
    }
  }

  /** Requests of the partition are left to themselves. */
  async #release(node: Node, n: number): Promise<void> {
    const [partition] = node.owned.splice(n % Math.max(1, node.owned.length), 1);
    if (partition === undefined) return;
    await node.state.partitions.release([partition.lease]);
  }

  async #die(node: Node): Promise<void> {
    for (const request of node.requests) this.#end(request, Math.min(this.#clock.now(), request.begun + REQUEST));
    await this.#shared.kill(node.name);
    Object.assign(node, await this.#start(node.name, node.clock), { isPaused: node.isPaused });
  }

  #end({ claim }: Request, at: number): void {
    const { host } = claim.task;
    this.#ended.set(host, Math.max(at, this.#ended.get(host) ?? 0));
  }

  #count(url: string): void {
    this.#settled.set(url, (this.#settled.get(url) ?? 0) + 1);
  }

  #pass(ms: number): void {
    for (const clock of new Set([this.#clock, ...this.#nodes.map((node) => node.clock)])) clock.advance(ms);
  }
}

export async function checkHistories(engine: StateEngine, parameters: fc.Parameters<unknown>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const clock = new VirtualClock();
      const shared = await engine.create(clock, { partitions: engine.isShared ? 3 : 1, leaseMs: LEASE });
      const crawl = new CrawlHistory(engine.isShared, shared, clock);
      try {
        await crawl.begin();
        for (const step of steps) await crawl.step(step);
        await crawl.finish();
      } finally {
        await shared.close();
      }
    }),
    parameters,
  );
}

/** Part of the conformance suite: kills between any two steps, and within transactions where the engine can be made to. */
export function historyConformance(engine: StateEngine, numRuns: number): void {
  test(`CrawlState: ${engine.name}: whatever happens, every page is settled once and no host is asked too early`, () =>
    checkHistories(engine, { numRuns }));
}
