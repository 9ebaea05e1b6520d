import type { Settlement } from '../../contracts/crawl-task.ts';
import type { AnswerTimes as Reported } from '../../contracts/state/nodes.ts';

/** The last so many answers of a partition count. */
const KEPT = 31;
/** More would make every beat long. */
const MOST_PARTITIONS = 1024;

/** How fast the hosts of each partition have answered this node. */
export class AnswerTimes {
  readonly #samples = new Map<number, number[]>();
  #former: Reported = {};

  /** Of a former process of this node: for partitions that this one has asked nothing. */
  restore(former: Reported): void {
    this.#former = former;
  }

  /** What was refused without a request, or not answered, says nothing of a way. */
  note(partition: number, { use }: Pick<Settlement, 'use'>): void {
    if (use === undefined || use.unsent === true || use.pushback !== undefined) return;
    const samples = this.#samples.get(partition) ?? [];
    samples.push(use.fetchMs);
    if (samples.length > KEPT) samples.shift();
    this.#samples.set(partition, samples);
  }

  report(): Reported {
    const told: Record<string, readonly [number, number]> = { ...this.#former };
    for (const [partition, samples] of this.#samples) told[partition] = [median(samples), samples.length];
    return Object.fromEntries(Object.entries(told).slice(0, MOST_PARTITIONS));
  }
}

function median(samples: readonly number[]): number {
  return Math.round(samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? 0);
}
