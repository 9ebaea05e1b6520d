import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PartitionLease } from '../../src/contracts/state/partitions.ts';
import { modelEngineOn } from './model/model-engine.ts';
import { ModelStore } from './model/model-store.ts';
import type { PartitionRows } from './model/rows.ts';
import { checkHistories } from './state-histories.ts';

/** It need not be the smallest that fails. */
const HISTORIES = { numRuns: 300, endOnFailure: true };

/** Whoever comes late still writes. */
class UnfencedStore extends ModelStore {
  override isOwner(): boolean {
    return true;
  }
}

/** A crash within a transaction leaves half of it behind. */
class TornStore extends ModelStore {
  override transact<T>(lease: PartitionLease, change: (rows: PartitionRows) => T) {
    if (!this.isOwner(lease)) return undefined;
    const result = change(this.partitions[lease.partition].rows);
    this.atStep('before commit');
    this.atStep('after commit');
    return { result };
  }
}

/** Messages are not part of the transaction. */
class ForgetfulStore extends ModelStore {
  override transact<T>(lease: PartitionLease, change: (rows: PartitionRows) => T) {
    return super.transact(lease, (rows) => {
      const result = change(rows);
      if (rows.counter % 5 === 0) rows.outbox.clear();
      return result;
    });
  }
}

/** A new owner does not know who was asked before it came. */
class RestlessStore extends ModelStore {
  override transact<T>(lease: PartitionLease, change: (rows: PartitionRows) => T) {
    return super.transact(lease, (rows) => {
      const before = new Map([...rows.hosts.values()].map((host) => [host.key, host.dueAt]));
      const wasAsked = [...rows.waiting.values()].some((row) => row.lease !== undefined);
      const result = change(rows);
      const isAsked = [...rows.waiting.values()].some((row) => row.lease !== undefined);
      // All leases end together at a takeover alone.
      if (wasAsked && !isAsked && result === undefined)
        for (const host of rows.hosts.values()) host.dueAt = before.get(host.key) ?? host.dueAt;
      return result;
    });
  }
}

describe('State histories: the check can fail', () => {
  for (const Faulty of [UnfencedStore, TornStore, ForgetfulStore, RestlessStore])
    test(`on a store that is a ${Faulty.name}`, () =>
      assert.rejects(
        checkHistories(
          modelEngineOn((...values) => new Faulty(...values)),
          HISTORIES,
        ),
        /Property failed/,
      ));
});
