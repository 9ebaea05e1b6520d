import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { assignPartitions, isInShare } from '../../../../src/crawl/nodes/assign-partitions.ts';
import type { CandidateNode } from '../../../../src/crawl/nodes/partition-shares.ts';

const weights = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 12 });
const counts = fc.integer({ min: 16, max: 300 });

function nodesOf(some: readonly number[]): CandidateNode[] {
  return some.map((weight, at) => ({ name: `node-${at}`, weight }));
}

function heldBy(assigned: readonly (string | undefined)[], name: string): number {
  return assigned.filter((owner) => owner === name).length;
}

describe('the assignment of partitions', () => {
  test('every partition has one node, and every node its share to within one', () => {
    fc.assert(
      fc.property(counts, weights, (count, some) => {
        const nodes = nodesOf(some);
        const assigned = assignPartitions(Array(count).fill(undefined), nodes);
        assert.ok(assigned.every((name) => name !== undefined));
        const total = some.reduce((sum, weight) => sum + weight, 0);
        for (const { name, weight } of nodes)
          assert.ok(Math.abs(heldBy(assigned, name) - (count * weight) / total) < 1 + 1e-9);
      }),
    );
  });

  test('a node that joins moves its own share and no more; it is stable then', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 12 }), (count, n) => {
        const before = assignPartitions(Array(count).fill(undefined), nodesOf(Array(n).fill(1)));
        const nodes = nodesOf(Array(n + 1).fill(1));
        const after = assignPartitions(before, nodes);
        const moved = after.filter((name, at) => name !== before[at]);
        assert.ok(
          moved.every((name) => name === `node-${n}`),
          'to the new one alone',
        );
        assert.ok(moved.length / count <= 1 / (n + 1) + 0.05, `${moved.length} of ${count}`);
        assert.deepEqual(assignPartitions(after, nodes), after);
      }),
    );
  });

  test('what a node leaves is spread, and nothing else moves', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 2, max: 12 }), (count, n) => {
        const nodes = nodesOf(Array(n).fill(1));
        const before = assignPartitions(Array(count).fill(undefined), nodes);
        const rest = nodes.slice(1);
        const after = assignPartitions(before, rest);
        for (const [at, name] of before.entries())
          if (name !== 'node-0') assert.equal(after[at], name);
          else assert.ok(after[at] !== undefined && after[at] !== 'node-0');
      }),
    );
  });

  test('fixed shares: each partition is of exactly one number', () => {
    for (let partition = 0; partition < 20; partition++) {
      const owners = [1, 2, 3].filter((number) => isInShare(partition, { nodes: 3, number }));
      assert.equal(owners.length, 1);
    }
  });

  test('without a node that can take any, nobody has them', () => {
    assert.deepEqual(assignPartitions(['a', undefined], [{ name: 'a', weight: 0 }]), [undefined, undefined]);
    assert.deepEqual(assignPartitions(['a'], []), [undefined]);
  });
});
