import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CrawlTask } from '../../../../src/contracts/crawl-task.ts';
import { SqlitePartition } from '../../../../src/engines/sqlite/sqlite-partition.ts';
import { createStateFile } from '../../../../src/engines/sqlite/state-database.ts';
import { settled, task } from '../../../conformance/opened-frontier.ts';
import { frontierOptionsOf } from '../../../conformance/opened-state.ts';

test('refused links that are admitted later go to the partitions of their hosts, each once', async () => {
  using db = createStateFile(':memory:');
  const clock = new VirtualClock();
  const sent: CrawlTask[] = [];
  const partition = new SqlitePartition(
    { partition: 0, epoch: 1, deadline: Number.POSITIVE_INFINITY },
    {
      ...{ db, folder: '.', clock, random: Math.random, options: frontierOptionsOf({}) },
      ownership: {
        isOwned: () => true,
        stillAskingMs: 0,
        neighbours: {
          isForeign: (host) => host !== 'own.test',
          sendLinks: (tasks) => sent.push(...tasks),
          sendRobots: () => {},
        },
      },
    },
  );
  await partition.frontier.add([task('http://own.test/')]);
  const [claim] = await partition.frontier.claim(1);
  const links = ['http://own.test/held', 'http://other.test/held'].map((url) => task(url));
  const refusals = links.map((link) => ({ task: link, by: 'trap' as const, rule: 'suspected' }));
  await partition.frontier.settle([settled(claim, clock, { refusals })]);
  assert.equal(await partition.reconsider(() => true, ['trap']), 2);
  assert.deepEqual(
    sent.map(({ url }) => url),
    ['http://other.test/held'],
  );
  assert.equal((await partition.frontier.counts()).queued, 1);
  assert.equal(await partition.reconsider(() => true, ['trap']), 0);
  assert.equal(sent.length, 1);
});
