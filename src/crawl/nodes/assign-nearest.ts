import type { NodeRecord } from '../../contracts/state/nodes.ts';
import { assignPartitions } from './assign-partitions.ts';
import type { CandidateNode } from './partition-shares.ts';

export type NearNode = CandidateNode & Pick<NodeRecord, 'answerTimes'>;

/** After so many answers a node knows how near it is to a partition. */
export const ENOUGH_ANSWERS = 20;
/** Moving costs something, and times vary: together two partitions must be asked faster by more than this share. */
const LEAST_GAIN = 0.2;

/**
 * Each partition to the node that its hosts answer fastest, as far as shares allow. It begins with what `assignPartitions` says; then nodes
 * exchange partitions, one for one, where both together are asked faster that way. Who has a partition keeps it until it knows how near it is;
 * a node that does not know is taken for near, so that it finds out. No request is made for that, and each finds out once: it comes to rest.
 */
export function assignNearest(
  owners: readonly (string | undefined)[],
  nodes: readonly NearNode[],
): (string | undefined)[] {
  const assigned = assignPartitions(owners, nodes);
  const times = new Map(nodes.map(({ name, answerTimes = {} }) => [name, answerTimes]));
  const known = (name: string, partition: number): number | undefined => {
    const [ms, answers] = times.get(name)?.[partition] ?? [0, 0];
    return answers < ENOUGH_ANSWERS ? undefined : ms;
  };
  const held = new Map(nodes.map(({ name }) => [name, new Set<number>()]));
  // Those that their owner knows: few of many, and there are as many pairs as nodes by nodes.
  const give = (partition: number, name: string): void => {
    assigned[partition] = name;
    if (known(name, partition) !== undefined) held.get(name)?.add(partition);
  };
  for (const [partition, name] of assigned.entries()) if (name !== undefined) give(partition, name);
  const names = nodes.map(({ name }) => name).sort();
  for (const [at, one] of names.entries())
    for (const other of names.slice(at + 1)) {
      const theirs = offers(held, known, other, one);
      for (const [place, mine] of offers(held, known, one, other).entries()) {
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

interface Offer {
  readonly partition: number;
  /** As it is. */
  readonly ms: number;
  /** Ms by which the other node is faster; less than 0 where it is slower. */
  readonly gain: number;
}

/** What a node may give to another, the greatest gain first. */
function offers(
  held: ReadonlyMap<string, ReadonlySet<number>>,
  known: (name: string, partition: number) => number | undefined,
  from: string,
  to: string,
): Offer[] {
  const found: Offer[] = [];
  for (const partition of held.get(from) ?? []) {
    const ms = known(from, partition);
    if (ms !== undefined) found.push({ partition, ms, gain: ms - (known(to, partition) ?? 0) });
  }
  return found.sort((a, b) => b.gain - a.gain || a.partition - b.partition);
}
