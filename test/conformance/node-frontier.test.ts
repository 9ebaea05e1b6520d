import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { OwnedPartition } from '../../src/contracts/state/owned-partition.ts';
import { NodeFrontier } from '../../src/crawl/nodes/node-frontier.ts';
import { NodePartitions } from '../../src/crawl/nodes/node-partitions.ts';
import { frontierConformance } from './frontier-suite.ts';
import { modelEngine } from './model/model-engine.ts';
import type { OpenedFrontier } from './opened-frontier.ts';
import { soleOwnerOf } from './opened-state.ts';

/** A frontier as a node that has one partition shows it: no promise may get lost on the way. */
function asNode(opened: OpenedFrontier, clock: VirtualClock): OpenedFrontier {
  const partitions = new NodePartitions({ count: 1, partitionOf: () => 0 }, () => {});
  const lease = { partition: 0, epoch: 1, deadline: Number.POSITIVE_INFINITY };
  partitions.attach({ ...opened, lease } as unknown as OwnedPartition);
  const frontier = new NodeFrontier({
    ...{ partitions, now: () => clock.now(), check: () => {}, popularLinks: 1000 },
    keepLearnt: async (learnt) => {
      await opened.frontier.settle([], learnt);
    },
  });
  return {
    ...opened,
    frontier,
    crash: async (next) => asNode(await opened.crash(next), clock),
    close: () => opened.close(),
  };
}

const engine = soleOwnerOf(modelEngine);
frontierConformance({
  ...engine,
  name: 'node of one partition',
  claimsAhead: false,
  open: async (clock, options) => asNode(await engine.open(clock, options), clock),
});
