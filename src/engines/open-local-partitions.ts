import { LocalPartitions, type LocalPartitionsToOpen } from './sqlite/local-partitions.ts';

export type { LocalPartitions } from './sqlite/local-partitions.ts';

/** Opens partitions that live in the memory of this process, for simulations of several nodes. */
export function openLocalPartitions(toOpen: LocalPartitionsToOpen): LocalPartitions {
  return new LocalPartitions(toOpen);
}
