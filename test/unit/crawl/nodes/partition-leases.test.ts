import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { OwnedPartition } from '../../../../src/contracts/state/owned-partition.ts';
import type { PartitionLease } from '../../../../src/contracts/state/partitions.ts';
import { PartitionLeases, type PartitionLeasesParts } from '../../../../src/crawl/nodes/partition-leases.ts';

const COUNT = 30;
const leases = Array.from(
  { length: COUNT },
  (_, partition) => ({ partition, epoch: 1, deadline: 1 }) as PartitionLease,
);
const share = {
  partitions: leases.map(({ partition }) => ({ partition, node: undefined, hasLapsed: false })),
  isMine: () => true,
  isOfOthers: () => false,
} as unknown as Parameters<PartitionLeases['follow']>[0];

/** A store that opens partitions when it is let. */
function slowStore() {
  const under = new Map<number, PromiseWithResolvers<OwnedPartition>>();
  const released: number[] = [];
  let most = 0;
  const state = {
    partitions: {
      count: COUNT,
      partitionOf: () => 0,
      acquire: async () => leases,
      release: async (given: readonly PartitionLease[]) => void released.push(...given.map((one) => one.partition)),
    },
    open: (lease: PartitionLease) => {
      const opening = Promise.withResolvers<OwnedPartition>();
      under.set(lease.partition, opening);
      most = Math.max(most, under.size);
      return opening.promise;
    },
  } as unknown as PartitionLeasesParts['state'];
  const finish = async (partition: number, fault?: Error): Promise<void> => {
    const opening = under.get(partition);
    under.delete(partition);
    if (fault !== undefined) opening?.reject(fault);
    else opening?.resolve({ lease: leases[partition], pages: { digests: () => [] } } as unknown as OwnedPartition);
    await new Promise(setImmediate);
  };
  return { state, under, released, finish, most: () => most };
}

function leasesOver(state: PartitionLeasesParts['state']): { taken: PartitionLeases; faults: unknown[] } {
  const faults: unknown[] = [];
  const taken = new PartitionLeases({
    ...{ state, handoverMs: 1000, clock: new VirtualClock(), stopped: new AbortController().signal },
    notice: () => {},
    onFault: (fault) => void faults.push(fault),
  });
  return { taken, faults };
}

test('partitions are opened a few together, and the next as soon as one is done', async () => {
  const store = slowStore();
  const { taken } = leasesOver(store.state);
  taken.follow(share);
  await new Promise(setImmediate);
  const together = store.under.size;
  assert.ok(together > 1 && together < COUNT, `${together} are opened together`);
  await store.finish(0);
  assert.equal(store.under.size, together, 'another begins beside those that are still waited for');
  while (store.under.size > 0) await store.finish([...store.under.keys()][0]);
  await taken.settle();
  assert.equal(taken.partitions.all.length, COUNT);
  assert.equal(store.most(), together);
  assert.ok(taken.isSettled);
});

test('one that cannot be opened is given back, and does not keep the others from being opened', async () => {
  const store = slowStore();
  const { taken, faults } = leasesOver(store.state);
  taken.follow(share);
  await new Promise(setImmediate);
  await store.finish(3, new OrbweaverError('FOLDER_CORRUPT', 'damaged'));
  await store.finish(5, new OrbweaverError('PARTITION_LOST', 'taken'));
  while (store.under.size > 0) await store.finish([...store.under.keys()][0]);
  await taken.settle();
  assert.equal(taken.partitions.all.length, COUNT - 2);
  assert.deepEqual(store.released, [3, 5]);
  assert.deepEqual(
    faults.map((fault) => (fault as OrbweaverError).code),
    ['FOLDER_CORRUPT'],
    'what passes by itself ends nothing',
  );
});
