import type { VirtualClock } from '../src/base/virtual-clock.ts';
import type { Claim, CrawlTask, Settlement } from '../src/contracts/crawl-task.ts';
import type { AddVerdict, LinkKeys, LinkVerdicts, SettleVerdict } from '../src/contracts/frontier.ts';
import type { PlaceChange } from '../src/contracts/place.ts';
import type { ReplayedFrontier, ReplayedFrontierNeeds } from '../src/laboratory/replay/replay-graph.ts';

interface Waiting {
  readonly task: CrawlTask;
  lane: number;
  claimed: boolean;
}

/**
 * Front queues without hosts, clocks and disk: what an order alone is worth. Replays of large graphs take minutes on the
 * real frontier and seconds on this one; the shares differ in the third digit.
 */
export class LaneQueue implements ReplayedFrontier, AsyncDisposable {
  readonly #clock: VirtualClock;
  readonly #lifo: boolean;
  readonly #lanes: Waiting[][];
  readonly #heads: number[];
  readonly #known = new Map<bigint, Waiting>();
  #claims = 0;

  constructor({ clock, lanes, within }: ReplayedFrontierNeeds) {
    this.#clock = clock;
    this.#lifo = within === 'lifo';
    this.#lanes = Array.from({ length: lanes }, () => []);
    this.#heads = new Array(lanes).fill(0);
  }

  async unknown(pages: readonly LinkKeys[]): Promise<LinkVerdicts[]> {
    return pages.map(({ fingerprints }) => {
      const unknown: number[] = [];
      for (let at = 0; at < fingerprints.length; at++) if (!this.#known.has(fingerprints[at])) unknown.push(at);
      return { unknown, foreign: [] };
    });
  }

  async add(tasks: readonly CrawlTask[]): Promise<AddVerdict[]> {
    return tasks.map((task) => {
      const fingerprint = task.fingerprint as bigint;
      if (this.#known.has(fingerprint)) return 'known';
      const lane = Math.min(task.lane, this.#lanes.length - 1);
      const entry = { task, lane, claimed: false };
      this.#known.set(fingerprint, entry);
      this.#lanes[lane].push(entry);
      return 'added';
    });
  }

  async claim(max: number): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (let lane = 0; lane < this.#lanes.length && claims.length < max; ) {
      const entry = this.#take(lane);
      if (entry === undefined) {
        lane++;
        continue;
      }
      if (entry.claimed || entry.lane !== lane) continue;
      entry.claimed = true;
      const now = this.#clock.now();
      claims.push({
        id: ++this.#claims,
        task: entry.task,
        tries: 0,
        claimedAt: now,
        dueAt: now,
        expiresAt: now + 600_000,
      });
    }
    return claims;
  }

  async settle(settlements: readonly Settlement[]): Promise<SettleVerdict[]> {
    for (const { links, moves } of settlements) {
      for (const change of moves ?? []) this.#move(change);
      await this.add(links ?? []);
    }
    return settlements.map(() => 'applied');
  }

  async nextDue(): Promise<number | undefined> {
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#known.clear();
  }

  #take(lane: number): Waiting | undefined {
    const queue = this.#lanes[lane];
    if (this.#lifo) return queue.pop();
    const entry = queue[this.#heads[lane]];
    if (entry === undefined) {
      queue.length = 0;
      this.#heads[lane] = 0;
      return undefined;
    }
    this.#heads[lane]++;
    if (this.#heads[lane] > 1024 && 2 * this.#heads[lane] > queue.length) {
      queue.splice(0, this.#heads[lane]);
      this.#heads[lane] = 0;
    }
    return entry;
  }

  #move({ fingerprint, lane }: PlaceChange): void {
    const entry = this.#known.get(fingerprint);
    if (entry === undefined || entry.claimed || entry.lane === lane) return;
    entry.lane = lane;
    this.#lanes[lane].push(entry);
  }
}
