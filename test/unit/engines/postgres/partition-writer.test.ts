import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type FlushHaste, PartitionWriter } from '../../../../src/engines/postgres/partition-writer.ts';

/** A writer to a database that is away for so long, in a time of its own. */
function writerTo(awayMs: number) {
  let now = 0;
  const transact = async () => {
    if (now < awayMs) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return [];
  };
  const sleep = async (ms: number) => {
    now += ms;
  };
  return new PartitionWriter({
    ...{ store: { run: transact, transact }, sleep, partition: 0, epoch: 1, commits: 0, onLost: () => {} },
    takeChanges: () => ({ tables: [], messages: [], busy: [] }),
  });
}

test('a database that restarts is waited for', async () => {
  assert.equal(await writerTo(20_000).flush(), true);
});

test('one that stays away is given up on', async () => {
  await assert.rejects(writerTo(Number.POSITIVE_INFINITY).flush(), { code: 'STORE_UNREACHABLE' });
});

/** A writer that gathers until it is told, and what it sends: how many changes each transaction brings, and whether a crash may undo it. */
function gatheringWriter() {
  const sent: [changes: number, isForgettable: boolean][] = [];
  let changes = 0;
  let leave = (): void => {};
  const writer = new PartitionWriter({
    store: {
      run: async () => [],
      transact: async (_steps, isForgettable = false) => {
        sent.push([changes, isForgettable]);
        changes = 0;
        return [];
      },
    },
    ...{ sleep: async () => {}, partition: 0, epoch: 1, commits: 0, onLost: () => {} },
    takeChanges: () => ({ tables: [], messages: [], busy: [] }),
    gathering: () =>
      new Promise((resolve) => {
        leave = resolve;
      }),
  });
  const change = (haste: FlushHaste) => {
    changes++;
    return writer.flush(haste);
  };
  return { writer, sent, change, leave: () => leave() };
}

test('settlements that may wait leave together', async () => {
  const { sent, change, leave } = gatheringWriter();
  const settled = Promise.all([change('gathered'), change('gathered')]);
  await setImmediate();
  assert.deepEqual(sent, []);
  leave();
  assert.deepEqual(await settled, [true, true]);
  assert.deepEqual(sent, [[2, true]]);
});

test('what may wait leaves with what must not, as durably, and at once where nobody else comes', async () => {
  const { writer, sent, change } = gatheringWriter();
  const settled = change('gathered');
  assert.equal(await change('durable'), true);
  assert.equal(await settled, true);
  const next = change('gathered');
  await setImmediate();
  writer.hurry();
  assert.equal(await next, true);
  assert.deepEqual(sent, [
    [2, false],
    [1, true],
  ]);
});

test('messages that were taken in leave with what was gathered, as durably as alone', async () => {
  const { sent, change, leave } = gatheringWriter();
  const gathered = change('gathered');
  const along = change('along');
  await setImmediate();
  assert.deepEqual(sent, []);
  leave();
  assert.deepEqual(await Promise.all([gathered, along]), [true, true]);
  assert.equal(await change('along'), true);
  assert.deepEqual(sent, [
    [2, false],
    [1, false],
  ]);
});

test('what was gathered goes with the hand-over', async () => {
  const { writer, sent, change } = gatheringWriter();
  const settled = change('gathered');
  await writer.finish([]);
  assert.equal(await settled, true);
  assert.deepEqual(sent, [[1, false]]);
});
