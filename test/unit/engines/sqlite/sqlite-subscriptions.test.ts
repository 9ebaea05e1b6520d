import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SubscriptionStore, WebSubSubscription } from '../../../../src/contracts/push.ts';
import { SqliteSubscriptions } from '../../../../src/engines/sqlite/sqlite-subscriptions.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { MemorySubscriptions } from '../../seeds/push/memory-subscriptions.ts';

const subscription = (id: string, actAt: number, topic = `https://site.test/${id}`): WebSubSubscription => ({
  id,
  hub: 'https://hub.test/',
  topic,
  state: 'asking',
  leaseSeconds: 100,
  actAt,
  tries: 0,
  moves: 0,
});

async function fillAndRead(store: SubscriptionStore): Promise<unknown[]> {
  await store.change('b', () => subscription('b', 20));
  await store.change('a', () => subscription('a', 10));
  await store.change('c', () => subscription('c', 30, 'https://site.test/b'));
  await store.change('a', (held) => held && { ...held, secret: 'x', state: 'active', until: 99 });
  await store.change('c', (held) => held);
  await store.change('gone', () => subscription('gone', 1));
  await store.change('gone', () => undefined);
  await store.change('never', (held) => held);
  const ids = (found: readonly WebSubSubscription[]): string[] => found.map(({ id }) => id);
  return [
    await store.subscription('a'),
    await store.subscription('gone'),
    ids(await store.ofTopic('https://site.test/b')),
    ids(await store.due(20, 10)),
    ids(await store.due(99, 2)),
  ];
}

test('subscriptions on disk are as those in memory, and outlive the process', async () => {
  using folder = temporaryFolder();
  const expected = await fillAndRead(new MemorySubscriptions());
  {
    using store = new SqliteSubscriptions(folder.path);
    assert.deepEqual(await fillAndRead(store), expected);
  }
  using again = new SqliteSubscriptions(folder.path);
  assert.deepEqual(await again.subscription('a'), expected[0]);
  assert.equal(again.leases().length, 3);
});

test('the crawl and the server change them beside each other; a change that fails changes nothing', async () => {
  using folder = temporaryFolder();
  using crawl = new SqliteSubscriptions(folder.path);
  using server = new SqliteSubscriptions(folder.path);
  await crawl.change('a', () => subscription('a', 10));
  for (let time = 0; time < 10; time++) {
    for (const store of [crawl, server])
      await store.change('a', (held) => (held === undefined ? undefined : { ...held, tries: held.tries + 1 }));
  }
  assert.equal((await crawl.subscription('a'))?.tries, 20);
  await assert.rejects(
    server.change('a', () => {
      throw new Error('no');
    }),
  );
  assert.equal((await crawl.change('a', (held) => held))?.tries, 20);
});
