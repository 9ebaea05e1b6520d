import type { Clock } from '../../base/clock.ts';
import type { Message } from '../../contracts/state/exchange.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { Partitions } from '../../contracts/state/partitions.ts';
import type { HostKey } from '../../contracts/url.ts';
import { type HostSpread, partitionOf } from '../../frontier/partition-of.ts';
import { MessageBatches } from './message-batches.ts';
import { SqlitePartition } from './sqlite-partition.ts';
import { createStateFile } from './state-database.ts';

export interface LocalPartitionsToOpen {
  readonly spread: HostSpread;
  readonly clock: Clock;
  readonly random: () => number;
  readonly options: FrontierOptions;
}

/** All partitions of a crawl in the memory of one process, for simulations of nodes: nothing of it lasts. */
export class LocalPartitions implements Pick<Partitions, 'count' | 'partitionOf'>, Disposable {
  readonly count: number;
  readonly all: readonly OwnedPartition[];
  readonly #spread: HostSpread;
  readonly #batches: readonly MessageBatches[];
  readonly #closing = new DisposableStack();
  #messages = 0;

  constructor({ spread, clock, random, options }: LocalPartitionsToOpen) {
    this.#spread = spread;
    this.count = spread.count;
    const numbers = [...Array(this.count).keys()];
    this.#batches = numbers.map((number) => new MessageBatches(number, this));
    this.all = numbers.map((partition) => {
      const db = createStateFile(':memory:');
      this.#closing.defer(() => db.close());
      const ownership = { isOwned: () => true, stillAskingMs: 0, neighbours: this.#batches[partition] };
      const lease = { partition, epoch: 1, deadline: Number.POSITIVE_INFINITY };
      return new SqlitePartition(lease, { db, folder: '', clock, random, options, ownership });
    });
  }

  partitionOf(host: HostKey): number {
    return partitionOf(host, this.#spread);
  }

  /** What partitions have told others since the last call: of each what its transaction would have taken along. */
  takeMessages(): Message[] {
    return this.#batches.flatMap((batches, from) =>
      batches.take().map(({ to, body }) => ({ from, to, number: ++this.#messages, body })),
    );
  }

  [Symbol.dispose](): void {
    this.#closing.dispose();
  }
}
