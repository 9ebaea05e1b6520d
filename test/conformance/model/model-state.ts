import type { Clock } from '../../../src/base/clock.ts';
import { OrbweaverError } from '../../../src/base/errors.ts';
import type { FrontierOptions } from '../../../src/contracts/state/frontier-options.ts';
import type { Versioned, VersionedNotes } from '../../../src/contracts/state/notes.ts';
import type { PartitionLease } from '../../../src/contracts/state/partitions.ts';
import type { StateUnderTest } from '../opened-state.ts';
import { ModelExchange } from './model-exchange.ts';
import { ModelFrontier } from './model-frontier.ts';
import { ModelPages } from './model-pages.ts';
import { ModelPartitions } from './model-partitions.ts';
import type { ModelStore } from './model-store.ts';
import { parkIfExhausted, restAfter, restAfterLost } from './rests.ts';

export interface ModelNode {
  /** A node that comes back under its name knows that its former process has ended. */
  readonly name: string;
  readonly clock: Clock;
  readonly options: FrontierOptions;
}

/** The state as one node sees it. Several share a store. */
export class ModelState implements StateUnderTest {
  readonly partitions: ModelPartitions;
  readonly exchange: ModelExchange;
  readonly notes: VersionedNotes;
  readonly #store: ModelStore;
  readonly #node: ModelNode;

  constructor(store: ModelStore, node: ModelNode) {
    this.#store = store;
    this.#node = node;
    this.partitions = new ModelPartitions(store, node);
    this.exchange = new ModelExchange(store);
    this.notes = {
      read: async <T>(scope: string, name: string) =>
        store.notes.get(JSON.stringify([scope, name])) as Versioned<T> | undefined,
      write: async (scope, name, value, version) => {
        const key = JSON.stringify([scope, name]);
        if ((store.notes.get(key)?.version ?? 0) !== version) return false;
        store.notes.set(key, { value: structuredClone(value), version: version + 1 });
        return true;
      },
    };
  }

  async open(lease: PartitionLease) {
    const store = this.#store;
    const { name, options, clock } = this.#node;
    const { former, lapsedMs } = store.partitions[lease.partition];
    const stillAsking = former === name ? 0 : Math.max(0, (options.maxRequestMs ?? 0) - lapsedMs);
    const opened = store.transact(lease, (rows) => {
      for (const row of rows.waiting.values()) {
        if (row.lease === undefined) continue;
        const since = row.lease.until - options.leaseMs;
        row.lease = undefined;
        const host = rows.hosts.get(row.task.host);
        if (host === undefined) continue;
        const end = store.clock.now() + stillAsking;
        restAfter(options, host, end);
        restAfterLost(
          options,
          host,
          since,
          Math.min(end, since + (options.longestFetchMs ?? options.maxRequestMs ?? options.leaseMs)),
        );
      }
      for (const host of rows.hosts.values()) {
        if (host.parked === 'unreachable') host.pushbacks = 0;
        host.parked = '';
        parkIfExhausted(options, host);
      }
    });
    if (opened === undefined) throw new OrbweaverError('PARTITION_LOST', `${lease.partition} has another owner.`);
    const parts = { store, lease, options, clock, partitions: this.partitions };
    return {
      lease,
      frontier: new ModelFrontier(parts),
      pages: new ModelPages(parts),
      changes: { changes: () => [] },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
