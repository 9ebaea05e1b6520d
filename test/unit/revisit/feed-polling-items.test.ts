import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type FeedItemStamp, freshItems, type SeenItems } from '../../../src/revisit/feed-polling-items.ts';

const told = (seen: SeenItems, items: readonly FeedItemStamp[]): string[] =>
  freshItems(seen, items).fresh.map(({ item, why }) => `${item.id ?? item.url ?? item.title} ${why}`);

describe('freshItems', () => {
  const old = [
    { id: 'a', url: '/a', published: 1 },
    { id: 'b', url: '/b', published: 2, updated: 2 },
  ];
  const { seen } = freshItems([], old);

  test('new ones before updated ones, the newest first', () => {
    const now = [
      { id: 'b', url: '/b', published: 2, updated: 9 },
      { id: 'c', published: 3 },
      { id: 'd', published: 4 },
      { id: 'undated' },
      old[0],
    ];
    assert.deepEqual(told(seen, now), ['d new', 'c new', 'undated new', 'b updated']);
  });

  test('the same feed again holds no news', () => {
    assert.deepEqual(told(seen, old), []);
    assert.deepEqual(told(JSON.parse(JSON.stringify(seen)), [...old].reverse()), []);
  });

  test('without ids links count, without links titles; an item without anything is none', () => {
    const items = [{ url: '/x' }, { url: '/x' }, { title: 'T' }, {}, { id: '' }];
    const result = freshItems([], items);
    assert.equal(result.fresh.length, 2);
    assert.deepEqual(told(result.seen, items), []);
  });

  test('items that were gone for a while are still known; memory is bounded', () => {
    let memory: SeenItems = seen;
    for (let n = 0; n < 50; n++) memory = freshItems(memory, [{ id: `n${n}` }]).seen;
    assert.deepEqual(told(memory, old), []);
    for (let n = 0; n < 1000; n++) memory = freshItems(memory, [{ id: `m${n}` }]).seen;
    assert.equal(memory.length, 200);
    const many = Array.from({ length: 5000 }, (_, n) => ({ id: `${n}` }));
    assert.equal(freshItems(memory, many).seen.length, 5000, 'a whole feed is always remembered');
  });

  test('whatever comes, nothing is news twice in a row', () => {
    const item = fc.record(
      { id: fc.string(), url: fc.string(), title: fc.string(), published: fc.double(), updated: fc.double() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(item), (items) => {
        assert.deepEqual(freshItems(freshItems([], items).seen, items).fresh, []);
      }),
    );
  });
});
