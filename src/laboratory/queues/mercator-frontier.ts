import { BinaryHeap } from '../../base/binary-heap.ts';
import type { Clock } from '../../base/clock.ts';
import type { Claim, CrawlTask, Settlement } from '../../contracts/crawl-task.ts';
import type { AddVerdict, LinkKeys, LinkVerdicts, SettleVerdict } from '../../contracts/frontier.ts';
import type { HostKey } from '../../contracts/url.ts';
import { FrontQueues, type LaneChoice } from '../../frontier/front-queues.ts';
import type { ReplayedFrontier } from '../replay/replay-graph.ts';

export interface MercatorOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** K front queues, and how one of them is selected. */
  readonly lanes: number;
  readonly choice: LaneChoice;
  /** B. */
  readonly backQueues: number;
  /** From the end of a request to a host to the next one. */
  readonly restMs: number;
  readonly random: () => number;
}

interface BackQueue {
  host: HostKey | undefined;
  /** First in, first out, from `head` on. */
  readonly tasks: CrawlTask[];
  head: number;
}

interface HeapEntry {
  readonly at: number;
  /** Of equals the older first. */
  readonly number: number;
  readonly queue: BackQueue;
}

const LEASE_MS = 600_000;

/**
 * Mercator's frontier as it is taught: URLs flow from K front queues, which order, into B back queues, which keep the rests, each of one host.
 * A back queue that is empty pulls URLs from the front until one comes of a host that has no queue; those of the other hosts join theirs.
 * What lies in a back queue keeps its place, whatever is learnt of it.
 */
export class MercatorFrontier implements ReplayedFrontier, AsyncDisposable {
  readonly #options: MercatorOptions;
  readonly #front: FrontQueues;
  /** What waits in the front queues, by the numbers that they hold. */
  readonly #waiting = new Map<number, CrawlTask>();
  readonly #known = new Set<bigint>();
  readonly #table = new Map<HostKey, BackQueue>();
  readonly #heap = new BinaryHeap<HeapEntry>((a, b) => a.at < b.at || (a.at === b.at && a.number < b.number));
  readonly #dueAt = new Map<HostKey, number>();
  readonly #empty: BackQueue[];
  readonly #leased = new Map<number, BackQueue>();
  #numbers = 0;
  #behind = 0;
  #looks = 0;
  #boundShares = 0;

  constructor(options: MercatorOptions) {
    this.#options = options;
    this.#front = new FrontQueues(options.lanes, options.choice, options.random);
    this.#empty = Array.from({ length: options.backQueues }, () => ({ host: undefined, tasks: [], head: 0 }));
  }

  /** Share of the waiting URLs that lay in back queues, where no order reaches them; the mean over all claims. */
  get boundShare(): number {
    return this.#looks === 0 ? 0 : this.#boundShares / this.#looks;
  }

  async unknown(pages: readonly LinkKeys[]): Promise<LinkVerdicts[]> {
    return pages.map(({ fingerprints }) => {
      const unknown: number[] = [];
      for (let at = 0; at < fingerprints.length; at++) if (!this.#known.has(fingerprints[at])) unknown.push(at);
      return { unknown, foreign: [] };
    });
  }

  async add(tasks: readonly CrawlTask[]): Promise<AddVerdict[]> {
    return tasks.map((task) => this.#add(task));
  }

  async claim(max: number): Promise<Claim[]> {
    while (this.#empty.length > 0 && this.#front.size > 0) this.#fill(this.#empty.pop() as BackQueue);
    const waiting = this.#behind + this.#front.size;
    if (waiting > 0) {
      this.#looks++;
      this.#boundShares += this.#behind / waiting;
    }
    const now = this.#options.clock.now();
    const claims: Claim[] = [];
    for (let root = this.#heap.peek(); claims.length < max && root !== undefined && root.at <= now; ) {
      this.#heap.pop();
      claims.push(this.#lease(root, now));
      root = this.#heap.peek();
    }
    return claims;
  }

  /** Moves are left alone: a URL has the priority that it came with. */
  async settle(settlements: readonly Settlement[]): Promise<SettleVerdict[]> {
    for (const { links } of settlements) for (const task of links ?? []) this.#add(task);
    for (const { claim, use } of settlements) {
      const queue = this.#leased.get(claim.id);
      if (queue === undefined) continue;
      this.#leased.delete(claim.id);
      this.#dueAt.set(claim.task.host, (use?.endedAt ?? this.#options.clock.now()) + this.#options.restMs);
      this.#enter(queue);
    }
    return settlements.map(() => 'applied');
  }

  async nextDue(): Promise<number | undefined> {
    return this.#heap.peek()?.at;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#known.clear();
  }

  #add(task: CrawlTask): AddVerdict {
    const fingerprint = task.fingerprint as bigint;
    if (this.#known.has(fingerprint)) return 'known';
    this.#known.add(fingerprint);
    this.#waiting.set(++this.#numbers, task);
    this.#front.push(this.#numbers, task.lane);
    return 'added';
  }

  #lease({ at, queue }: HeapEntry, now: number): Claim {
    const task = queue.tasks[queue.head++];
    this.#behind--;
    const id = ++this.#numbers;
    this.#leased.set(id, queue);
    return { id, task, tries: 0, claimedAt: now, dueAt: at, expiresAt: now + LEASE_MS };
  }

  /** A queue whose URL was fetched: it waits for its host, or for another one. */
  #enter(queue: BackQueue): void {
    if (queue.head < queue.tasks.length) {
      this.#heap.push({ at: this.#dueAt.get(queue.host as HostKey) ?? 0, number: ++this.#numbers, queue });
      return;
    }
    this.#table.delete(queue.host as HostKey);
    queue.host = undefined;
    queue.tasks.length = 0;
    queue.head = 0;
    this.#fill(queue);
  }

  #fill(queue: BackQueue): void {
    for (let number = this.#front.shift(); number >= 0; number = this.#front.shift()) {
      const task = this.#waiting.get(number) as CrawlTask;
      this.#waiting.delete(number);
      this.#behind++;
      const owner = this.#table.get(task.host);
      (owner ?? queue).tasks.push(task);
      if (owner !== undefined) continue;
      queue.host = task.host;
      this.#table.set(task.host, queue);
      this.#heap.push({ at: this.#dueAt.get(task.host) ?? 0, number: ++this.#numbers, queue });
      return;
    }
    this.#empty.push(queue);
  }
}
