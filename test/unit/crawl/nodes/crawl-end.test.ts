import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterView } from '../../../../src/contracts/state/nodes.ts';
import { idleState, isCrawlOver } from '../../../../src/crawl/nodes/crawl-end.ts';

const node = {
  ...{ weight: 1, pages: 0, bytes: 0, pagesPerSecond: 0, queued: 0, inFlight: 0, takeovers: 0, lost: 0 },
  ...{ isAlive: true, isDraining: false, lagMs: 0 },
};
const partition = { epoch: 1, hasLapsed: false };
const PARTITIONS = [
  { ...partition, partition: 0, commits: 5, node: 'a' },
  { ...partition, partition: 1, commits: 2, node: 'a' },
  { ...partition, partition: 2, commits: 0, node: 'b' },
];
const over: ClusterView = {
  nodes: [
    { ...node, name: 'a', idleState: idleState(2, [PARTITIONS[0], PARTITIONS[1]]) },
    { ...node, name: 'b', idleState: idleState(2, [PARTITIONS[2]]) },
    { ...node, name: 'gone', isAlive: false },
  ],
  partitions: PARTITIONS,
  pending: 0,
  isStill: true,
};

test('a crawl is over when all owners were idle and have committed nothing since', () => {
  assert.equal(isCrawlOver(over, 2), true);
  assert.equal(isCrawlOver(over, 3), false, 'there are new seeds');
  const [a, b, gone] = over.nodes;
  const [first, ...others] = over.partitions;
  const { node: _, ...unowned } = first;
  const not: Readonly<Record<string, Partial<ClusterView>>> = {
    'a message is on its way': { pending: 1 },
    'something was committed meanwhile': { isStill: false },
    'a commit after it was idle': { partitions: [{ ...first, commits: 6 }, ...others] },
    'a node has something to do': { nodes: [{ ...node, name: 'a' }, b, gone] },
    'an owner is dead': { nodes: [{ ...a, isAlive: false }, b, gone] },
    'a lease has run out': { partitions: [{ ...first, hasLapsed: true }, ...others] },
    'an owner has got a partition that nothing was written to, and may not know of it': {
      partitions: [...over.partitions, { ...partition, partition: 3, commits: 0, node: 'b' }],
    },
    'a partition came back to its owner': { partitions: [{ ...first, epoch: 3 }, ...others] },
    'nobody has a partition': { partitions: [unowned, ...others] },
  };
  for (const [why, change] of Object.entries(not)) assert.equal(isCrawlOver({ ...over, ...change }, 2), false, why);
});
