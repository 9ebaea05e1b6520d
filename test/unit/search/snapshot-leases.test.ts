import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IndexSnapshot } from '../../../src/contracts/search-index.ts';
import { SnapshotLeases } from '../../../src/search/snapshot-leases.ts';

/** Commits are numbers; remembers which snapshots were closed. */
function countedIndex() {
  const state = { version: 1, closed: [] as number[] };
  const snapshot = (): IndexSnapshot => {
    const { version } = state;
    const held = { documents: version, [Symbol.dispose]: () => state.closed.push(version) };
    return held as unknown as IndexSnapshot;
  };
  return { state, leases: new SnapshotLeases({ version: () => state.version, snapshot }) };
}

describe('SnapshotLeases', () => {
  it('gives the same snapshot until something is committed', () => {
    const { state, leases } = countedIndex();
    const first = leases.lease();
    assert.equal(leases.lease().snapshot, first.snapshot);
    state.version = 2;
    assert.equal(leases.lease().snapshot.documents, 2);
  });

  it('closes a snapshot with its last reader, and once', () => {
    const { state, leases } = countedIndex();
    const [one, two] = [leases.lease(), leases.lease()];
    state.version = 2;
    leases.lease()[Symbol.dispose]();
    one[Symbol.dispose]();
    one[Symbol.dispose]();
    assert.deepEqual(state.closed, []);
    two[Symbol.dispose]();
    assert.deepEqual(state.closed, [1]);
    leases[Symbol.dispose]();
    assert.deepEqual(state.closed, [1, 2]);
  });
});
