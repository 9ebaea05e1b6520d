import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeCluster } from '../../../../src/cli/output/show-cluster.ts';
import type { NodeRecord } from '../../../../src/contracts/state/nodes.ts';

const node: NodeRecord = {
  ...{ name: 'a.1', isAlive: true, isDraining: false, lagMs: 500, weight: 1, pages: 3, bytes: 90, pagesPerSecond: 1 },
  ...{ queued: 4, inFlight: 1, takeovers: 0, lost: 0 },
};
const partition = { partition: 0, epoch: 1, commits: 1, node: 'a.1', hasLapsed: false };

test('a cluster is told by its nodes and partitions; where no node lives, how to go on', () => {
  const view = { nodes: [node], partitions: [partition], pending: 0, isStill: true };
  assert.match(describeCluster(view, false), /a\.1 +busy +1 .*\n1 partition, 0 of them without/);
  assert.doesNotMatch(describeCluster(view, false), /No node is at work/);
  const gone = {
    ...view,
    nodes: [{ ...node, isAlive: false }],
    partitions: [{ ...partition, node: undefined as never, hasLapsed: true }],
  };
  assert.match(
    describeCluster(gone, false),
    /a\.1 +gone.*1 of them without a node that lives.*orbweaver node --folder DIR/s,
  );
  assert.match(describeCluster(gone, true), /The crawl is finished\.$/m);
  assert.doesNotMatch(describeCluster(gone, true), /To go on/);
});
