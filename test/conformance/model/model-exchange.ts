import type { Exchange, Message } from '../../../src/contracts/state/exchange.ts';
import type { PartitionLease } from '../../../src/contracts/state/partitions.ts';
import type { ModelStore } from './model-store.ts';

export class ModelExchange implements Exchange {
  readonly #store: ModelStore;

  constructor(store: ModelStore) {
    this.#store = store;
  }

  async receive(lease: PartitionLease, max: number): Promise<Message[]> {
    if (!this.#store.isOwner(lease)) return [];
    const messages = this.#store.partitions.flatMap(({ rows }, from) =>
      [...rows.outbox.values()]
        .filter(({ to }) => to === lease.partition)
        .map(({ number, body }): Message => ({ from, number, body })),
    );
    return messages.slice(0, max);
  }

  async ack(lease: PartitionLease, messages: readonly Message[]): Promise<void> {
    if (!this.#store.isOwner(lease)) return;
    for (const { from, number } of messages) {
      const { outbox } = this.#store.partitions[from].rows;
      if (outbox.get(number)?.to === lease.partition) outbox.delete(number);
    }
  }

  async pending(): Promise<number> {
    return this.#store.partitions.reduce((sum, { rows }) => sum + rows.outbox.size, 0);
  }
}
