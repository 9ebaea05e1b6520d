import type { Exchange, Message } from '../../../src/contracts/state/exchange.ts';
import type { PartitionLease } from '../../../src/contracts/state/partitions.ts';
import type { ModelStore } from './model-store.ts';

export class ModelExchange implements Exchange {
  readonly #store: ModelStore;

  constructor(store: ModelStore) {
    this.#store = store;
  }

  async receive(leases: readonly PartitionLease[], max: number): Promise<Message[]> {
    const owned = new Set(leases.filter((lease) => this.#store.isOwner(lease)).map(({ partition }) => partition));
    const messages = this.#store.partitions.flatMap(({ rows }, from) =>
      [...rows.outbox.values()]
        .filter(({ to }) => owned.has(to))
        .map(({ to, number, body }): Message => ({ from, to, number, body })),
    );
    return messages.slice(0, max);
  }

  async ack(leases: readonly PartitionLease[], messages: readonly Message[]): Promise<void> {
    const owned = new Set(leases.filter((lease) => this.#store.isOwner(lease)).map(({ partition }) => partition));
    for (const { from, to, number } of messages) {
      const { outbox } = this.#store.partitions[from].rows;
      if (owned.has(to) && outbox.get(number)?.to === to) outbox.delete(number);
    }
  }

  async pending(): Promise<number> {
    return this.#store.partitions.reduce((sum, { rows }) => sum + rows.outbox.size, 0);
  }
}
