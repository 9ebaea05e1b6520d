import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FeedItemMemory, MOST_ITEMS, secondsOf } from '../../../src/revisit/feed-item-memory.ts';
import { FeedTrust, isPossible, judgeDates } from '../../../src/revisit/feed-trust.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;

test('trust follows what visits found, for each kind of word by itself, and is kept', () => {
  const trust = new FeedTrust();
  const first = trust.believed('dated');
  assert.ok(first > 0.5 && first < 0.7);
  for (let visit = 0; visit < 10; visit++) trust.observeVisit('dated', NOW + visit * HOUR, false);
  assert.ok(trust.believed('dated') < 0.12);
  assert.equal(trust.believed('undated'), 0.5);
  const again = new FeedTrust(JSON.parse(JSON.stringify(trust)));
  assert.equal(again.believed('dated'), trust.believed('dated'));
  for (let visit = 0; visit < 40; visit++) again.observeVisit('dated', NOW + 90 * DAY + visit * DAY, true);
  assert.ok(again.believed('dated') > 0.8, 'it can win trust again');
});

test('dates of one moment say nothing of the items; said anew they are held against the feed', () => {
  const built = [0, 300, 1000, 90_000].map((ms) => NOW - HOUR - ms);
  assert.deepEqual(judgeDates(built, built, NOW - 2 * HOUR, NOW), { stamped: true, lied: true });
  assert.deepEqual(judgeDates(built, built, undefined, NOW), { stamped: true, lied: false }, 'at first sight');
  assert.deepEqual(judgeDates(built, [], NOW - 2 * HOUR, NOW), { stamped: true, lied: false }, 'not said again');
  const real = built.map((date, at) => date - at * DAY);
  assert.deepEqual(judgeDates(real, real, NOW - 2 * HOUR, NOW), { stamped: false, lied: false });
  const few = built.slice(0, 3);
  assert.equal(judgeDates(few, few, NOW - 2 * HOUR, NOW).stamped, false, 'a few items may well come together');
});

test('a date in the future is no date, and counts against the feed', () => {
  assert.equal(isPossible(NOW + HOUR / 2, NOW), true, 'clocks differ');
  assert.equal(isPossible(NOW + 2 * HOUR, NOW), false);
  for (const bad of [undefined, Number.NaN, Number.POSITIVE_INFINITY, 0, -1]) assert.equal(isPossible(bad, NOW), false);
  assert.equal(judgeDates([NOW + DAY, NOW - DAY], [NOW + DAY], NOW - HOUR, NOW).lied, true);
  assert.equal(judgeDates([NOW + DAY, NOW - DAY], [NOW - DAY], NOW - HOUR, NOW).lied, false, 'it is old');
  const trust = new FeedTrust();
  const before = trust.believed('dated');
  trust.observeDates({ stamped: false, lied: true }, NOW);
  assert.ok(trust.believed('dated') < before);
});

test('what a feed has shown is remembered, and within bounds', () => {
  const memory = new FeedItemMemory();
  assert.equal(memory.knows('http://site.test/feed'), false);
  const items = Array.from({ length: 3 * MOST_ITEMS }, (_, mark) => ({ mark, date: secondsOf(NOW - mark * DAY) }));
  memory.add('http://site.test/feed', items.slice(0, 20));
  const again = new FeedItemMemory(JSON.parse(JSON.stringify(memory)));
  assert.deepEqual(
    [...again.itemsOf('http://site.test/feed')],
    items
      .slice(0, 20)
      .map(({ mark, date }) => [mark, date])
      .reverse(),
  );
  again.add('http://site.test/feed', items);
  assert.equal(again.itemsOf('http://site.test/feed').size, MOST_ITEMS);
  for (let feed = 0; feed < 4100; feed++) again.add(`http://site.test/${feed}`, items.slice(0, 1));
  assert.equal(again.toJSON().length, 4000);
  assert.equal(again.knows('http://site.test/feed'), false, 'the one not read for longest');
});

test('any marks and dates come back as they went in', () => {
  const item = fc.record({ mark: fc.nat(0xffff_ffff), date: fc.nat(0xffff_ffff) });
  fc.assert(
    fc.property(fc.uniqueArray(item, { selector: ({ mark }) => mark, maxLength: 60 }), (items) => {
      const memory = new FeedItemMemory();
      memory.add('feed', items);
      assert.deepEqual(
        [...new FeedItemMemory(memory.toJSON()).itemsOf('feed')],
        items.map(({ mark, date }) => [mark, date]).reverse(),
      );
    }),
  );
});
