import type { HostId } from './host-table.ts';

export type LaneChoice = 'strict' | 'biased';

/**
 * Mercator's front queues, of hosts that are due: K first-in-first-out lanes, the most urgent first.
 * 'strict' serves a lane only while all before it are empty; 'biased' draws lane k half as often as lane k-1, so that
 * an endless supply of urgent URLs cannot starve the rest.
 *
 * A host may stand in more than one lane (it became more urgent while it waited); the caller skips one that has left, or
 * that stands in another lane by now.
 */
export class FrontQueues {
  readonly #lanes: HostId[][];
  readonly #heads: number[];
  readonly #choice: LaneChoice;
  readonly #random: () => number;
  #size = 0;
  #servedLane = 0;

  constructor(lanes: number, choice: LaneChoice, random: () => number) {
    this.#lanes = Array.from({ length: lanes }, () => []);
    this.#heads = new Array(lanes).fill(0);
    this.#choice = choice;
    this.#random = random;
  }

  get size(): number {
    return this.#size;
  }

  /** Where the last host came from. */
  get servedLane(): number {
    return this.#servedLane;
  }

  push(host: HostId, lane: number): void {
    this.#lanes[Math.min(lane, this.#lanes.length - 1)].push(host);
    this.#size++;
  }

  /** Some of those that come first where no lane is drawn. */
  first(max: number): HostId[] {
    const hosts: HostId[] = [];
    for (let lane = 0; lane < this.#lanes.length && hosts.length < max; lane++) {
      const from = this.#heads[lane];
      hosts.push(...this.#lanes[lane].slice(from, from + max - hosts.length));
    }
    return hosts;
  }

  /** The next host, or -1. */
  shift(): HostId {
    if (this.#size === 0) return -1;
    const from = this.#choice === 'biased' ? drawLane(this.#lanes.length, this.#random) : 0;
    const lane = this.#firstFilled(from) ?? (this.#firstFilled(0) as number);
    this.#servedLane = lane;
    const queue = this.#lanes[lane];
    const host = queue[this.#heads[lane]++];
    this.#size--;
    // The served part is dropped in one piece, so that a shift costs constant time on average.
    if (this.#heads[lane] > 1024 && this.#heads[lane] * 2 > queue.length) {
      queue.splice(0, this.#heads[lane]);
      this.#heads[lane] = 0;
    } else if (this.#heads[lane] === queue.length) {
      queue.length = 0;
      this.#heads[lane] = 0;
    }
    return host;
  }

  #firstFilled(from: number): number | undefined {
    for (let lane = from; lane < this.#lanes.length; lane++) {
      if (this.#heads[lane] < this.#lanes[lane].length) return lane;
    }
    return undefined;
  }
}

/** Lane k with a chance of 2^-(k+1); what is left over goes to the last. */
export function drawLane(lanes: number, random: () => number): number {
  const lane = Math.floor(-Math.log2(1 - random()));
  return Math.min(lane, lanes - 1);
}
