import type { Settlement } from '../../contracts/crawl-task.ts';
import type { AnswerTimes as Reported } from '../../contracts/state/nodes.ts';

/** The last so many answers of a partition count. */
const KEPT = 31;
/**
 * More would make every beat long. The same for all nodes: a partition that some report and others leave out would be taken there again and
 * again by those who are thought not to know it.
 */
export const REPORTED = 1024;

/** How fast the hosts of each partition have answered this node. */
export class AnswerTimes {
  readonly #samples = new Map<number, number[]>();
  #former: Reported = {};

  /** Of a former process of this node: for partitions that this one has asked less. */
  restore(former: Reported): void {
    this.#former = former;
  }

  /** What was refused without a request, or not answered, says nothing of a way: where a firewall ends every connection at once, nobody is near. */
  note(partition: number, { use, outcome }: Pick<Settlement, 'use' | 'outcome'>): void {
    if (partition >= REPORTED || outcome.kind === 'failed') return;
    if (use === undefined || use.unsent === true || use.pushback !== undefined) return;
    const samples = this.#samples.get(partition) ?? [];
    samples.push(use.fetchMs);
    if (samples.length > KEPT) samples.shift();
    this.#samples.set(partition, samples);
  }

  report(): Reported {
    const told: Record<string, readonly [number, number]> = { ...this.#former };
    for (const [partition, samples] of this.#samples)
      if (samples.length >= (told[partition]?.[1] ?? 0)) told[partition] = [median(samples), samples.length];
    return told;
  }
}

function median(samples: readonly number[]): number {
  return Math.round(samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? 0);
}
