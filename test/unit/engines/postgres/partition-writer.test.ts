import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PartitionWriter } from '../../../../src/engines/postgres/partition-writer.ts';

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
