import type { Exchange, Message, MessageBody } from '../../contracts/state/exchange.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import { binaryArray } from './binary-array.ts';
import type { Rows, Step, StepRunner } from './connection.ts';
import type { PostgresPartitions } from './postgres-partitions.ts';
import { STEPS, SURVEYS } from './statements.ts';

/** Messages lie with their senders, keyed by who receives them. */
export class PostgresExchange implements Exchange {
  readonly #store: StepRunner;
  readonly #partitions: PostgresPartitions;

  constructor(store: StepRunner, partitions: PostgresPartitions) {
    this.#store = store;
    this.#partitions = partitions;
  }

  async receive(leases: readonly PartitionLease[], max: number): Promise<Message[]> {
    const ours = leases.filter((lease) => this.#partitions.held(lease) !== undefined);
    if (ours.length === 0 || this.#partitions.count === 1) return [];
    const numbers = numbersOf(ours);
    const [owners, rows] = await this.#store.run([
      [SURVEYS.owners, numbers],
      [SURVEYS.receive, this.#partitions.count - 1, numbers, Math.min(max, 2 ** 31 - 1)],
    ]);
    const owned = stillOwned(ours, owners);
    return rows
      .filter((row) => owned.has(Number(row.to_part)))
      .map(({ part, to_part: to, number, body }) => ({
        from: Number(part),
        to: Number(to),
        number: Number(number),
        body: JSON.parse(String(body)) as MessageBody,
      }));
  }

  /**
   * Who is fenced between the look at its epoch and the deletion deletes nothing that is not applied: `accept` said so when
   * it was the owner, and what it wrote then belongs to the partition.
   */
  async ack(leases: readonly PartitionLease[], messages: readonly Message[]): Promise<void> {
    const ours = leases.filter((lease) => this.#partitions.held(lease) !== undefined);
    if (ours.length === 0 || messages.length === 0) return;
    const [owners] = await this.#store.run([[SURVEYS.owners, numbersOf(ours)]]);
    const owned = stillOwned(ours, owners);
    const bySender = Map.groupBy(
      messages.filter(({ to }) => owned.has(to)),
      ({ from }) => from,
    );
    await this.#store.run(
      [...bySender].map(
        ([from, sent]): Step => [
          STEPS.acknowledge,
          from,
          binaryArray('integer', [...new Set(sent.map(({ to }) => to))]),
          binaryArray(
            'bigint',
            sent.map(({ number }) => number),
          ),
        ],
      ),
    );
  }

  async pending(): Promise<number> {
    const [[row]] = await this.#store.run([[SURVEYS.pending, this.#partitions.numbers]]);
    return Number(row.pending);
  }
}

function numbersOf(leases: readonly PartitionLease[]): Buffer {
  return binaryArray(
    'integer',
    leases.map(({ partition }) => partition),
  );
}

/** The partitions of leases that the store still knows. */
function stillOwned(leases: readonly PartitionLease[], owners: Rows): Set<number> {
  const epochs = new Map(
    owners.map(({ part, epoch, node }) => [Number(part), node === null ? undefined : Number(epoch)]),
  );
  return new Set(
    leases.filter(({ partition, epoch }) => epochs.get(partition) === epoch).map(({ partition }) => partition),
  );
}
