import type { NodeRecord } from '../../contracts/state/nodes.ts';
import { REPORTED } from './answer-times.ts';
import { assignPartitions } from './assign-partitions.ts';
import type { CandidateNode } from './partition-shares.ts';

export type NearNode = CandidateNode & Pick<NodeRecord, 'answerTimes'>;

/** After so many answers a node knows how near it is to a partition. */
export const ENOUGH_ANSWERS = 20;
/** Moving costs something, and times vary: together two partitions must be asked faster by more than this share. */
const LEAST_GAIN = 0.2;

/**
 * Each partition to the node that its hosts answer fastest, as far as shares allow. It begins with what `assignPartitions` says; then nodes
 * exchange partitions, one for one, where both together are asked faster that way. Who has asked a partition keeps it until it knows how near it
 * is; one that was asked nothing (most are empty where there are few hosts) may be given for another. A node that does not know is taken for near,
 * so that it finds out. No request is made for that, and each finds out once: it comes to rest.
 */
export function assignNearest(
  owners: readonly (string | undefined)[],
  nodes: readonly NearNode[],
): (string | undefined)[] {
  const assigned = assignPartitions(owners, nodes);
  const times = new Map(nodes.map(({ name, answerTimes = {} }) => [name, answerTimes]));
  const waysOf: Ways = (name, partition) => {
    const [ms, answers] = times.get(name)?.[partition] ?? [0, 0];
    return answers < ENOUGH_ANSWERS ? { ms: 0, isOpen: answers > 0 } : { ms, isOpen: false };
  };
  const held = new Map(nodes.map(({ name }) => [name, new Set<number>()]));
  // Those that their owners may give: few of many, and there are as many pairs as nodes by nodes.
  const give = (partition: number, name: string): void => {
    assigned[partition] = name;
    if (partition < REPORTED && !waysOf(name, partition).isOpen) held.get(name)?.add(partition);
  };
  for (const [partition, name] of assigned.entries()) if (name !== undefined) give(partition, name);
  const names = nodes.map(({ name }) => name).sort();
  for (const [at, one] of names.entries())
    for (const other of names.slice(at + 1)) {
      const theirs = offers(held, waysOf, other, one);
      for (const [place, mine] of offers(held, waysOf, one, other).entries()) {
        const back = theirs[place];
        if (back === undefined || mine.gain + back.gain <= LEAST_GAIN * (mine.ms + back.ms)) break;
        held.get(one)?.delete(mine.partition);
        held.get(other)?.delete(back.partition);
        give(mine.partition, other);
        give(back.partition, one);
      }
    }
  return assigned;
}

/** Ms of the way to a partition, 0 where it is not known; open while a node is finding out. */
type Ways = (name: string, partition: number) => { readonly ms: number; readonly isOpen: boolean };

interface Offer {
  readonly partition: number;
  /** As it is. */
  readonly ms: number;
  /** Ms by which the other node is faster; less than 0 where it is slower. */
  readonly gain: number;
}

/** What a node may give to another, the greatest gain first. */
function offers(held: ReadonlyMap<string, ReadonlySet<number>>, waysOf: Ways, from: string, to: string): Offer[] {
  const found: Offer[] = [];
  for (const partition of held.get(from) ?? []) {
    const { ms } = waysOf(from, partition);
    found.push({ partition, ms, gain: ms - waysOf(to, partition).ms });
  }
  return found.sort((a, b) => b.gain - a.gain || a.partition - b.partition);
}
