import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { SqlitePartition } from '../../../../src/engines/sqlite/sqlite-partition.ts';
import { openedState, page, temporaryFolder } from './state-folder.ts';

const HOST = 'http://a.example';

async function next({ frontier }: SqlitePartition, clock: VirtualClock): Promise<string> {
  const [claim] = await frontier.claim(1);
  await frontier.settle([{ claim, outcome: { kind: 'stored' }, use: { fetchMs: 1, bytes: 1, endedAt: clock.now() } }]);
  clock.advance(1);
  return claim.task.url.slice(HOST.length);
}

for (const movable of [false, true])
  test(`queues that are filled in one direction are emptied in the other${movable ? ', and URLs are found in them' : ''}`, async (t) => {
    const folder = temporaryFolder(t);
    const clock = new VirtualClock(1_800_000_000_000);
    const paths = ['/1', '/2', '/3', '/4'];
    const opened = (order: 'fifo' | 'lifo') => openedState(folder, clock, { order, movable });
    {
      using state = opened('fifo');
      await state.frontier.add(paths.map((path) => page(HOST + path)));
      await state.frontier.add([page(`${HOST}/robots.txt`, { purpose: 'robots' })]);
      assert.equal(await next(state, clock), '/robots.txt');
      assert.equal(await next(state, clock), '/1');
      await state.frontier.add([page(`${HOST}/robots.txt`, { purpose: 'robots' })]);
    }
    {
      using state = opened('lifo');
      await state.frontier.add([page(`${HOST}/5`)]);
      if (movable) assert.equal([...state.frontier.waiting()].length, 4);
      assert.deepEqual(
        [await next(state, clock), await next(state, clock), await next(state, clock)],
        ['/robots.txt', '/5', '/4'],
      );
    }
    using state = opened('fifo');
    await state.frontier.add([page(`${HOST}/6`)]);
    if (movable) assert.equal([...state.frontier.waiting()].length, 3);
    assert.deepEqual(
      [await next(state, clock), await next(state, clock), await next(state, clock)],
      ['/2', '/3', '/6'],
    );
  });
