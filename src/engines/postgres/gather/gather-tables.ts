import type { StepRunner } from '../connection.ts';
import { loadPartition } from '../load-partition.ts';
import { allPartitions } from '../postgres-partitions.ts';
import { SURVEYS } from '../statements.ts';
import { TABLES } from '../tables.ts';
import type { GatheredState } from './gathered-state.ts';

/** Partitions whose rows are asked for together. */
const AT_ONCE = 8;

/** Where the hosts of each partition begin when all are put into one table. `room`: numbers left free for hosts to come. */
export async function firstHosts(store: StepRunner, count: number, room: number): Promise<Map<number, number>> {
  const [rows] = await store.run([[SURVEYS.lastHosts, allPartitions(count)]]);
  const last = new Map(rows.map(({ part, last: id }) => [Number(part), Number(id)]));
  const first = new Map<number, number>();
  let next = 0;
  for (let partition = 0; partition < count; partition++) {
    first.set(partition, next);
    next += (last.get(partition) ?? -1) + 1 + room;
  }
  return first;
}

/** Brings whole tables of all partitions into one state. */
export async function gatherTables(
  store: StepRunner,
  count: number,
  names: readonly string[],
  gathered: GatheredState,
): Promise<void> {
  const tables = TABLES.filter(({ name }) => names.includes(name));
  for (let first = 0; first < count; first += AT_ONCE) {
    const partitions = [...Array(Math.min(AT_ONCE, count - first)).keys()].map((at) => first + at);
    await Promise.all(
      partitions.map((partition) =>
        loadPartition(store, partition, tables, (table, rows) => gathered.fill(partition, table, rows)),
      ),
    );
  }
}
