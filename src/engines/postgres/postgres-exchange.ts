import type { Exchange, Message, MessageBody } from '../../contracts/state/exchange.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import { arrayLiteral } from './array-literal.ts';
import type { Step, StepRunner } from './connection.ts';
import type { PostgresPartitions } from './postgres-partitions.ts';
import { STEPS, SURVEYS } from './statements.ts';

/** Messages lie with their senders; who receives looks at all of them. */
export class PostgresExchange implements Exchange {
  readonly #store: StepRunner;
  readonly #partitions: PostgresPartitions;

  constructor(store: StepRunner, partitions: PostgresPartitions) {
    this.#store = store;
    this.#partitions = partitions;
  }

  async receive(lease: PartitionLease, max: number): Promise<Message[]> {
    if (this.#partitions.held(lease) === undefined) return [];
    const most = Math.min(max, 2 ** 31 - 1);
    const [[owner], rows] = await this.#store.run([
      [STEPS.ownerOf, lease.partition],
      [SURVEYS.receive, this.#others(lease.partition), lease.partition, most],
    ]);
    if (Number(owner?.epoch) !== lease.epoch) return [];
    return rows.map(({ part, number, body }) => ({
      from: Number(part),
      number: Number(number),
      body: JSON.parse(String(body)) as MessageBody,
    }));
  }

  /**
   * Who is fenced between the look at its epoch and the deletion deletes nothing that is not applied: `accept` said so when
   * it was the owner, and what it wrote then belongs to the partition.
   */
  async ack(lease: PartitionLease, messages: readonly Message[]): Promise<void> {
    if (this.#partitions.held(lease) === undefined || messages.length === 0) return;
    const [[owner]] = await this.#store.run([[STEPS.ownerOf, lease.partition]]);
    if (Number(owner?.epoch) !== lease.epoch) return;
    const bySender = Map.groupBy(messages, ({ from }) => from);
    await this.#store.run(
      [...bySender].map(
        ([from, sent]): Step => [
          STEPS.acknowledge,
          from,
          lease.partition,
          arrayLiteral(sent.map(({ number }) => number)),
        ],
      ),
    );
  }

  async pending(): Promise<number> {
    const [[row]] = await this.#store.run([[SURVEYS.pending, this.#others(-1)]]);
    return Number(row.pending);
  }

  #others(partition: number): string {
    return arrayLiteral([...Array(this.#partitions.count).keys()].filter((one) => one !== partition));
  }
}
